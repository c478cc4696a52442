// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verb `hetrun devices [--json] [-v] [PROGRAM...]`.

#ifndef HET_TOOLS_HETRUN_DEVICES_H
#define HET_TOOLS_HETRUN_DEVICES_H

#include <string>
#include <vector>

namespace het {

/// Runs the verb; `arguments` are those behind it. Returns the exit status.
int runDevices(const std::vector<std::string> &arguments);

} // namespace het

#endif // HET_TOOLS_HETRUN_DEVICES_H
