// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verbs `hetrun drain` and `hetrun undrain`.

#ifndef HET_TOOLS_HETRUN_DRAINING_H
#define HET_TOOLS_HETRUN_DRAINING_H

#include <string>
#include <vector>

namespace het {

int runDraining(const std::string &verb, const std::vector<std::string> &arguments);

} // namespace het

#endif // HET_TOOLS_HETRUN_DRAINING_H
