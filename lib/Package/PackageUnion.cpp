// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the parts of a program together.

#include "het/Package/PackageUnion.h"

#include "Records.h"

using namespace het;

/// Whether two descriptions can be of one variable. What its initial value points to has
/// the same numbers only within one package.
static bool isSame(const VariableInfo &a, const VariableInfo &b) {
  return a.size == b.size && a.alignment == b.alignment && a.kind == b.kind &&
         a.initial == b.initial && a.relocations.size() == b.relocations.size();
}

Status PackageUnion::addVariables(const Package &part, Numbers &numbers) {
  Result<std::vector<VariableInfo>> list = part.variables();
  if (!list.ok())
    return list.status();
  std::vector<VariableInfo> added;
  for (VariableInfo &variable : *list) {
    const auto next = static_cast<uint32_t>(variables.size());
    auto [place, isNew] =
        variables.try_emplace(variable.name, Known{next, variable, part.origin()});
    const Known &known = place->second;
    numbers.push_back(known.index);
    if (!isSame(known.info, variable))
      return invalid(foundExpected("variable " + quoted(variable.name),
                                   "different ones in '" + known.origin + "' and in '" +
                                       part.origin() + "'",
                                   "the same", "define it alike, or rename one"));
    if (isNew)
      added.push_back(std::move(variable));
  }
  // Only now, since relocations lead forward as well.
  for (VariableInfo &variable : added) {
    for (Relocation &relocation : variable.relocations)
      relocation.variable = numbers[relocation.variable];
    Result<uint32_t> index = writer.addVariable(std::move(variable));
    if (!index.ok())
      return index.status().from(part.origin());
  }
  return Status::success();
}

Status PackageUnion::addKernels(const Package &part, const Numbers &numbers) {
  for (uint32_t i = 0; i < part.kernelCount(); ++i) {
    Result<KernelInfo> kernel = part.kernel(i);
    if (!kernel.ok())
      return kernel.status();
    if (!kernels.insert(kernel->name).second)
      continue;
    for (uint32_t &variable : kernel->variables)
      variable = numbers.at(variable);
    Result<Bytes> code = part.kernelCode(i);
    if (!code.ok())
      return code.status();
    if (Status status = writer.addKernel(kernel.take(), *code); !status.ok())
      return std::move(status).from(part.origin());
  }
  return Status::success();
}

Status PackageUnion::add(const Package &part) {
  Numbers numbers;
  if (Status status = addVariables(part, numbers); !status.ok())
    return status;
  return addKernels(part, numbers);
}
