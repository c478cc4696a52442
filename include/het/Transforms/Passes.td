// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes over hetIR. A pass has one stem in four places: its file, its
// definition here, its flag and its test.

#ifndef HET_TRANSFORMS_PASSES
#define HET_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

class HetPollOption
    : Option<"pollInterval", "poll-interval", "unsigned", "8192",
             "How much work there is between polls, in about simple operations; "
             "4294967295: there are none">;

def InsertSafePoints : Pass<"hetir-insert-safe-points", "::mlir::ModuleOp"> {
  let summary = "Put safe points at a kernel's entry and before its sync points";
  let description = [{
    Routes every value that lives across a sync point through a `hetir.safe_point`
    before it, but for those that can be recomputed. Safe points of an earlier run
    are replaced.
  }];
  let options = [
    Option<"teamOps", "team-ops", "bool", "false",
           "Also before team operations (for machines without teams)">,
    Option<"uniformLoops", "uniform-loops", "bool", "false",
           "Also in headers and at exits of loops that a block runs together">,
    Option<"parkable", "parkable", "bool", "false",
           "All of these, and polls in loops: the same points for every target">,
    HetPollOption<>,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::het::ir::HetIRDialect"];
}

def VoteOnLoops : Pass<"hetir-vote-on-loops", "::mlir::ModuleOp"> {
  let summary = "Let threads that have left a loop wait until all have";
  let description = [{
    For loops that would be polled, that a block's threads enter together and leave apart,
    and behind which nobody waits for another: who leaves votes by a reducing barrier, and
    goes on when no thread is left. `hetir-insert-safe-points=parkable` does this, and lets
    those that are in the loop vote at each poll.
  }];
  let options = [HetPollOption<>];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::het::ir::HetIRDialect"];
}

def StripMineLoops : Pass<"hetir-strip-mine-loops", "::mlir::ModuleOp"> {
  let summary = "Cut loops into strips, with a poll between two";
  let description = [{
    Each poll gets a safe point that carries nothing yet. Where threads poll one by one,
    `hetir.strip` marks what a form without strips has to take back.
    `hetir-insert-safe-points=parkable` does this, and routes the values that live there.
  }];
  let options = [HetPollOption<>];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::het::ir::HetIRDialect"];
}

def EncodeAddresses : Pass<"hetir-encode-addresses", "::mlir::ModuleOp"> {
  let summary = "Let safe points carry addresses of the kernel's objects as distances";
  let description = [{
    An address of a local or shared object, of a constant or of an argument in memory is
    another number on each device. Before a safe point it becomes its distance from the
    object (i64), behind it an address again. Fails where an address may be that of several
    objects. `hetir-insert-safe-points=parkable` does this.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::het::ir::HetIRDialect"];
}

def InsertLoopPoints : Pass<"hetir-insert-loop-points", "::mlir::ModuleOp"> {
  let summary = "Add safe points to loops that a block goes round together";
  let description = [{
    At headers and exits that have none yet, marked `hetir.additional`: nobody is parked
    there. Their ids and slots follow those that are there. `hetir-form-segments` does this
    for the form of a parkable kernel whose control is uniform.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::het::ir::HetIRDialect"];
}

def InsertJoinPoints : Pass<"hetir-insert-join-points", "::mlir::ModuleOp"> {
  let summary = "Add safe points where ways from many safe points meet";
  let description = [{
    Only in kernels that forms with a parallel region for each point would have many copies
    of. The points are as those of `hetir-insert-loop-points`. `hetir-form-segments` does
    this itself.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::het::ir::HetIRDialect"];
}

def FormSegments : Pass<"hetir-form-segments", "::mlir::ModuleOp"> {
  let summary = "Cut kernels at their safe points, for machines without SIMT";
  let options = [
    Option<"schedule", "schedule", "bool", "false",
           "Use the scheduled form also where control is uniform">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::het::ir::HetIRDialect"];
}

def FormParkable : Pass<"hetir-form-parkable", "::mlir::ModuleOp"> {
  let summary = "Make kernels ones that are parked and gone on with, for machines with SIMT";
  let description = [{
    Kernels take one more argument, a `HetSuspendRecord` (het/DeviceABI/SuspendRecord.h),
    and have no safe points any more. `hetir.frame` says how many bytes of state a thread
    and the static shared objects have, `hetir.layout` how a state is laid out. A kernel
    that can not be parked inside only gets a check at its entry, and `hetir.unparkable`
    says why.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::het::ir::HetIRDialect"];
}

def FuseMultiplyAdd : Pass<"hetir-fuse-multiply-add", "::mlir::ModuleOp"> {
  let summary = "Fuse multiplies and adds where contraction is allowed";
  let description = [{
    Once, here, so that every device rounds alike: `a * b + c`, `a * b - c` and
    `c - a * b` whose operations carry `contract` become `llvm.intr.fma`;
    `llvm.intr.fmuladd` always does. Afterwards nothing carries `contract`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def FlushSubnormals : Pass<"hetir-flush-subnormals", "::mlir::ModuleOp"> {
  let summary = "Flush subnormal operands and results of float arithmetic";
  let description = [{
    nvcc's `-ftz=true`, in plain operations. Runs once, after multiply-adds have
    been fused.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def AnnotateUniformity : Pass<"hetir-analyze-uniformity", "::mlir::ModuleOp"> {
  let summary = "Write each value's and each branch's uniformity level into the IR";
  let dependentDialects = ["::het::ir::HetIRDialect"];
}

def VerifyHetIR : Pass<"hetir-verify", "::mlir::ModuleOp"> {
  let summary = "Check that a module is hetIR";
}

#endif // HET_TRANSFORMS_PASSES
