// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hetir dialect itself, its enumerations and attributes, and what its
// operations have in common. Normative text: docs/spec/hetir.md.

#ifndef HET_IR_HETIRBASE_TD
#define HET_IR_HETIRBASE_TD

include "het/IR/HetIRInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def HetIR_Dialect : Dialect {
  let name = "hetir";
  let cppNamespace = "::het::ir";
  let summary = "What a GPU adds to the LLVM dialect";
  let description = [{
    hetIR is the LLVM dialect for arithmetic, memory and control flow, and this
    dialect for positions in the grid, order between threads, operations of a
    team, named mathematical functions, services of the system, and the points
    at which a running kernel can be parked.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let hasOperationAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

class HetIR_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::het::ir";
  let genSpecializedAttr = 0;
}

class HetIR_EnumAttr<EnumInfo info, string mnemonicName>
    : EnumAttr<HetIR_Dialect, info, mnemonicName> {
  let assemblyFormat = "$value";
}

def HetIR_Dim : HetIR_Enum<"Dim", "a dimension of the grid", [
  I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">,
  I32EnumAttrCase<"Z", 2, "z">]>;
def HetIR_DimAttr : HetIR_EnumAttr<HetIR_Dim, "dim">;

def HetIR_FenceScope : HetIR_Enum<"FenceScope",
    "the threads among which a fence orders memory", [
  I32EnumAttrCase<"Team", 0, "team">, I32EnumAttrCase<"Block", 1, "block">,
  I32EnumAttrCase<"Device", 2, "device">,
  I32EnumAttrCase<"System", 3, "system">]>;
def HetIR_FenceScopeAttr : HetIR_EnumAttr<HetIR_FenceScope, "fence_scope">;

def HetIR_VoteKind : HetIR_Enum<"VoteKind", "how a vote is decided", [
  I32EnumAttrCase<"Any", 0, "any">, I32EnumAttrCase<"All", 1, "all">,
  I32EnumAttrCase<"Uni", 2, "uni">]>;
def HetIR_VoteKindAttr : HetIR_EnumAttr<HetIR_VoteKind, "vote_kind">;

def HetIR_MatchKind : HetIR_Enum<"MatchKind", "what a match compares", [
  I32EnumAttrCase<"Any", 0, "any">, I32EnumAttrCase<"All", 1, "all">]>;
def HetIR_MatchKindAttr : HetIR_EnumAttr<HetIR_MatchKind, "match_kind">;

def HetIR_ShuffleKind : HetIR_Enum<"ShuffleKind",
    "how a shuffle finds the lane to read", [
  I32EnumAttrCase<"Idx", 0, "idx">, I32EnumAttrCase<"Up", 1, "up">,
  I32EnumAttrCase<"Down", 2, "down">, I32EnumAttrCase<"Xor", 3, "xor">]>;
def HetIR_ShuffleKindAttr : HetIR_EnumAttr<HetIR_ShuffleKind, "shuffle_kind">;

def HetIR_ReduceKind : HetIR_Enum<"ReduceKind", "what a team reduction computes", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Min", 1, "min">,
  I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"UMin", 3, "umin">,
  I32EnumAttrCase<"UMax", 4, "umax">, I32EnumAttrCase<"And", 5, "and">,
  I32EnumAttrCase<"Or", 6, "or">, I32EnumAttrCase<"Xor", 7, "xor">]>;
def HetIR_ReduceKindAttr : HetIR_EnumAttr<HetIR_ReduceKind, "reduce_kind">;

def HetIR_BarrierReduceKind : HetIR_Enum<"BarrierReduceKind",
    "what a reducing barrier computes", [
  I32EnumAttrCase<"And", 0, "and">, I32EnumAttrCase<"Or", 1, "or">,
  I32EnumAttrCase<"Count", 2, "count">]>;
def HetIR_BarrierReduceKindAttr
    : HetIR_EnumAttr<HetIR_BarrierReduceKind, "barrier_reduce_kind">;

def HetIR_Accuracy : HetIR_Enum<"Accuracy", "an accuracy class", [
  I32EnumAttrCase<"Exact", 0, "exact">,
  I32EnumAttrCase<"Approx", 1, "approx">]>;
def HetIR_AccuracyAttr : HetIR_EnumAttr<HetIR_Accuracy, "accuracy">;

def HetIR_ClockKind : HetIR_Enum<"ClockKind", "which clock is read", [
  I32EnumAttrCase<"Cycles32", 0, "cycles32">,
  I32EnumAttrCase<"Cycles64", 1, "cycles64">,
  I32EnumAttrCase<"Nanoseconds", 2, "nanoseconds">]>;
def HetIR_ClockKindAttr : HetIR_EnumAttr<HetIR_ClockKind, "clock_kind">;

def HetIR_Space : HetIR_Enum<"Space", "an address space", [
  I32EnumAttrCase<"Global", 1, "global">, I32EnumAttrCase<"Shared", 3, "shared">,
  I32EnumAttrCase<"Constant", 4, "constant">,
  I32EnumAttrCase<"Local", 5, "local">,
  I32EnumAttrCase<"GridConstant", 101, "grid_constant">]>;
def HetIR_SpaceAttr : HetIR_EnumAttr<HetIR_Space, "space">;

