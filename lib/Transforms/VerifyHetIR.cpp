// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the verifier of hetIR modules as a pass.

#include "het/Transforms/Passes.h"

namespace het::transforms {
#define GEN_PASS_DEF_VERIFYHETIR
#include "het/Transforms/Passes.h.inc"
} // namespace het::transforms

namespace {
struct VerifyHetIR : het::transforms::impl::VerifyHetIRBase<VerifyHetIR> {
  void runOnOperation() override {
    if (failed(het::ir::verifyHetIR(getOperation())))
      signalPassFailure();
  }
};
} // namespace
