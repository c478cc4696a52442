// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver of hetcc: takes nvcc's command line and runs the jobs that it asks for.

#ifndef HET_DRIVER_DRIVER_H
#define HET_DRIVER_DRIVER_H

namespace het {

/// Does what the command line asks for and returns the exit status. Messages
/// go to stderr in nvcc's form.
int runDriver(int argc, const char *const *argv);

} // namespace het

#endif // HET_DRIVER_DRIVER_H
