// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One part of the host's lowering, for FileCheck: host-pass NAME FILE. `convert` takes
// hetIR with one kernel, which has been cut into segments, all others LLVM IR.

#include "../PassTool.h"
#include "Host/Lowering/ConvertToHost.h"
#include "Host/Lowering/Passes.h"

using namespace het::host;

static llvm::Error run(llvm::StringRef name, llvm::Module &module) {
  if (name == "shared-atomics")
    return lowerSharedAtomics(module), llvm::Error::success();
  if (name == "segments-apart")
    return keepSegmentsApart(module), llvm::Error::success();
  if (name == "share-segments")
    return shareSegments(module), llvm::Error::success();
  return llvm::createStringError("there is no pass '%s'", name.str().c_str());
}

int main(int argc, char **argv) {
  return het::target::runPassTool(argc, argv, convertToHost, run);
}
