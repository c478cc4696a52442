// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One part of the host's lowering, for FileCheck: host-pass NAME FILE. `convert` takes
// hetIR with one kernel, which has been cut into segments, all others LLVM IR.

#include "../PassTool.h"
#include "Host/Lowering/ConvertToHost.h"
#include "Host/Lowering/Lanes/VectorizeLanes.h"
#include "Host/Lowering/Passes.h"
#include "llvm/Support/TargetSelect.h"

using namespace het::host;

/// For a machine that has vectors of 512 bits.
static llvm::Error vectorizeLanes(llvm::Module &module, LaneVectors choice) {
  het::target::initialiseBackEnd<llvm::InitializeNativeTarget,
                                 llvm::InitializeNativeTargetAsmPrinter>();
  auto machine =
      het::target::createTargetMachine({"x86_64-unknown-linux-gnu", "x86-64-v4", ""});
  if (!machine)
    return machine.takeError();
  setFunctionAttributes(module, **machine, "");
  llvm::FunctionPassManager passes;
  passes.addPass(VectorizeLanes(choice));
  het::target::runOnFunctions(module, **machine, std::move(passes));
  return llvm::Error::success();
}

static llvm::Error run(llvm::StringRef name, llvm::Module &module) {
  if (name == "shared-atomics")
    return lowerSharedAtomics(module), llvm::Error::success();
  if (name == "segments-apart")
    return keepSegmentsApart(module), llvm::Error::success();
  if (name == "share-segments")
    return shareSegments(module), llvm::Error::success();
  if (name == "vectorize-lanes")
    return vectorizeLanes(module, LaneVectors::WhereFaster);
  if (name == "vectorize-all-lanes")
    return vectorizeLanes(module, LaneVectors::Wherever);
  return llvm::createStringError("there is no pass '%s'", name.str().c_str());
}

int main(int argc, char **argv) {
  return het::target::runPassTool(argc, argv, convertToHost, run);
}
