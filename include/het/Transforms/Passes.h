// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the passes over hetIR, which Passes.td describes.

#ifndef HET_TRANSFORMS_PASSES_H
#define HET_TRANSFORMS_PASSES_H

#include "het/IR/Module.h"
#include "mlir/Pass/Pass.h"

namespace het::transforms {

/// An interval of InsertSafePoints: there are no polls, so blocks that have begun run to
/// their ends, where none waits for another.
constexpr unsigned noPolls = ~0u;

#define GEN_PASS_DECL
#include "het/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "het/Transforms/Passes.h.inc"

} // namespace het::transforms

#endif // HET_TRANSFORMS_PASSES_H
