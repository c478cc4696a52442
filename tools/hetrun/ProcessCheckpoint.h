// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetrun checkpoint PID FOLDER, and restore: the program itself, with its devices, by
// CRIU.

#ifndef HET_TOOLS_HETRUN_PROCESSCHECKPOINT_H
#define HET_TOOLS_HETRUN_PROCESSCHECKPOINT_H

#include <string>
#include <sys/types.h>

namespace het {

/// Whether a checkpoint is to be of the process, and not of its device alone.
bool isFolder(const std::string &path);

/// Both return the exit status. `device`: where it goes on; empty: on the host.
int saveProcess(pid_t process, const std::string &folder);
int runRestore(const std::string &folder, const std::string &device);

} // namespace het

#endif // HET_TOOLS_HETRUN_PROCESSCHECKPOINT_H
