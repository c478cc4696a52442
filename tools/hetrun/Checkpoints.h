// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `hetrun resume FILE`: a checkpoint's kernels without their program.

#ifndef HET_TOOLS_HETRUN_CHECKPOINTS_H
#define HET_TOOLS_HETRUN_CHECKPOINTS_H

#include <string>

namespace het {

struct ResumeOptions {
  std::string file;   ///< Or the number of a process, which is not for runResume.
  std::string device; ///< Empty: none is given.
  std::string to;     ///< Empty: the final memory is not kept.
};

/// Returns the exit status.
int runResume(const ResumeOptions &options);

} // namespace het

#endif // HET_TOOLS_HETRUN_CHECKPOINTS_H
