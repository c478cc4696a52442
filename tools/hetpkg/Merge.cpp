// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetpkg merge: one package out of several.
//
// A variable belongs to the file that was compiled with it: two files that each
// have their own `counter` mean two variables. A package has one variable for
// each name that the host knows, so such files cannot be merged; nor can
// kernels of one name unless they are the same to the bit and touch no
// variables.

#include "Verbs.h"
#include "het/Package/PackageWriter.h"

#include <algorithm>
#include <map>

using namespace het;

namespace {

class Merger {
public:
  explicit Merger(std::string producer) : writer(std::move(producer)) {}

  Status add(const InputPackage &input);
  Result<Bytes> finish() { return writer.finish(); }

private:
  struct Seen {
    std::string origin;
    const InputPackage *input;
    uint32_t kernel;
  };

  Status addVariables(const InputPackage &input);
  Status addKernel(const InputPackage &input, uint32_t index);
  Status checkDuplicate(const Seen &before, const InputPackage &input,
                        uint32_t index) const;

  PackageWriter writer;
  uint32_t variableBase = 0; ///< Start of the current input's indices.
  std::map<std::string, std::string> variableOrigins;
  std::map<std::string, Seen> kernels;
};

} // namespace

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
         a.cooperative == b.cooperative;
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

Status Merger::add(const InputPackage &input) {
  if (Status status = addVariables(input); !status.ok())
    return status;
  for (uint32_t i = 0; i < input.kernels.size(); ++i)
    if (Status status = addKernel(input, i); !status.ok())
      return status;
  variableBase += static_cast<uint32_t>(input.variables.size());
  Result<std::vector<Bytes>> debugInfo = input.package.debugInfo();
  if (!debugInfo.ok())
    return debugInfo.status();
  for (const Bytes &one : *debugInfo)
    writer.addDebugInfo(one);
  return Status::success();
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

Result<Bytes> het::merge(const std::vector<Input> &inputs) {
  Merger merger(commonProducer(inputs));
  for (const Input &input : inputs)
    for (const InputPackage &one : input.packages)
      if (Status status = merger.add(one); !status.ok())
        return status;
  return merger.finish();
}
