// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that run: `hetrun ps`, `move`, `pause`, `resume` and `checkpoint`.

#ifndef HET_TOOLS_HETRUN_RUNNING_H
#define HET_TOOLS_HETRUN_RUNNING_H

#include <string>
#include <vector>

namespace het {

/// Whether a verb with these arguments is one of them.
bool isForRunning(const std::string &verb, const std::vector<std::string> &arguments);

/// Runs it. Returns the exit status.
int runForRunning(const std::string &verb, const std::vector<std::string> &arguments);

} // namespace het

#endif // HET_TOOLS_HETRUN_RUNNING_H
