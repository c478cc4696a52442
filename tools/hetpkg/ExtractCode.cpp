// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetpkg extract --for: artifacts, which the target's lowering makes files of that other
// tools read.

#include "Extract.h"
#include "NamedTarget.h"
#include "Verbs.h"

using namespace het;

/// What the package has of a kind for a kernel; null: nothing.
static const ArtifactEntry *findArtifact(const ExtractChoice &choice,
                                         const ArtifactKind &kind) {
  for (const PackageLowering &lowering : choice.input->lowerings)
    if (lowering.kind == kind)
      return lowering.find(choice.index);
  return nullptr;
}

static Result<Bytes> artifactOf(const ExtractChoice &choice, const NamedTarget &target,
                                const std::string &options) {
  if (const ArtifactEntry *entry = findArtifact(choice, target.kind(options)))
    return choice.input->package.artifact(*entry);
  Result<Bytes> code = choice.code();
  return code.ok() ? target.lower(*code, choice.name(), options) : code;
}

Result<Bytes> het::codeOf(const ExtractChoice &choice, const NamedTarget &target,
                          const std::string &options) {
  Result<Bytes> artifact = artifactOf(choice, target, options);
  return artifact.ok() ? target.lowering->extractCode(*artifact) : artifact;
}

Status het::extractCode(const Input &input, const ExtractOptions &options) {
  Result<std::vector<ExtractChoice>> choices = chooseKernels(input, options);
  if (!choices.ok())
    return choices.status();
  if (choices->size() > 1 && options.output == "-")
    return invalid("--for: found standard output, expected a folder for one file a "
                   "kernel; say -o FOLDER, or --kernel=NAME");
  Result<NamedTarget> target = NamedTarget::open(options.target);
  if (!target.ok())
    return target.status();
  auto contents = [&](const ExtractChoice &choice) {
    return codeOf(choice, *target, options.movable ? "parkable" : "");
  };
  if (options.all)
    return writeFolder(*choices, options.output, target->arch.suffix, contents);
  Result<Bytes> code = contents(choices->front());
  return code.ok() ? writeOutput(options.output, *code) : code.status();
}
