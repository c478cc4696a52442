// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module verifier as a pass.

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
