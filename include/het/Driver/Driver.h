// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The drivers of hetcc: take the command lines of nvcc and ptxas, and run the jobs that
// they ask for.

#ifndef HET_DRIVER_DRIVER_H
#define HET_DRIVER_DRIVER_H

namespace het {

/// Does what the command line asks for and returns the exit status. Messages
/// go to stderr in nvcc's form.
int runDriver(int argc, const char *const *argv);

/// The same with the command line of ptxas, for programs that have PTX text assembled:
/// the output is a package.
int runPtxAssembler(int argc, const char *const *argv);

} // namespace het

#endif // HET_DRIVER_DRIVER_H
