// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The meaning of PTX instructions (PTX ISA, Instructions), by group.

#include "InlineAssembly.h"
#include "LibraryCalls.h"
#include "Shifts.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace het;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// A field of bits: (value, position, length), both of which may be too large.
static PtxHandler extractField(bool isSigned) {
  return [=](PtxInstruction &i) {
    IRBuilder<> &b = i.builder;
    Type *wide = b.getInt64Ty();
    Value *value = b.CreateIntCast(i.source(0, 32), wide, isSigned);
    auto byte = [&](unsigned index, unsigned most) {
      Value *low = b.CreateAnd(i.source(index, 32), 0xFF);
      return b.CreateZExt(b.CreateBinaryIntrinsic(Intrinsic::umin, low, b.getInt32(most)),
                          wide);
    };
    Value *position = byte(1, 32), *length = byte(2, 32);
    // Up to the top of 64 bits and down again leaves the field alone.
    Value *shifted =
        isSigned ? b.CreateAShr(value, position) : b.CreateLShr(value, position);
    Value *rest = b.CreateSub(b.getInt64(64), length);
    Value *isEmpty = b.CreateIsNull(length);
    Value *safe = b.CreateSelect(isEmpty, b.getInt64(0), rest);
    Value *field = b.CreateShl(shifted, safe);
    field = isSigned ? b.CreateAShr(field, safe) : b.CreateLShr(field, safe);
    field = b.CreateSelect(isEmpty, b.getInt64(0), field);
    return b.CreateTrunc(field, b.getInt32Ty());
  };
}

/// bfi: (field, into, position, length)
static Value *insertField(PtxInstruction &i) {
  IRBuilder<> &b = i.builder;
  Type *wide = b.getInt64Ty();
  auto byte = [&](unsigned index) {
    Value *low = b.CreateAnd(i.source(index, 32), 0xFF);
    return b.CreateZExt(b.CreateBinaryIntrinsic(Intrinsic::umin, low, b.getInt32(32)),
                        wide);
  };
  Value *position = byte(2), *length = byte(3);
  Value *ones = b.CreateSub(b.CreateShl(b.getInt64(1), length), b.getInt64(1));
  Value *mask = b.CreateTrunc(b.CreateShl(ones, position), b.getInt32Ty());
  Value *field = b.CreateTrunc(b.CreateShl(b.CreateZExt(i.source(0, 32), wide), position),
                               b.getInt32Ty());
  return b.CreateOr(b.CreateAnd(field, mask),
                    b.CreateAnd(i.source(1, 32), b.CreateNot(mask)));
}

/// lop3: any function of three bits, by its truth table.
static Value *logicOfThree(PtxInstruction &i) {
  IRBuilder<> &b = i.builder;
  auto *table = dyn_cast<ConstantInt>(i.sources[3]);
  Value *result = b.getInt32(0);
  for (unsigned row = 0; row < 8; ++row) {
    Value *all = b.getInt32(-1);
    for (unsigned input = 0; input < 3; ++input) {
      Value *bits = i.source(input, 32);
      all = b.CreateAnd(all, row >> (2 - input) & 1 ? bits : b.CreateNot(bits));
    }
    Value *wanted = table
                        ? b.getInt32(table->getValue().extractBits(8, 0)[row] ? -1 : 0)
                        : b.CreateSub(b.getInt32(0),
                                      b.CreateAnd(b.CreateLShr(i.source(3, 32), row), 1));
    result = b.CreateOr(result, b.CreateAnd(all, wanted));
  }
  return result;
}

/// The place of the highest set bit, or -1.
static Value *findHighest(PtxInstruction &i) {
  IRBuilder<> &b = i.builder;
  Value *zeros = b.CreateIntrinsic(Intrinsic::ctlz, {b.getInt32Ty()},
                                   {i.source(0, 32), b.getFalse()});
  return b.CreateSub(b.getInt32(31), zeros);
}

static PtxEntry binary(Instruction::BinaryOps opcode, unsigned bits) {
  return {2, [=](PtxInstruction &i) {
            return i.builder.CreateBinOp(opcode, i.source(0, bits), i.source(1, bits));
          }};
}

static PtxEntry binary(Intrinsic::ID id, unsigned bits) {
  return {2, [=](PtxInstruction &i) {
            return i.builder.CreateBinaryIntrinsic(id, i.source(0, bits),
                                                   i.source(1, bits));
          }};
}

