// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding and verifying the packages of a file.

#include "Input.h"

#include "het/Base/File.h"
#include "het/Base/ProgressBar.h"
#include "het/Package/Embedded.h"
#include "het/Package/PackageText.h"

#include <filesystem>
#include <unistd.h>

using namespace het;

/// Opens, verifies and decodes one package.
static Result<InputPackage> loadPackage(ByteView bytes, uint64_t offset,
                                        const std::string &origin,
                                        const Package::Gate &gate) {
  Result<Package> package = Package::open(bytes, origin, gate);
  if (!package.ok())
    return package.status();
  ProgressBar bar(origin, STDERR_FILENO);
  Status verified =
      package->verify([&](uint64_t done, uint64_t total) { bar.update(done, total); });
  if (!verified.ok())
    return verified;
  Result<std::vector<KernelInfo>> kernels = package->kernels();
  if (!kernels.ok())
    return kernels.status();
  Result<std::vector<VariableInfo>> variables = package->variables();
  if (!variables.ok())
    return variables.status();
  Result<std::vector<PackageLowering>> lowerings = package->lowerings();
  if (!lowerings.ok())
    return lowerings.status();
  Result<std::optional<RelocatableCode>> relocatable =
      findRelocatableCode(package->table());
  if (!relocatable.ok())
    return relocatable.status();
  return InputPackage{
      *package,           offset, kernels.take(), variables.take(), lowerings.take(),
      relocatable.take(), false};
}

static Status addPackage(Input &input, ByteView bytes, uint64_t offset,
                         const std::string &origin, const Package::Gate &gate) {
  Result<InputPackage> package = loadPackage(bytes, offset, origin, gate);
  if (!package.ok())
    return package.status();
  input.packages.push_back(package.take());
  return Status::success();
}

/// The package that a program refers to, in the program's folder.
static Status addReference(Input &input, const std::string &name,
                           const Package::Gate &gate) {
  std::filesystem::path path = std::filesystem::path(input.path).replace_filename(name);
  Result<Bytes> bytes = readFile(path.string());
  if (!bytes.ok())
    return unavailable("its package '" + name +
                           "' should lie beside it: " + bytes.status().message +
                           "; put it there, or name the package itself",
                       input.path);
  Status status = addPackage(input, input.keep(bytes.take()), 0, path.string(), gate);
  if (status.ok())
    input.packages.back().isBeside = true;
  return status;
}

static Status addEmbedded(Input &input, ByteView file, const Package::Gate &gate) {
  input.embedded = true;
  EmbeddedPackages found = findPackages(file, input.path);
  if (!found.damaged.empty())
    return found.damaged.front();
  for (const EmbeddedPackage &one : found.packages) {
    std::string origin = input.path + " at offset " + std::to_string(one.offset);
    if (Status status = addPackage(input, one.bytes, one.offset, origin, gate);
        !status.ok())
      return status;
  }
  for (const std::string &name : found.references)
    if (Status status = addReference(input, name, gate); !status.ok())
      return status;
  if (input.packages.empty())
    return invalid(foundExpected("package", "none in this file",
                                 "a .hetpkg, or a program or object with one "
                                 "inside",
                                 "check that it was built by hetcc"),
                   input.path);
  return Status::success();
}

/// The package in a text that hetcc wrote (-ptx).
static Status addText(Input &input, std::string_view text, const Package::Gate &gate) {
  Result<Bytes> package = readPackageText(text, input.path);
  if (!package.ok())
    return package.status();
  return addPackage(input, input.keep(package.take()), 0, input.path, gate);
}

Result<Input> het::loadInput(const std::string &path, const Package::Gate &gate) {
  Result<Bytes> bytes = readFile(path);
  if (!bytes.ok())
    return bytes.status();
  Input input;
  input.path = path;
  ByteView file = input.keep(bytes.take());
  const std::string_view text(reinterpret_cast<const char *>(file.data), file.size);
  const bool isText = text.substr(0, 2) == "//" && holdsPackage(text);
  Status status = Package::hasMagic(file) ? addPackage(input, file, 0, path, gate)
                  : isText                ? addText(input, text, gate)
                                          : addEmbedded(input, file, gate);
  if (!status.ok())
    return status;
  return input;
}

Result<std::vector<Input>> het::loadInputs(const std::vector<std::string> &paths) {
  std::vector<Input> inputs;
  for (const std::string &path : paths) {
    Result<Input> input = loadInput(path);
    if (!input.ok())
      return input.status();
    inputs.push_back(input.take());
  }
  return inputs;
}
