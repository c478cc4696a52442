// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of the hetir dialect. The descriptions are normative: they
// become docs/spec/hetir-ops.md. "Takes part" says which threads of the kernel
// an operation concerns, and therefore what must be true of control flow there.

#ifndef HET_IR_HETIROPS_TD
#define HET_IR_HETIROPS_TD

include "het/IR/HetIRBase.td"

//===----------------------------------------------------------------------===//
// Position
//===----------------------------------------------------------------------===//

def HetIR_ThreadIdOp : HetIR_DimPositionOp<"thread_id", "Divergent"> {
  let summary = "index of the thread in its block";
  let description = [{
    0 ≤ result < block_dim of the same dimension. Divergent. Each thread has its
    own value, so the operation may be moved and repeated within one thread.
  }];
}

def HetIR_BlockIdOp : HetIR_DimPositionOp<"block_id", "Block"> {
  let summary = "index of the block in the grid";
  let description = "0 ≤ result < grid_dim of the same dimension. Uniform over a block.";
}

def HetIR_BlockDimOp : HetIR_DimPositionOp<"block_dim", "Grid"> {
  let summary = "number of threads of a block in one dimension";
  let description = "At least 1. Uniform over the grid.";
}

def HetIR_GridDimOp : HetIR_DimPositionOp<"grid_dim", "Grid"> {
  let summary = "number of blocks of the grid in one dimension";
  let description = "At least 1. Uniform over the grid.";
}

def HetIR_LaneIdOp : HetIR_PlainPositionOp<"lane_id", "Divergent"> {
  let summary = "index of the thread in its team";
  let description = [{
    The linear index of the thread in its block, x fastest, modulo team_size.
    Divergent.
  }];
}

def HetIR_TeamIdOp : HetIR_PlainPositionOp<"team_id", "Team"> {
  let summary = "index of the team in its block";
  let description = [{
    The linear index of the thread in its block, x fastest, divided by
    team_size. Uniform over a team. The last team of a block may be partial: its
    missing lanes never run.
  }];
}

def HetIR_TeamSizeOp : HetIR_PlainPositionOp<"team_size", "Grid"> {
  let summary = "number of lanes of a team";
  let description = "32 for every module made from CUDA, on every device. Uniform over the grid.";
}

def HetIR_CooperativeOp : HetIR_PlainPositionOp<"cooperative", "Grid"> {
  let summary = "whether the launch is cooperative";
  let description = [{
    1 if all blocks of the launch are under way at once and may meet at a
    `hetir.grid_barrier`, else 0. Uniform over the grid, and the same on every
    device that a launch moves to.
  }];
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

def HetIR_BarrierOp : HetIR_OrderOp<"barrier", "Block"> {
  let summary = "block barrier";
  let description = [{
    Takes part: without `count`, every thread of the block that has not ended;
    with `count`, the next `count` threads (a multiple of team_size) that arrive
    at barrier `id`, counted by whole teams. A thread goes on when all of them
    have arrived. What they did to memory before it (every address space) is
    visible to them after it. Threads may arrive at different operations of the
    same `id`. `id` is 0 to 15.

    A team arrives when all its threads that have not ended stand at barrier
    `id`, and counts as team_size threads, however many it has. A `count` of as
    many threads as the block's teams have means the same as none. A thread that
    ends counts as arrived from then on, but with another `count`, where nobody
    can say for which barrier: there a team that has ended is still missing.

    Not defined: a `count` that is 0 or no multiple of team_size, and threads
    that meet at one barrier with different counts.

    The arrival need not be uniform control flow; a barrier that some threads of
    the block never reach and never end before is a deadlock. A target reports
    that, and what is not defined, where it can. With the attribute
    `hetir.aligned` the threads of a team that have not ended come to the
    operation together.
  }];
  let arguments = (ins DefaultValuedAttr<I32Attr, "0">:$id,
                       Optional<I32>:$count);
  let assemblyFormat = "(`id` $id^)? (`count` $count^)? attr-dict";
  let extraClassDeclaration = scopeMethod # [{
    bool isWholeBarrier() { return getId() == 0 && !getCount(); }
  }];
  let hasVerifier = 1;
}