static PtxEntry unary(Intrinsic::ID id, unsigned bits) {
  return {1, [=](PtxInstruction &i) {
            return i.builder.CreateUnaryIntrinsic(id, i.source(0, bits));
          }};
}

static PtxEntry shift(Instruction::BinaryOps opcode, unsigned bits) {
  return {2, [=](PtxInstruction &i) {
            return createShift(i.builder, opcode, i.source(0, bits), i.source(1, 32));
          }};
}

static PtxEntry multiplyAdd(unsigned bits) {
  return {3, [=](PtxInstruction &i) {
            return i.builder.CreateAdd(
                i.builder.CreateMul(i.source(0, bits), i.source(1, bits)),
                i.source(2, bits));
          }};
}

/// mul.hi and mul.wide of 32 bits.
static PtxEntry multiplyWide(bool isSigned, bool high) {
  return {2, [=](PtxInstruction &i) -> Value * {
            IRBuilder<> &b = i.builder;
            Type *wide = b.getInt64Ty();
            Value *product =
                b.CreateMul(b.CreateIntCast(i.source(0, 32), wide, isSigned),
                            b.CreateIntCast(i.source(1, 32), wide, isSigned));
            if (!high)
              return product;
            return b.CreateTrunc(b.CreateLShr(product, 32), b.getInt32Ty());
          }};
}

static void addSigned(PtxTable &table, const std::string &kind, unsigned bits) {
  bool isSigned = kind == "s";
  std::string suffix = "." + kind + std::to_string(bits);
  table["add" + suffix] = binary(Instruction::Add, bits);
  table["sub" + suffix] = binary(Instruction::Sub, bits);
  table["mul.lo" + suffix] = binary(Instruction::Mul, bits);
  table["mad.lo" + suffix] = multiplyAdd(bits);
  table["min" + suffix] = binary(isSigned ? Intrinsic::smin : Intrinsic::umin, bits);
  table["max" + suffix] = binary(isSigned ? Intrinsic::smax : Intrinsic::umax, bits);
  table["shr" + suffix] = shift(isSigned ? Instruction::AShr : Instruction::LShr, bits);
}

