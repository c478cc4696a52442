// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verbs `hetrun drain` and `hetrun undrain`.

#ifndef HET_TOOLS_HETRUN_DRAINING_H
#define HET_TOOLS_HETRUN_DRAINING_H

#include <string>

namespace het {

/// Returns the exit status.
int runDraining(const std::string &device, bool drains);

} // namespace het

#endif // HET_TOOLS_HETRUN_DRAINING_H
