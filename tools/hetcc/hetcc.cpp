// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetcc: compiles CUDA source for every accelerator. Under the name ptxas it is NVIDIA's
// assembler of PTX text. See lib/Driver.

#include "het/Driver/Driver.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include <csignal>

int main(int argc, char **argv) {
  llvm::InitLLVM setUp(argc, argv);
  std::signal(SIGCHLD, SIG_DFL); // who ignores it cannot wait for children
  const bool isAssembler = llvm::sys::path::stem(argv[0]) == "ptxas";
  return isAssembler ? het::runPtxAssembler(argc, argv) : het::runDriver(argc, argv);
}
