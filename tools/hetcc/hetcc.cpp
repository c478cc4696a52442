// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetcc: compiles CUDA source for every accelerator. See lib/Driver.

#include "het/Driver/Driver.h"

#include "llvm/Support/InitLLVM.h"
#include <csignal>

int main(int argc, char **argv) {
  llvm::InitLLVM setUp(argc, argv);
  std::signal(SIGCHLD, SIG_DFL); // who ignores it cannot wait for children
  return het::runDriver(argc, argv);
}