def HetIR_NamedBarrierOp : HetIR_OrderOp<"named_barrier", "Block"> {
  let summary = "block barrier whose number is a value";
  let description = [{
    As `hetir.barrier`, at the barrier that `id` says, which is the same for all
    threads of a team. An `id` above 15 is not defined.
  }];
  let arguments = (ins I32:$id, Optional<I32>:$count);
  let assemblyFormat = "$id (`count` $count^)? attr-dict";
}

def HetIR_BarrierArriveOp : HetIR_OrderOp<"barrier_arrive", "Block"> {
  let summary = "arrival at a block barrier without waiting";
  let description = [{
    The team arrives as at `hetir.named_barrier` with the same operands, with
    which it can meet, but its threads go on as soon as all of them stand here.
    What they did to memory before it is visible, after the barrier, to the
    threads that wait at it; nothing becomes visible to those that only arrive.
    A kernel may end while arrivals are left over.
  }];
  let arguments = (ins I32:$id, I32:$count);
  let assemblyFormat = "$id `count` $count attr-dict";
}

def HetIR_BarrierReduceOp : HetIR_OrderOp<"barrier_reduce", "Block", [UniformityOpInterface]> {
  let summary = "block barrier that combines a predicate";
  let description = [{
    As `hetir.barrier` on id 0, and every thread that took part gets the same
    result: 1 if the predicate was true for all (`and`) or any (`or`) of them,
    else 0; or for how many it was true (`count`). Ended threads do not count.
    The result is uniform over the block.
  }];
  let arguments = (ins HetIR_BarrierReduceKindAttr:$kind, I1:$predicate);
  let results = (outs I32:$result);
  let assemblyFormat = "$kind $predicate attr-dict";
  let extraClassDeclaration = scopeMethod # HetIR_ResultLevel<"Block">.method # [{
    bool isWholeBarrier() { return true; }
  }];
}

def HetIR_TeamSyncOp : HetIR_OrderOp<"team_sync", "Team"> {
  let summary = "team barrier";
  let description = [{
    Takes part: the lanes that `mask` names and that have not ended; each of them
    gives the same mask, which contains itself. They wait for each other, and
    memory is ordered among them.
  }];
  let arguments = (ins I32:$mask);
  let assemblyFormat = "$mask attr-dict";
  let extraClassDeclaration = scopeMethod # [{
    ::mlir::Value getTeamMask() { return getMask(); }
  }];
}

def HetIR_GridBarrierOp : HetIR_OrderOp<"grid_barrier", "Grid"> {
  let summary = "barrier of all blocks of a cooperative launch, or of a cluster";
  let description = [{
    Takes part: every thread of the grid that has not ended. Memory is ordered
    at device scope. A kernel that reaches one must have been launched
    cooperatively.

    With `cluster`, every thread of the block's cluster that has not ended takes
    part, whatever the launch is. Each of them has come to `hetir.cluster_arrive`
    once since it last passed such a barrier; a target may let its arrival count
    only when it comes here. Since 0.7 a kernel may have barriers of both kinds.
  }];
  let arguments = (ins UnitAttr:$cluster);
  let assemblyFormat = "(`cluster` $cluster^)? attr-dict";
  let extraClassDeclaration = scopeMethod # [{
    bool isWholeBarrier() { return true; }
  }];
}

def HetIR_FenceOp : HetIR_Op<"fence", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "memory fence";
  let description = [{
    Sequentially consistent among the threads of `scope` (team, block, device,
    or system: the host and other devices too). Nobody waits.
  }];
  let arguments = (ins HetIR_FenceScopeAttr:$scope);
  let assemblyFormat = "$scope attr-dict";
}

//===----------------------------------------------------------------------===//
// Teams
//===----------------------------------------------------------------------===//

def HetIR_BallotOp : HetIR_MaskedTeamOp<"ballot", [
    DeclareOpInterfaceMethods<UniformityOpInterface>]> {
  let summary = "the lanes for which a predicate is true";
  let description = [{
    Takes part: as in `hetir.team_sync`, and so in all operations of a team that
    have a mask. Bit i of the result is set if lane i took part and its predicate
    was true. The same for all that took part.
  }];
  let arguments = (ins I32:$mask, I1:$predicate);
  let results = (outs I32:$result);
  let assemblyFormat = "$mask `,` $predicate attr-dict";
}

