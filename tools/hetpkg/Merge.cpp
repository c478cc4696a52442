// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetpkg merge: one package out of several.

#include "Merger.h"
#include "Verbs.h"

#include <algorithm>

using namespace het;

Status Merger::addVariables(const InputPackage &input) {
  const std::string &origin = input.package.origin();
  for (VariableInfo variable : input.variables) {
    if (variable.external) {
      auto [place, isNew] = variableOrigins.try_emplace(variable.name, origin);
      if (!isNew)
        return invalid(foundExpected(
            "variable '" + variable.name + "'",
            "one in '" + place->second + "' and one in '" + origin + "'",
            "one in all files",
            "make it static under another name, or leave the packages apart"));
    }
    for (Relocation &relocation : variable.relocations)
      relocation.variable += variableBase;
    Result<uint32_t> index = writer.addVariable(std::move(variable));
    if (!index.ok())
      return index.status().from(origin);
  }
  return Status::success();
}

/// Whether two records say the same, apart from where their hetIR stands.
static bool sameInterface(const KernelInfo &a, const KernelInfo &b) {
  bool sameParameters = std::equal(
      a.parameters.begin(), a.parameters.end(), b.parameters.begin(), b.parameters.end(),
      [](const Parameter &x, const Parameter &y) {
        return x.offset == y.offset && x.size == y.size && x.alignment == y.alignment;
      });
  return sameParameters && a.staticSharedBytes == b.staticSharedBytes &&
         a.dynamicShared == b.dynamicShared &&
         a.maxThreadsPerBlock == b.maxThreadsPerBlock &&
         a.minBlocksPerMultiprocessor == b.minBlocksPerMultiprocessor &&
         a.cooperative == b.cooperative && a.capabilities == b.capabilities;
}

Status Merger::checkDuplicate(const Seen &before, const InputPackage &input,
                              uint32_t index) const {
  const KernelInfo &first = before.input->kernels[before.kernel];
  const KernelInfo &second = input.kernels[index];
  std::string what = "kernel '" + second.name + "'";
  std::string files =
      " in '" + before.origin + "' and in '" + input.package.origin() + "'";
  Result<Bytes> a = before.input->package.kernelCode(before.kernel);
  Result<Bytes> b = input.package.kernelCode(index);
  if (!a.ok() || !b.ok())
    return a.ok() ? b.status() : a.status();
  if (*a != *b || !sameInterface(first, second))
    return invalid(foundExpected(what,
                                 "different code" + files + " (SHA-256 " +
                                     hex(sha256(*a)) + " and " + hex(sha256(*b)) + ")",
                                 "the same", "rename one, or leave the packages apart"));
  if (!first.variables.empty() || !second.variables.empty())
    return invalid(foundExpected(what, "two with variables of their own," + files, "one",
                                 "rename one, or leave the packages apart"));
  return Status::success();
}

Status Merger::addKernel(const InputPackage &input, uint32_t index) {
  KernelInfo info = input.kernels[index];
  const std::string &origin = input.package.origin();
  auto [place, isNew] = kernels.try_emplace(info.name, Seen{origin, &input, index});
  if (!isNew)
    return checkDuplicate(place->second, input, index);
  for (uint32_t &variable : info.variables)
    variable += variableBase;
  Result<Bytes> code = input.package.kernelCode(index);
  if (!code.ok())
    return code.status();
  return writer.addKernel(std::move(info), *code).from(origin);
}

/// A kernel that came with an earlier input has the same code, and so the same artifacts.
Status Merger::addArtifacts(const InputPackage &input, const Filter &keeps) {
  for (const PackageLowering &lowering : input.lowerings) {
    if (!keeps(lowering.kind))
      continue;
    for (const ArtifactEntry &entry : lowering.entries) {
      Result<Bytes> artifact = input.package.artifact(entry);
      if (!artifact.ok())
        return artifact.status();
      if (Status status = writer.addArtifact(lowering.kind,
                                             input.kernels[entry.kernel].name, *artifact);
          !status.ok())
        return std::move(status).from(input.package.origin());
    }
  }
  return Status::success();
}

Status Merger::add(const InputPackage &input, const Filter &keeps) {
  if (input.relocatable)
    return invalid(foundExpected("package", "one for a device link", "one that is whole",
                                 "link it with hetcc -dlink first"),
                   input.package.origin());
  if (Status status = addVariables(input); !status.ok())
    return status;
  for (uint32_t i = 0; i < input.kernels.size(); ++i)
    if (Status status = addKernel(input, i); !status.ok())
      return status;
  if (input.package.table().holdsSignatures()) // the new one can lie in a program as well
    writer.reserveSignatures();
  variableBase += static_cast<uint32_t>(input.variables.size());
  Result<std::vector<Bytes>> debugInfo = input.package.debugInfo();
  if (!debugInfo.ok())
    return debugInfo.status();
  for (const Bytes &one : *debugInfo)
    writer.addDebugInfo(one);
  return addArtifacts(input, keeps);
}

/// The producer that all inputs name, else this tool.
static std::string commonProducer(const std::vector<Input> &inputs) {
  std::string producer = inputs.front().packages.front().package.producer();
  for (const Input &input : inputs)
    for (const InputPackage &one : input.packages)
      if (one.package.producer() != producer)
        return "hetpkg " HET_VERSION;
  return producer;
}

Result<Bytes> het::merge(const std::vector<Input> &inputs, bool stripsArtifacts) {
  Merger merger(commonProducer(inputs));
  auto keeps = [&](const ArtifactKind &) { return !stripsArtifacts; };
  for (const Input &input : inputs)
    for (const InputPackage &one : input.packages)
      if (Status status = merger.add(one, keeps); !status.ok())
        return status;
  return merger.finish();
}
