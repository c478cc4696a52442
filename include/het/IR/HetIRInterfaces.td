// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect's interfaces: what passes ask of operations, so that a new one says it
// in its definition and not in every pass.

#ifndef HET_IR_HETIRINTERFACES_TD
#define HET_IR_HETIRINTERFACES_TD

include "mlir/IR/OpBase.td"

def SyncPointOpInterface : OpInterface<"SyncPointOpInterface"> {
  let cppNamespace = "::het::ir";
  let description = [{
    An operation at which threads of a team, of a block or of the grid meet.
  }];
  let methods = [
    InterfaceMethod<
      "Which threads meet.",
      "::het::ir::SyncScope", "getSyncScope">,
    InterfaceMethod<
      "The lanes of a team that take part, as a mask; null where none are named.",
      "::mlir::Value", "getTeamMask", (ins), "", [{ return {}; }]>,
    InterfaceMethod<[{
        Whether it is a barrier that all threads of a block that have not ended
        pass at once, wherever they stand.
      }],
      "bool", "isWholeBarrier", (ins), "", [{ return false; }]>,
  ];
}

def UniformityOpInterface : OpInterface<"UniformityOpInterface"> {
  let cppNamespace = "::het::ir";
  let description = [{
    An operation whose results are uniform over other threads than its operands.
    Without it a result has the operands' greatest level if the operation has no
    effect on memory, and is divergent otherwise.
  }];
  let methods = [
    InterfaceMethod<
      "The level of a result, given the levels of the operands.",
      "::het::ir::Level", "inferResultLevel",
      (ins "unsigned":$result, "::llvm::ArrayRef<::het::ir::Level>":$operands)>,
  ];
}

#endif // HET_IR_HETIRINTERFACES_TD