def HetIR_VoteOp : HetIR_MaskedTeamOp<"vote", [
    DeclareOpInterfaceMethods<UniformityOpInterface>]> {
  let summary = "combine a predicate over a team";
  let description = [{
    True if the predicate is true in any of the lanes that took part (`any`), in
    all of them (`all`), or the same in all of them (`uni`).
  }];
  let arguments = (ins HetIR_VoteKindAttr:$kind, I32:$mask, I1:$predicate);
  let results = (outs I1:$result);
  let assemblyFormat = "$kind $mask `,` $predicate attr-dict";
}

def HetIR_ActiveMaskOp : HetIR_TeamOp<"active_mask"> {
  let summary = "lanes of the team that happen to run here together";
  let description = [{
    Contains the lane itself. Nobody waits; which other lanes the result names
    is up to the target, but each of them gets the same result from this same
    execution of the operation.
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def HetIR_MatchOp : HetIR_MaskedTeamOp<"match"> {
  let summary = "lanes that hold the same value";
  let description = [{
    `any`: `lanes` names those that took part with this lane's value, `all` is
    always true. `all`: if all that took part hold the same value, `lanes` names
    them and `all` is true; else 0 and false.
  }];
  let arguments = (ins HetIR_MatchKindAttr:$kind, I32:$mask,
                       AnyTypeOf<[I32, I64]>:$value);
  let results = (outs I32:$lanes, I1:$all);
  let assemblyFormat = "$kind $mask `,` $value attr-dict `:` type($value)";
}

def HetIR_ShuffleOp : HetIR_MaskedTeamOp<"shuffle", [AllTypesMatch<["value", "result"]>]> {
  let summary = "read a value of another lane";
  let description = [{
    Let `c` be bits 0 to 4 of `clamp`, `s` bits 8 to 12 of it (the segment mask),
    `l` the lane, `b` bits 0 to 4 of `source`, and

    - `maxLane = (l & s) | (c & ~s)`, `minLane = l & s`;
    - `idx`: `j = minLane | (b & ~s)`, in range if `j ≤ maxLane`;
    - `up`: `j = l - b`, in range if `j ≥ maxLane` (signed);
    - `down`: `j = l + b`, in range if `j ≤ maxLane`;
    - `xor`: `j = l ^ b`, in range if `j ≤ maxLane`.

    Out of range, `j` is `l`. The result is lane j's `value`, if j takes part;
    otherwise it is undefined (but of the type, and the program goes on).
    `inRange` says whether j was in range.
  }];
  let arguments = (ins HetIR_ShuffleKindAttr:$kind, I32:$mask,
                       AnyTypeOf<[I32, I64, F16, BF16, F32, F64]>:$value,
                       I32:$source, I32:$clamp);
  let results = (outs AnyTypeOf<[I32, I64, F16, BF16, F32, F64]>:$result,
                      I1:$inRange);
  let assemblyFormat = [{
    $kind $mask `,` $value `,` $source `,` $clamp attr-dict `:` type($value)
  }];
}

def HetIR_TeamReduceOp : HetIR_MaskedTeamOp<"team_reduce", [
    DeclareOpInterfaceMethods<UniformityOpInterface>]> {
  let summary = "combine an integer over a team";
  let description = [{
    The same result for all that took part. `add` wraps around; `min` and `max`
    are signed.
  }];
  let arguments = (ins HetIR_ReduceKindAttr:$kind, I32:$mask, I32:$value);
  let results = (outs I32:$result);
  let assemblyFormat = "$kind $mask `,` $value attr-dict";
}

include "het/IR/HetIRClusterOps.td"
include "het/IR/HetIRCopyOps.td"
include "het/IR/HetIRDependencyOps.td"
include "het/IR/HetIRMatrixOps.td"

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def HetIR_DynamicSharedOp : HetIR_Op<"dynamic_shared", [
    Pure, UniformityOpInterface]> {
  let summary = "start of the launch's dynamic shared memory";
  let description = [{
    Aligned to 16 bytes at least. The same address for all threads of a block,
    and for all operations of this kind in a kernel.
  }];
  let results = (outs LLVM_PointerInAddressSpace<3>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let extraClassDeclaration = HetIR_ResultLevel<"Block">.method;
}

def HetIR_IsSpaceOp : HetIR_Op<"is_space", [Pure]> {
  let summary = "does a generic pointer lead to an address space";
  let description = [{
    Whether the object that `pointer` leads to lies in `space`. `grid_constant` is the
    memory of the kernel's arguments that are marked `hetir.grid_constant`. An object
    lies in one space only, and memory of the host in `global`.
  }];
  let arguments = (ins HetIR_SpaceAttr:$space, LLVM_PointerInAddressSpace<0>:$pointer);
  let results = (outs I1:$result);
  let assemblyFormat = "$space $pointer attr-dict `:` type($pointer)";
}

//===----------------------------------------------------------------------===//
// Math
//===----------------------------------------------------------------------===//

def HetIR_MathOp : HetIR_Op<"math", [Pure]> {
  let summary = "a named mathematical function";
  let description = [{
    `function` is C's name without a suffix for the type (`sin`, `pow`, `lrint`),
    or one of the further names of the device library (`rsqrt`, `add_rz`, …); the
    types of the operands and of the result choose the variant. `exact` means the
    bits of the device library, on every target. `approx` lets a target use its
    own instructions. Functions that LLVM has as correctly rounded operations
    (`sqrt`, `fma`, `floor`, …) are those, not this.
  }];
  let arguments = (ins StrAttr:$function,
                       HetIR_AccuracyAttr:$accuracy,
                       Variadic<AnyTypeOf<[AnySignlessInteger, AnyFloat]>>:$arguments);
  let results = (outs LLVM_Type:$result);
  let assemblyFormat = [{
    $function `(` $arguments `)` $accuracy attr-dict `:`
    functional-type($arguments, $result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// System
//===----------------------------------------------------------------------===//

def HetIR_PrintfOp : HetIR_SystemOp<"printf"> {
  let summary = "formatted output";
  let description = [{
    `format` is a C string; `arguments` leads to the promoted arguments, one
    after the other, each at its natural alignment (null if there are none). The
    output of one call is never mixed with another's. The result is the number
    of arguments of the format, or negative.
  }];
  let arguments = (ins LLVM_AnyPointer:$format, LLVM_AnyPointer:$arguments);
  let results = (outs I32:$result);
  let assemblyFormat = [{
    $format `,` $arguments attr-dict `:` type($format) `,` type($arguments)
  }];
}

def HetIR_AssertFailOp : HetIR_SystemOp<"assert_fail"> {
  let summary = "report a failed assertion and end the kernel";
  let description = [{
    The three pointers lead to C strings. Does not return: the launch fails, and
    so does every later use of the device by this program.
  }];
  let arguments = (ins LLVM_AnyPointer:$message, LLVM_AnyPointer:$file,
                       I32:$line, LLVM_AnyPointer:$function);
  let assemblyFormat = [{
    $message `,` $file `,` $line `,` $function attr-dict `:`
    type($message) `,` type($file) `,` type($function)
  }];
}

def HetIR_TrapOp : HetIR_SystemOp<"trap"> {
  let summary = "end the kernel with an error";
  let description = "Does not return; as `hetir.assert_fail`, without a message.";
  let assemblyFormat = "attr-dict";
}

def HetIR_MallocOp : HetIR_Op<"malloc", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "allocate from the device's heap";
  let description = [{
    A generic pointer to `size` bytes of global memory, aligned to 16, or null.
    It lives until it is freed, by any thread of any kernel. `heap` is the address
    of the package's variable of the kind `heap` (since 0.3; where it is not there the
    package has no heap, and its kernels can not be lowered).
  }];
  let arguments = (ins I64:$size, Optional<LLVM_PointerInAddressSpace<1>>:$heap);
  let results = (outs LLVM_PointerInAddressSpace<0>:$result);
  let assemblyFormat = "$size (`from` $heap^ `:` type($heap))? attr-dict `->` type($result)";
}

def HetIR_FreeOp : HetIR_Op<"free", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "give memory back to the device's heap";
  let description = "`pointer` comes from `hetir.malloc` of that heap, or is null.";
  let arguments = (ins LLVM_PointerInAddressSpace<0>:$pointer,
                       Optional<LLVM_PointerInAddressSpace<1>>:$heap);
  let assemblyFormat = "$pointer (`to` $heap^ `:` type($heap))? attr-dict `:` type($pointer)";
}

def HetIR_ClockOp : HetIR_SystemOp<"clock"> {
  let summary = "read a clock";
  let description = [{
    `cycles32` (i32) and `cycles64` (i64) count at a rate of the target's own;
    `nanoseconds` (i64) counts real time. A thread never sees one go backwards,
    but the 32-bit one wraps around.
  }];
  let arguments = (ins HetIR_ClockKindAttr:$kind);
  let results = (outs AnyTypeOf<[I32, I64]>:$result);
  let assemblyFormat = "$kind attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def HetIR_SleepOp : HetIR_SystemOp<"sleep"> {
  let summary = "let other threads run for a while";
  let description = "A hint: for about `nanoseconds`, 0 to twice as long.";
  let arguments = (ins I32:$nanoseconds);
  let assemblyFormat = "$nanoseconds attr-dict";
}
include "het/IR/HetIRTextureOps.td"
//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

def HetIR_SafePointOp : HetIR_Op<"safe_point", [
    MemoryEffects<[MemRead, MemWrite, MemWrite<HetIR_Convergence>]>,
    TypesMatchWith<"the live values keep their types", "live", "after", "$_self">,
    UniformityOpInterface]> {
  let summary = "a point at which a running kernel can be parked";
  let description = [{
    The results are the values of `live` after the point, whether the kernel
    went straight on, or was parked here and goes on elsewhere. Every value that
    is used after the point and cannot be recomputed passes through it. `id` is
    unique in the kernel. The operation itself makes nobody wait: a target that
    parks a block does so when all of its threads are at points where it can.
  }];
  let arguments = (ins I32Attr:$id, HetIR_SafePointReasonAttr:$reason,
                       Variadic<LLVM_Type>:$live);
  let results = (outs Variadic<LLVM_Type>:$after);
  let assemblyFormat = [{
    $id $reason (`(` $live^ `:` type($live) `)`)? attr-dict
  }];
  let extraClassDeclaration = [{
    /// Returns the sync point that directly follows and at which the threads of this
    /// point are suspended, or null: those of kernel entries, loops, yields and of polls
    /// by single threads have none.
    ::mlir::Operation *getSyncPoint();

    ::het::ir::Level inferResultLevel(unsigned result,
                                      ::llvm::ArrayRef<::het::ir::Level> operands) {
      return operands[result];
    }
  }];
  let hasVerifier = 1;
}

def HetIR_FrameOp : HetIR_Op<"frame", [Pure, UniformityOpInterface]> {
  let summary = "the memory that holds the block's state";
  let description = [{
    Only in segmented kernels (`--hetir-form-segments`); docs/spec/hetir.md,
    "Frame", has its layout. Aligned to 128 bytes. Uniform over a block.
  }];
  let results = (outs LLVM_PointerInAddressSpace<0>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let extraClassDeclaration = HetIR_ResultLevel<"Block">.method;
}

def HetIR_ParkingOp : HetIR_Op<"parking", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "whether the device asks its kernels to park";
  let description = [{
    Not 0 where it does, from some time after it has begun to. Only in parkable
    forms of kernels. Reads afresh each time.
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def HetIR_PollIntervalOp : HetIR_PlainPositionOp<"poll_interval", "Grid"> {
  let summary = "how much work there is between polls";
  let description = [{
    In about the time of a simple operation; at least 1, at most 2^20. Only in
    parkable forms of kernels. Given by the launch, and so uniform over the grid;
    where a parked block is gone on with it may be another.
  }];
}

def HetIR_NoteLaneOp : HetIR_SystemOp<"note_lane"> {
  let summary = "note which thread of the block runs";
  let description = [{
    Where the threads of a block are one thread of the machine: before an
    operation whose report names the thread. `lane` is its linear index in the
    block.
  }];
  let arguments = (ins I32:$lane);
  let assemblyFormat = "$lane attr-dict";
}

#endif // HET_IR_HETIROPS_TD
