// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations by which a lane waits for its asynchronous copies. The copies themselves
// are stores that may be done later (docs/spec/hetir.md).

#ifndef HET_IR_HETIRCOPYOPS_TD
#define HET_IR_HETIRCOPYOPS_TD

include "het/IR/HetIRBase.td"

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

def HetIR_CopyGroupOp : HetIR_SystemOp<"copy_group"> {
  let summary = "make a group of asynchronous copies";
  let description = [{
    The lane's asynchronous copies (docs/spec/hetir.md) that are in no group yet become
    one. Since 0.6. Nobody waits.
  }];
  let assemblyFormat = "attr-dict";
}

def HetIR_CopyWaitOp : HetIR_SystemOp<"copy_wait"> {
  let summary = "wait for asynchronous copies";
  let description = [{
    Until the lane's asynchronous copies are done: all of them, or with `pending` those
    of all groups but so many of the latest. Since 0.6. The lane sees then what they
    copied; others do behind a barrier.
  }];
  let arguments = (ins OptionalAttr<ConfinedAttr<I32Attr, [IntNonNegative]>>:$pending);
  let assemblyFormat = "($pending^)? attr-dict";
}

#endif // HET_IR_HETIRCOPYOPS_TD
