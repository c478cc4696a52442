// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetpkg extract: the hetIR of kernels, as bytecode or, by the tool het-opt
// that stands beside this one, as text.

#include "Extract.h"
#include "Tool.h"
#include "Verbs.h"
#include "het/Base/File.h"

#include <filesystem>
#include <set>

using namespace het;

Result<std::vector<ExtractChoice>> het::chooseKernels(const Input &input,
                                                      const ExtractOptions &options) {
  std::vector<ExtractChoice> choices;
  for (const InputPackage &one : input.packages)
    for (uint32_t i = 0; i < one.kernels.size(); ++i)
      if (options.all || one.kernels[i].name == options.kernel)
        choices.push_back({&one, i});
  if (choices.empty() && !options.all)
    return unavailable(foundExpected("kernel '" + options.kernel + "'",
                                     "none of this name", "the mangled name of one in it",
                                     "see them with 'hetpkg show'"),
                       input.path);
  std::set<std::string> names;
  for (const ExtractChoice &choice : choices)
    if (!names.insert(choice.name()).second)
      return invalid(foundExpected("kernel '" + choice.name() + "'",
                                   "more than one of this name", "one",
                                   "extract from each object by itself"),
                     input.path);
  return choices;
}

//===----------------------------------------------------------------------===//
// Text, by het-opt
//===----------------------------------------------------------------------===//

static Result<Bytes> disassemble(const std::string &tool, const Bytes &code,
                                 const std::string &kernel) {
  Result<ToolRun> run = runTool(tool, {"-"}, code);
  if (!run.ok())
    return run.status();
  if (run->succeeded)
    return std::move(run->output);
  return invalid("hetIR of kernel '" + kernel +
                     "': found bytecode that het-opt refuses, expected what this "
                     "version reads: " +
                     (run->errors.empty() ? run->end : run->errors),
                 tool);
}

/// All texts in one, between MLIR's own separators.
static Result<Bytes> textOf(const std::vector<ExtractChoice> &choices) {
  Result<std::string> tool =
      findTool("het-opt", "--hetir",
               "extract the bytecode without --hetir and give it to het-opt");
  if (!tool.ok())
    return tool.status();
  ByteWriter text;
  for (const ExtractChoice &choice : choices) {
    if (&choice != &choices.front())
      text.bytes(ByteView(std::string_view("\n// -----\n\n")));
    Result<Bytes> code = choice.code();
    if (!code.ok())
      return code.status();
    Result<Bytes> part = disassemble(*tool, *code, choice.name());
    if (!part.ok())
      return part.status();
    text.bytes(*part);
  }
  return text.take();
}

//===----------------------------------------------------------------------===//
// Bytecode
//===----------------------------------------------------------------------===//

/// A file name for a kernel: its own name where that is harmless, else a cut
/// one with a hash that tells it from others.
static std::string fileNameFor(const std::string &kernel, const std::string &suffix) {
  constexpr size_t longest = 180;
  std::string name;
  for (char c : kernel.substr(0, longest)) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                 (c >= '0' && c <= '9') || c == '_' || c == '$' ||
                 (c == '.' && !name.empty());
    name += plain ? c : '_';
  }
  if (name != kernel)
    name += "-" + hex(sha256(ByteView(kernel))).substr(0, 16);
  return name + suffix;
}

Status
het::writeFolder(const std::vector<ExtractChoice> &choices, const std::string &folder,
                 const std::string &suffix,
                 const std::function<Result<Bytes>(const ExtractChoice &)> &contents) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return invalid("cannot make the folder: " + error.message(), folder);
  for (const ExtractChoice &choice : choices) {
    Result<Bytes> code = contents(choice);
    if (!code.ok())
      return code.status();
    std::string path = folder + "/" + fileNameFor(choice.name(), suffix);
    if (Status status = writeFileAtomically(path, *code); !status.ok())
      return status;
  }
  return Status::success();
}

Status het::extract(const Input &input, const ExtractOptions &options) {
  Result<std::vector<ExtractChoice>> choices = chooseKernels(input, options);
  if (!choices.ok())
    return choices.status();
  if (options.hetir) {
    Result<Bytes> text = textOf(*choices);
    return text.ok() ? writeOutput(options.output, *text) : text.status();
  }
  if (options.all)
    return options.output == "-"
               ? invalid("--all: found standard output, expected a folder for "
                         "one file of bytecode a kernel; say -o FOLDER")
               : writeFolder(*choices, options.output, ".mlirbc",
                             [](const ExtractChoice &choice) { return choice.code(); });
  Result<Bytes> code = choices->front().code();
  return code.ok() ? writeOutput(options.output, *code) : code.status();
}