def HetIR_SafePointReason : HetIR_Enum<"SafePointReason",
    "why a kernel can be parked here", [
  I32EnumAttrCase<"Entry", 0, "entry">, I32EnumAttrCase<"Barrier", 1, "barrier">,
  I32EnumAttrCase<"Loop", 2, "loop">, I32EnumAttrCase<"Team", 3, "team">,
  I32EnumAttrCase<"Yield", 4, "yield">, I32EnumAttrCase<"Poll", 5, "poll">]>;
def HetIR_SafePointReasonAttr
    : HetIR_EnumAttr<HetIR_SafePointReason, "safe_point_reason">;

def HetIR_MatrixKind : HetIR_Enum<"MatrixKind",
    "how a matrix multiplication combines two elements", [
  I32EnumAttrCase<"Multiply", 0, "multiply">,
  I32EnumAttrCase<"XorCount", 1, "xor_count">,
  I32EnumAttrCase<"AndCount", 2, "and_count">]>;
def HetIR_MatrixKindAttr : HetIR_EnumAttr<HetIR_MatrixKind, "matrix_kind">;

def HetIR_MatrixType : HetIR_Enum<"MatrixType", "what an element of a matrix is", [
  I32EnumAttrCase<"F16", 0, "f16">, I32EnumAttrCase<"BF16", 1, "bf16">,
  I32EnumAttrCase<"TF32", 2, "tf32">, I32EnumAttrCase<"F64", 3, "f64">,
  I32EnumAttrCase<"S8", 4, "s8">, I32EnumAttrCase<"U8", 5, "u8">,
  I32EnumAttrCase<"S4", 6, "s4">, I32EnumAttrCase<"U4", 7, "u4">,
  I32EnumAttrCase<"B1", 8, "b1">, I32EnumAttrCase<"E4M3", 9, "e4m3">,
  I32EnumAttrCase<"E5M2", 10, "e5m2">, I32EnumAttrCase<"F32", 11, "f32">,
  I32EnumAttrCase<"S32", 12, "s32">]>;
def HetIR_MatrixTypeAttr : HetIR_EnumAttr<HetIR_MatrixType, "matrix_type">;

// The order is that of the lattice: the join of two levels is the greater one.
def HetIR_Level : HetIR_Enum<"Level",
    "the largest group of threads over which something is uniform", [
  I32EnumAttrCase<"Grid", 0, "grid">, I32EnumAttrCase<"Block", 1, "block">,
  I32EnumAttrCase<"Team", 2, "team">,
  I32EnumAttrCase<"Divergent", 3, "divergent">]>;
def HetIR_LevelAttr : HetIR_EnumAttr<HetIR_Level, "level">;

//===----------------------------------------------------------------------===//
// What operations have in common
//===----------------------------------------------------------------------===//

// The threads' common control flow seen as something that is written: an
// operation that writes it is neither merged with its like, nor removed, nor
// moved into or out of a loop, though it may touch no memory.
def HetIR_Convergence : Resource<"::het::ir::ConvergenceResource">;

class HetIR_Op<string mnemonic, list<Trait> traits = []>
    : Op<HetIR_Dialect, mnemonic, traits>;

// Says over which threads every result of an operation is uniform.
class HetIR_ResultLevel<string level> {
  string method = [{
    ::het::ir::Level inferResultLevel(unsigned, ::llvm::ArrayRef<::het::ir::Level>) {
      return ::het::ir::Level::}] # level # [{;
    }
  }];
}

// Reads something that is fixed for a thread while it runs.
class HetIR_PositionOp<string mnemonic, string level>
    : HetIR_Op<mnemonic, [Pure, UniformityOpInterface]> {
  let results = (outs I32:$result);
  let extraClassDeclaration = HetIR_ResultLevel<level>.method;
}

class HetIR_DimPositionOp<string mnemonic, string level>
    : HetIR_PositionOp<mnemonic, level> {
  let arguments = (ins HetIR_DimAttr:$dimension);
  let assemblyFormat = "$dimension attr-dict";
}

class HetIR_PlainPositionOp<string mnemonic, string level>
    : HetIR_PositionOp<mnemonic, level> {
  let assemblyFormat = "attr-dict";
}

// Threads of a scope meet here.
class HetIR_SyncPointOp<string mnemonic, string scope, list<Trait> traits>
    : HetIR_Op<mnemonic, traits # [SyncPointOpInterface]> {
  string scopeMethod = [{
    ::het::ir::SyncScope getSyncScope() { return ::het::ir::SyncScope::}] # scope # [{; }
  }];
  let extraClassDeclaration = scopeMethod;
}

// Threads of a scope meet here, and memory is ordered among them.
class HetIR_OrderOp<string mnemonic, string scope, list<Trait> traits = []>
    : HetIR_SyncPointOp<mnemonic, scope,
                        traits # [MemoryEffects<[MemRead, MemWrite,
                                                 MemWrite<HetIR_Convergence>]>]>;

// Lanes of a team exchange values here; memory is not ordered.
class HetIR_TeamOp<string mnemonic, list<Trait> traits = []>
    : HetIR_SyncPointOp<mnemonic, "Team",
                        traits # [MemoryEffects<[MemWrite<HetIR_Convergence>]>]>;

// Lanes of a team that a mask names exchange values here.
class HetIR_MaskedTeamOp<string mnemonic, list<Trait> traits = []>
    : HetIR_TeamOp<mnemonic, traits> {
  let extraClassDeclaration = scopeMethod # [{
    ::mlir::Value getTeamMask() { return getMask(); }
  }];
}

// Reaches the world outside the kernel.
class HetIR_SystemOp<string mnemonic>
    : HetIR_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]>;

#endif // HET_IR_HETIRBASE_TD
