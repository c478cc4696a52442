// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass over loops over lanes that contain loops.

#ifndef HET_LIB_TARGET_HOST_LOWERING_LANES_VECTORIZELANES_H
#define HET_LIB_TARGET_HOST_LOWERING_LANES_VECTORIZELANES_H

#include "llvm/IR/PassManager.h"

namespace het::host {

/// Where loops over lanes become vectors.
enum class LaneVectors { WhereFaster, Wherever };

/// Runs those loops for several lanes at a time, under masks: until none of the lanes is
/// left in a loop inside. Before LLVM's vectoriser, which takes innermost loops alone.
class VectorizeLanes : public llvm::PassInfoMixin<VectorizeLanes> {
public:
  explicit VectorizeLanes(LaneVectors choice) : choice(choice) {}
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &manager);

private:
  LaneVectors choice;
};

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_LOWERING_LANES_VECTORIZELANES_H