void het::addPtxIntegers(PtxTable &table) {
  for (unsigned bits : {32u, 64u}) {
    addSigned(table, "s", bits);
    addSigned(table, "u", bits);
    std::string suffix = ".b" + std::to_string(bits);
    table["and" + suffix] = binary(Instruction::And, bits);
    table["or" + suffix] = binary(Instruction::Or, bits);
    table["xor" + suffix] = binary(Instruction::Xor, bits);
    table["shl" + suffix] = shift(Instruction::Shl, bits);
    table["shr" + suffix] = shift(Instruction::LShr, bits);
    table["brev" + suffix] = unary(Intrinsic::bitreverse, bits);
    table["popc" + suffix] = unary(Intrinsic::ctpop, bits);
    table["not" + suffix] = {
        1, [=](PtxInstruction &i) { return i.builder.CreateNot(i.source(0, bits)); }};
    for (const char *kind : {".b", ".u", ".s", ".f"})
      table["mov" + (kind + std::to_string(bits))] = {
          1, [](PtxInstruction &i) { return i.source(0, i.result); }};
  }
  table["bfe.u32"] = {3, extractField(false)};
  table["bfe.s32"] = {3, extractField(true)};
  table["bfi.b32"] = {4, insertField};
  table["lop3.b32"] = {4, logicOfThree};
  table["bfind.u32"] = {1, findHighest};
  table["mul.hi.u32"] = multiplyWide(false, true);
  table["mul.hi.s32"] = multiplyWide(true, true);
  table["mul.wide.u32"] = multiplyWide(false, false);
  table["mul.wide.s32"] = multiplyWide(true, false);
  table["prmt.b32"] = {3, [](PtxInstruction &i) {
                         return permuteBytes(i.builder, i.source(0, 32), i.source(1, 32),
                                             i.source(2, 32));
                       }};
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

/// An approximate function of float in the math library.
static PtxEntry approximate(StringRef function) {
  return {1, [=](PtxInstruction &i) {
            LibraryCall library(i.call, i.options);
            Type *type = i.builder.getFloatTy();
            return library.math(function, true, {i.source(0, type)}, type);
          }};
}

static PtxEntry floating(Instruction::BinaryOps opcode, bool isDouble) {
  return {2, [=](PtxInstruction &i) {
            Type *type = isDouble ? i.builder.getDoubleTy() : i.builder.getFloatTy();
            return i.builder.CreateBinOp(opcode, i.source(0, type), i.source(1, type));
          }};
}

static PtxEntry fused(bool isDouble) {
  return {3, [=](PtxInstruction &i) {
            Type *type = isDouble ? i.builder.getDoubleTy() : i.builder.getFloatTy();
            return i.builder.CreateIntrinsic(
                Intrinsic::fma, {type},
                {i.source(0, type), i.source(1, type), i.source(2, type)});
          }};
}

using TypeMaker = Type *(*)(IRBuilder<> &);

static PtxEntry convert(TypeMaker from, TypeMaker to) {
  return {1, [=](PtxInstruction &i) {
            return i.builder.CreateFPCast(i.source(0, from(i.builder)), to(i.builder));
          }};
}

void het::addPtxFloats(PtxTable &table) {
  static constexpr std::pair<const char *, const char *> functions[] = {
      {"ex2", "exp2"},  {"lg2", "log2"}, {"rcp", "rcp"}, {"rsqrt", "rsqrt"},
      {"sqrt", "sqrt"}, {"sin", "sin"},  {"cos", "cos"}, {"tanh", "tanh"}};
  for (auto [name, function] : functions)
    for (const char *suffix : {".approx.f32", ".approx.ftz.f32"})
      table[std::string(name) + suffix] = approximate(function);
  for (bool isDouble : {false, true}) {
    std::string type = isDouble ? ".f64" : ".f32";
    for (std::string rounding : {"", ".rn"}) {
      table["add" + rounding + type] = floating(Instruction::FAdd, isDouble);
      table["sub" + rounding + type] = floating(Instruction::FSub, isDouble);
      table["mul" + rounding + type] = floating(Instruction::FMul, isDouble);
    }
    table["div.rn" + type] = floating(Instruction::FDiv, isDouble);
    table["fma.rn" + type] = fused(isDouble);
  }
  TypeMaker half = [](IRBuilder<> &b) { return b.getHalfTy(); };
  TypeMaker brain = [](IRBuilder<> &b) { return b.getBFloatTy(); };
  TypeMaker single = [](IRBuilder<> &b) { return b.getFloatTy(); };
  TypeMaker twice = [](IRBuilder<> &b) { return b.getDoubleTy(); };
  table["cvt.rn.f16.f32"] = convert(single, half);
  table["cvt.f32.f16"] = convert(half, single);
  table["cvt.rn.bf16.f32"] = convert(single, brain);
  table["cvt.f32.bf16"] = convert(brain, single);
  table["cvt.rn.f32.f64"] = convert(twice, single);
  table["cvt.f64.f32"] = convert(single, twice);
}

//===----------------------------------------------------------------------===//
// Threads and system
//===----------------------------------------------------------------------===//

static PtxEntry statement(Intrinsic::ID id) {
  return {0, [=](PtxInstruction &i) -> Value * {
            i.builder.CreateIntrinsic(id, {});
            return nullptr;
          }};
}

static PtxEntry specialRegister(Intrinsic::ID id) {
  return {
      0, [=](PtxInstruction &i) -> Value * { return i.builder.CreateIntrinsic(id, {}); }};
}

/// (value, source lane, clamp, mask); the intrinsic takes the mask first.
static PtxEntry shuffle(Intrinsic::ID id) {
  return {4, [=](PtxInstruction &i) -> Value * {
            return i.builder.CreateIntrinsic(
                id, {i.source(3, 32), i.source(0, 32), i.source(1, 32), i.source(2, 32)});
          }};
}

static void addRegisters(PtxTable &table) {
  static constexpr std::pair<const char *, Intrinsic::ID> registers[] = {
      {"%laneid", Intrinsic::nvvm_read_ptx_sreg_laneid},
      {"%warpid", Intrinsic::nvvm_read_ptx_sreg_warpid},
      {"%nwarpid", Intrinsic::nvvm_read_ptx_sreg_nwarpid},
      {"%lanemask_eq", Intrinsic::nvvm_read_ptx_sreg_lanemask_eq},
      {"%lanemask_lt", Intrinsic::nvvm_read_ptx_sreg_lanemask_lt},
      {"%lanemask_le", Intrinsic::nvvm_read_ptx_sreg_lanemask_le},
      {"%lanemask_gt", Intrinsic::nvvm_read_ptx_sreg_lanemask_gt},
      {"%lanemask_ge", Intrinsic::nvvm_read_ptx_sreg_lanemask_ge},
      {"%clock", Intrinsic::nvvm_read_ptx_sreg_clock},
      {"%clock64", Intrinsic::nvvm_read_ptx_sreg_clock64},
      {"%globaltimer", Intrinsic::nvvm_read_ptx_sreg_globaltimer},
      {"%tid.x", Intrinsic::nvvm_read_ptx_sreg_tid_x},
      {"%tid.y", Intrinsic::nvvm_read_ptx_sreg_tid_y},
      {"%tid.z", Intrinsic::nvvm_read_ptx_sreg_tid_z},
      {"%ntid.x", Intrinsic::nvvm_read_ptx_sreg_ntid_x},
      {"%ntid.y", Intrinsic::nvvm_read_ptx_sreg_ntid_y},
      {"%ntid.z", Intrinsic::nvvm_read_ptx_sreg_ntid_z},
      {"%ctaid.x", Intrinsic::nvvm_read_ptx_sreg_ctaid_x},
      {"%ctaid.y", Intrinsic::nvvm_read_ptx_sreg_ctaid_y},
      {"%ctaid.z", Intrinsic::nvvm_read_ptx_sreg_ctaid_z},
      {"%nctaid.x", Intrinsic::nvvm_read_ptx_sreg_nctaid_x},
      {"%nctaid.y", Intrinsic::nvvm_read_ptx_sreg_nctaid_y},
      {"%nctaid.z", Intrinsic::nvvm_read_ptx_sreg_nctaid_z}};
  for (auto [name, id] : registers)
    table[name] = specialRegister(id);
}

/// sync: (number, count?); arrive: (number, count)
static PtxEntry barrier(Intrinsic::ID all, Intrinsic::ID counted) {
  auto handler = [=](PtxInstruction &i) -> Value * {
    SmallVector<Value *> operands;
    for (unsigned index = 0; index < i.sources.size(); ++index)
      operands.push_back(i.source(index, 32));
    i.builder.CreateIntrinsic(operands.size() == 1 ? all : counted, operands);
    return nullptr;
  };
  bool needsCount = all == Intrinsic::not_intrinsic;
  return {needsCount ? 2u : 1u, handler, needsCount ? 0u : 1u};
}

/// `bar` is `barrier` of a team that comes together.
static void addBarriers(PtxTable &table) {
  PtxEntry alignedSync = barrier(Intrinsic::nvvm_barrier_cta_sync_aligned_all,
                                 Intrinsic::nvvm_barrier_cta_sync_aligned_count);
  PtxEntry alignedArrive =
      barrier(Intrinsic::not_intrinsic, Intrinsic::nvvm_barrier_cta_arrive_aligned_count);
  for (std::string cta : {"", ".cta"}) {
    table["bar" + cta + ".sync"] = alignedSync;
    table["bar" + cta + ".arrive"] = alignedArrive;
    table["barrier" + cta + ".sync.aligned"] = alignedSync;
    table["barrier" + cta + ".arrive.aligned"] = alignedArrive;
    table["barrier" + cta + ".sync"] = barrier(Intrinsic::nvvm_barrier_cta_sync_all,
                                               Intrinsic::nvvm_barrier_cta_sync_count);
    table["barrier" + cta + ".arrive"] =
        barrier(Intrinsic::not_intrinsic, Intrinsic::nvvm_barrier_cta_arrive_count);
  }
}

void het::addPtxSystem(PtxTable &table) {
  addRegisters(table);
  for (const char *name : {"membar.cta", "fence.acq_rel.cta", "fence.sc.cta"})
    table[name] = statement(Intrinsic::nvvm_membar_cta);
  for (const char *name : {"membar.gl", "fence.acq_rel.gpu", "fence.sc.gpu"})
    table[name] = statement(Intrinsic::nvvm_membar_gl);
  for (const char *name : {"membar.sys", "fence.acq_rel.sys", "fence.sc.sys"})
    table[name] = statement(Intrinsic::nvvm_membar_sys);
  table["trap"] = statement(Intrinsic::trap);
  table["shfl.sync.idx.b32"] = shuffle(Intrinsic::nvvm_shfl_sync_idx_i32);
  table["shfl.sync.up.b32"] = shuffle(Intrinsic::nvvm_shfl_sync_up_i32);
  table["shfl.sync.down.b32"] = shuffle(Intrinsic::nvvm_shfl_sync_down_i32);
  table["shfl.sync.bfly.b32"] = shuffle(Intrinsic::nvvm_shfl_sync_bfly_i32);
  addBarriers(table);
}
