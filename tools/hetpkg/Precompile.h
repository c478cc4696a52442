// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetpkg precompile: lowers kernels ahead of time, without a device.

#ifndef HET_TOOLS_HETPKG_PRECOMPILE_H
#define HET_TOOLS_HETPKG_PRECOMPILE_H

#include "Input.h"

namespace het {

struct PrecompileOptions {
  std::vector<std::string> targets; ///< TARGET[:ARCH] each.
  bool movable = false;             ///< Also the forms that can be suspended.
  bool keepGoing = false; ///< Leave out what can not be lowered, with a warning.
  std::string output;     ///< A file, which may be the input, or "-".
};

/// Writes the input again, a package or a program, with artifacts of all its kernels for
/// all these targets.
Status precompile(const Input &input, const PrecompileOptions &options);

} // namespace het

#endif // HET_TOOLS_HETPKG_PRECOMPILE_H
