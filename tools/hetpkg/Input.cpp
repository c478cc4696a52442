// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding and verifying the packages of a file.

#include "Input.h"

#include "het/Base/File.h"
#include "het/Package/Embedded.h"

#include <filesystem>

using namespace het;

/// Opens, verifies and decodes one package.
static Result<InputPackage> loadPackage(ByteView bytes, uint64_t offset,
                                        const std::string &origin) {
  Result<Package> package = Package::open(bytes, origin);
  if (!package.ok())
    return package.status();
  if (Status status = package->verify(); !status.ok())
    return status;
  Result<std::vector<KernelInfo>> kernels = package->kernels();
  if (!kernels.ok())
    return kernels.status();
  Result<std::vector<VariableInfo>> variables = package->variables();
  if (!variables.ok())
    return variables.status();
  Result<std::vector<PackageLowering>> lowerings = package->lowerings();
  if (!lowerings.ok())
    return lowerings.status();
  return InputPackage{*package,         offset,           kernels.take(),
                      variables.take(), lowerings.take(), false};
}

static Status addPackage(Input &input, ByteView bytes, uint64_t offset,
                         const std::string &origin) {
  Result<InputPackage> package = loadPackage(bytes, offset, origin);
  if (!package.ok())
    return package.status();
  input.packages.push_back(package.take());
  return Status::success();
}

/// The package that a program refers to, in the program's folder.
static Status addReference(Input &input, const std::string &name) {
  std::filesystem::path path = std::filesystem::path(input.path).replace_filename(name);
  Result<Bytes> bytes = readFile(path.string());
  if (!bytes.ok())
    return unavailable("its package '" + name +
                           "' should lie beside it: " + bytes.status().message +
                           "; put it there, or name the package itself",
                       input.path);
  Status status = addPackage(input, input.keep(bytes.take()), 0, path.string());
  if (status.ok())
    input.packages.back().isBeside = true;
  return status;
}

static Status addEmbedded(Input &input, ByteView file) {
  input.embedded = true;
  EmbeddedPackages found = findPackages(file, input.path);
  if (!found.damaged.empty())
    return found.damaged.front();
  for (const EmbeddedPackage &one : found.packages) {
    std::string origin = input.path + " at offset " + std::to_string(one.offset);
    if (Status status = addPackage(input, one.bytes, one.offset, origin); !status.ok())
      return status;
  }
  for (const std::string &name : found.references)
    if (Status status = addReference(input, name); !status.ok())
      return status;
  if (input.packages.empty())
    return invalid(foundExpected("package", "none in this file",
                                 "a .hetpkg, or a program or object with one "
                                 "inside",
                                 "check that it was built by hetcc"),
                   input.path);
  return Status::success();
}

Result<Input> het::loadInput(const std::string &path) {
  Result<Bytes> bytes = readFile(path);
  if (!bytes.ok())
    return bytes.status();
  Input input;
  input.path = path;
  ByteView file = input.keep(bytes.take());
  Status status = Package::hasMagic(file) ? addPackage(input, file, 0, path)
                                          : addEmbedded(input, file);
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
