// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Package::verify: every section and every cross reference, also those that no
// ordinary use would touch.

#include "het/Package/Package.h"

#include "Format.h"
#include "Records.h"
#include "het/Package/RelocatableCode.h"
#include "het/Package/Signatures.h"

#include <set>

using namespace het;
using namespace het::format;

/// The index finds every kernel by its name, and names rise.
Status Package::verifyLookup(const std::vector<KernelInfo> &all) const {
  for (uint32_t i = 0; i < all.size(); ++i) {
    uint32_t section = firstPage + i / kernelsPerPage;
    if (i > 0 && all[i].name <= all[i - 1].name)
      return sections.damaged(section, "kernel names: found " + quoted(all[i].name) +
                                           " after " + quoted(all[i - 1].name) +
                                           ", expected rising names");
    Result<uint32_t> found = findKernel(all[i].name);
    if (!found.ok() || *found != i)
      return sections.damaged(0, "look-up of kernel " + quoted(all[i].name) + ": found " +
                                     (found.ok() ? std::to_string(*found) : "nothing") +
                                     ", expected " + std::to_string(i));
  }
  return Status::success();
}

Status Package::verify(const ProgressFunction &progress) const {
  if (Status status = sections.verify(progress); !status.ok())
    return status;
  if (Status status = readSignatures(sections).status(); !status.ok())
    return status;
  Result<std::vector<KernelInfo>> all = kernels();
  if (!all.ok())
    return all.status();
  if (Status status = verifyLookup(*all); !status.ok())
    return status;
  if (Status status = verifyArtifacts(*this, *all); !status.ok())
    return status;
  if (Status status = findRelocatableCode(sections).status(); !status.ok())
    return status;
  Result<std::vector<VariableInfo>> list = variables();
  if (!list.ok())
    return list.status();
  std::set<std::string_view> names;
  for (const VariableInfo &variable : *list)
    if (variable.external && !names.insert(variable.name).second)
      return sections.damaged(variableSection, "name " + quoted(variable.name) +
                                                   ": found twice, expected once");
  return Status::success();
}
