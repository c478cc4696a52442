// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a target lowers kernels, by its lowering plug-in's word; no device is needed.

#ifndef HET_TOOLS_HETPKG_EXPLAIN_H
#define HET_TOOLS_HETPKG_EXPLAIN_H

#include "NamedTarget.h"
#include "het/Package/Package.h"

namespace het {

/// Report on one kernel.
struct Explanation {
  std::string form;    ///< Empty where the target has one way, or refuses the kernel.
  std::string reason;  ///< Why it is not a better one.
  std::string refused; ///< Why the kernel can not be lowered; else empty.

  /// In one line.
  std::string text() const;
};

/// A lowering and the architecture to ask it for.
class Explainer {
public:
  /// `name`: TARGET or TARGET:ARCH, as of hetpkg's --for.
  static Result<Explainer> open(const std::string &name);
  /// For a device that has told its architecture.
  static Result<Explainer> open(const std::string &target, const std::string &arch);

  const std::string &name() const { return label; }
  /// Explains a kernel of a package that has been verified.
  Explanation explain(const Package &package, uint32_t index, const std::string &kernel);

private:
  std::shared_ptr<core::Target> target;
  std::string arch, label;
};

} // namespace het

#endif // HET_TOOLS_HETPKG_EXPLAIN_H
