// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations by which a grid waits for the one before it, and lets the one behind it
// begin (programmatic dependent launch).

#ifndef HET_IR_HETIRDEPENDENCYOPS_TD
#define HET_IR_HETIRDEPENDENCYOPS_TD

include "het/IR/HetIRBase.td"

//===----------------------------------------------------------------------===//
// Dependencies between grids
//===----------------------------------------------------------------------===//

def HetIR_GridDependencyWaitOp : HetIR_SystemOp<"grid_dependency_wait"> {
  let summary = "wait for the grids that this one depends on";
  let description = [{
    Until the grids that this one depends on have ended; what they did to memory is
    visible then. Nothing, where the grid began after that, as all grids do whose
    launches do not say otherwise. A target may begin all grids so. Since 0.7.
  }];
  let assemblyFormat = "attr-dict";
}

def HetIR_GridDependencyTriggerOp : HetIR_SystemOp<"grid_dependency_trigger"> {
  let summary = "let grids begin that depend on this one";
  let description = [{
    Those whose launches say that they may begin before this grid has ended may do so
    when all of its blocks have come here or ended. A block comes here with the first of
    its threads. Nobody waits, and memory is not ordered. Since 0.7.
  }];
  let assemblyFormat = "attr-dict";
}

#endif // HET_IR_HETIRDEPENDENCYOPS_TD
