// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks a lowering plug-in how it lowers kernels.

#include "Explain.h"

namespace het {

std::string Explanation::text() const {
  if (!refused.empty())
    return "refused: " + refused;
  if (form.empty())
    return "one way for all kernels";
  return reason.empty() ? form : form + ", because " + reason;
}

Result<Explainer> Explainer::open(const std::string &name) {
  Result<NamedTarget> named = NamedTarget::open(name);
  if (!named.ok())
    return named.status();
  Explainer explainer;
  explainer.target = named->lowering;
  explainer.arch = named->arch.arch;
  explainer.label = name;
  return explainer;
}

Result<Explainer> Explainer::open(const std::string &target, const std::string &arch) {
  Result<std::shared_ptr<core::Target>> opened =
      core::Target::openForLowering(target, libraryFolder());
  if (!opened.ok())
    return opened.status();
  Explainer explainer;
  explainer.target = *opened;
  explainer.arch = arch;
  explainer.label = arch.empty() ? target : target + ":" + arch;
  return explainer;
}

Explanation Explainer::explain(const Package &package, uint32_t index,
                               const std::string &kernel) {
  Explanation result;
  Result<Bytes> code = package.kernelCode(index);
  if (!code.ok()) {
    result.refused = code.status().text();
    return result;
  }
  const std::string devicelib = devicelibPath();
  const HetLowerRequest request = {code->data(), code->size(), kernel.c_str(),
                                   arch.c_str(), "",           devicelib.c_str()};
  Result<HetExplanation> found = target->explain(request);
  if (!found.ok()) {
    result.refused = found.status().message;
    return result;
  }
  result.form = found->form;
  result.reason = found->reason;
  return result;
}

} // namespace het
