// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes over hetIR (Passes.td).

#ifndef HET_TRANSFORMS_PASSES_H
#define HET_TRANSFORMS_PASSES_H

#include "het/IR/Module.h"
#include "mlir/Pass/Pass.h"

namespace het::transforms {

#define GEN_PASS_DECL
#include "het/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "het/Transforms/Passes.h.inc"

} // namespace het::transforms

#endif // HET_TRANSFORMS_PASSES_H
