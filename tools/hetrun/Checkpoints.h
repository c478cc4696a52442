// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `hetrun resume FILE`: a checkpoint's kernels without their program.

#ifndef HET_TOOLS_HETRUN_CHECKPOINTS_H
#define HET_TOOLS_HETRUN_CHECKPOINTS_H

#include <string>
#include <vector>

namespace het {

/// Returns the exit status.
int runResume(const std::vector<std::string> &arguments);

} // namespace het

#endif // HET_TOOLS_HETRUN_CHECKPOINTS_H
