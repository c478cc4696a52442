// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device library's integer functions and its arithmetic with a rounding
// direction. To nearest is what LLVM's instructions do; they carry no flag that
// would let a multiplication and an addition be fused. The other directions are
// functions of the math library: add_rz, fma_ru, ….

#include "LibraryCalls.h"

#include "llvm/IR/Module.h"

using namespace het;
using namespace llvm;

static LibraryHandler unary(Intrinsic::ID id) {
  return [=](LibraryCall &c) {
    return c.builder.CreateIntCast(c.intrinsic(id, {c.argument(0)}), c.type(), false);
  };
}

static LibraryHandler binary(Intrinsic::ID id) {
  return [=](LibraryCall &c) { return c.intrinsic(id, {c.argument(0), c.argument(1)}); };
}

/// Count of leading zeros; of 0 it is the width.
static Value *leadingZeros(LibraryCall &c) {
  Value *count = c.builder.CreateIntrinsic(Intrinsic::ctlz, {c.argument(0)->getType()},
                                           {c.argument(0), c.builder.getFalse()});
  return c.builder.CreateTrunc(count, c.type());
}

/// Clang has no atomics of 16 bytes for devices; LLVM has.
static Value *exchangeWide(LibraryCall &c) {
  return c.builder.CreateAtomicRMW(AtomicRMWInst::Xchg, c.argument(0), c.argument(1),
                                   Align(16), AtomicOrdering::Monotonic);
}

static Value *compareSwapWide(LibraryCall &c) {
  Value *both = c.builder.CreateAtomicCmpXchg(c.argument(0), c.argument(1), c.argument(2),
                                              Align(16), AtomicOrdering::Monotonic,
                                              AtomicOrdering::Monotonic);
  return c.builder.CreateExtractValue(both, 0);
}

/// An atomic addition of small floats, alone or in pairs, which are passed as their bits.
static LibraryHandler addAtomically(bool isHalf, bool isPair, StringRef scope) {
  return [=](LibraryCall &c) {
    IRBuilder<> &b = c.builder;
    Type *number = isHalf ? b.getHalfTy() : b.getBFloatTy();
    if (isPair)
      number = FixedVectorType::get(number, 2);
    Value *old = b.CreateAtomicRMW(AtomicRMWInst::FAdd, c.argument(0),
                                   b.CreateBitCast(c.argument(1), number),
                                   Align(isPair ? 4 : 2), AtomicOrdering::Monotonic,
                                   b.getContext().getOrInsertSyncScopeID(scope));
    return b.CreateBitCast(old, c.type());
  };
}

static void addSmallAtomics(LibraryTable &table) {
  static constexpr struct {
    const char *suffix, *scope;
  } scopes[] = {{"", "device"}, {"_block", "block"}, {"_system", ""}};
  for (bool isHalf : {false, true})
    for (bool isPair : {false, true})
      for (const auto &[suffix, scope] : scopes)
        table[std::string("het_atomic_add") + (isPair ? "_pair" : "") + suffix +
              (isHalf ? "_half" : "_bfloat")] = addAtomically(isHalf, isPair, scope);
}

/// The place of the lowest set bit, from 1; 0 if there is none.
static Value *findFirstSet(LibraryCall &c) {
  IRBuilder<> &b = c.builder;
  Value *x = c.argument(0);
  Value *count = b.CreateIntrinsic(Intrinsic::cttz, {x->getType()}, {x, b.getFalse()});
  Value *place = b.CreateAdd(b.CreateTrunc(count, c.type()), b.getInt32(1));
  return b.CreateSelect(b.CreateIsNull(x), b.getInt32(0), place);
}

static LibraryHandler highHalf(bool isSigned) {
  return [=](LibraryCall &c) {
    IRBuilder<> &b = c.builder;
    unsigned bits = c.type()->getIntegerBitWidth();
    Type *wide = b.getIntNTy(2 * bits);
    Value *product = b.CreateMul(b.CreateIntCast(c.argument(0), wide, isSigned),
                                 b.CreateIntCast(c.argument(1), wide, isSigned));
    return b.CreateTrunc(b.CreateLShr(product, bits), c.type());
  };
}

/// The product of the low 24 bits.
static LibraryHandler multiply24(bool isSigned) {
  return [=](LibraryCall &c) {
    IRBuilder<> &b = c.builder;
    auto low = [&](Value *x) {
      x = b.CreateShl(x, 8);
      return isSigned ? b.CreateAShr(x, 8) : b.CreateLShr(x, 8);
    };
    return b.CreateMul(low(c.argument(0)), low(c.argument(1)));
  };
}

/// |a - b| + c
static LibraryHandler sumOfDifference(bool isSigned) {
  return [=](LibraryCall &c) {
    Value *a = c.argument(0), *b = c.argument(1);
    auto high = isSigned ? Intrinsic::smax : Intrinsic::umax;
    auto low = isSigned ? Intrinsic::smin : Intrinsic::umin;
    Value *difference =
        c.builder.CreateSub(c.intrinsic(high, {a, b}), c.intrinsic(low, {a, b}));
    return c.builder.CreateAdd(difference, c.argument(2));
  };
}

/// (a + b + rounding) >> 1 without overflow.
static LibraryHandler halfSum(bool isSigned, unsigned rounding) {
  return [=](LibraryCall &c) {
    IRBuilder<> &b = c.builder;
    Type *wide = b.getInt64Ty();
    Value *sum = b.CreateAdd(b.CreateIntCast(c.argument(0), wide, isSigned),
                             b.CreateIntCast(c.argument(1), wide, isSigned));
    sum = b.CreateAdd(sum, b.getInt64(rounding));
    return b.CreateTrunc(b.CreateAShr(sum, 1), c.type());
  };
}

Value *het::permuteBytes(IRBuilder<> &b, Value *low, Value *high, Value *selector) {
  return createMathCall(b, "permute_bytes", false, {low, high, selector}, b.getInt32Ty());
}

static void addIntegers(LibraryTable &table) {
  table["abs"] = table["llabs"] = [](LibraryCall &c) {
    return c.builder.CreateIntrinsic(Intrinsic::abs, {c.type()},
                                     {c.argument(0), c.builder.getFalse()});
  };
  table["brev"] = table["brevll"] = unary(Intrinsic::bitreverse);
  table["popc"] = table["popcll"] = unary(Intrinsic::ctpop);
  table["clz"] = table["clzll"] = leadingZeros;
  table["ffs"] = table["ffsll"] = findFirstSet;
  table["max"] = table["llmax"] = binary(Intrinsic::smax);
  table["min"] = table["llmin"] = binary(Intrinsic::smin);
  table["umax"] = table["ullmax"] = binary(Intrinsic::umax);
  table["umin"] = table["ullmin"] = binary(Intrinsic::umin);
  table["mulhi"] = table["mul64hi"] = highHalf(true);
  table["umulhi"] = table["umul64hi"] = highHalf(false);
  table["mul24"] = multiply24(true);
  table["umul24"] = multiply24(false);
  table["sad"] = sumOfDifference(true);
  table["usad"] = sumOfDifference(false);
  table["hadd"] = halfSum(true, 0);
  table["rhadd"] = halfSum(true, 1);
  table["uhadd"] = halfSum(false, 0);
  table["urhadd"] = halfSum(false, 1);
  table["byte_perm"] = [](LibraryCall &c) {
    // Unlike prmt, which permuteBytes is, it looks at three bits of a selector.
    Value *selectors = c.builder.CreateAnd(c.argument(2), 0x7777);
    return permuteBytes(c.builder, c.argument(0), c.argument(1), selectors);
  };
}

//===----------------------------------------------------------------------===//
// Rounding directions
//===----------------------------------------------------------------------===//

using NearestMaker = Value *(*)(LibraryCall &);

static constexpr struct {
  const char *function; ///< In the math library: function_rz, ….
  NearestMaker nearest;
} roundedFunctions[] = {
    {"add",
     [](LibraryCall &c) { return c.builder.CreateFAdd(c.argument(0), c.argument(1)); }},
    {"sub",
     [](LibraryCall &c) { return c.builder.CreateFSub(c.argument(0), c.argument(1)); }},
    {"mul",
     [](LibraryCall &c) { return c.builder.CreateFMul(c.argument(0), c.argument(1)); }},
    {"div",
     [](LibraryCall &c) { return c.builder.CreateFDiv(c.argument(0), c.argument(1)); }},
    {"rcp",
     [](LibraryCall &c) {
       return c.builder.CreateFDiv(ConstantFP::get(c.type(), 1.0), c.argument(0));
     }},
    {"sqrt",
     [](LibraryCall &c) { return c.intrinsic(Intrinsic::sqrt, {c.argument(0)}); }},
};

static LibraryHandler rounded(const std::string &function) {
  return [=](LibraryCall &c) {
    return c.math(function, false, SmallVector<Value *>(c.call.args()), c.type());
  };
}

static void addRounded(LibraryTable &table) {
  for (const auto &entry : roundedFunctions)
    for (const char *precision : {"f", "d"}) {
      std::string stem = std::string(precision) + entry.function;
      table[stem + "_rn"] = entry.nearest;
      for (const char *direction : {"_rz", "_ru", "_rd"})
        table[stem + direction] = rounded(std::string(entry.function) + direction);
    }
  for (const char *stem : {"fma", "fmaf", "fmaf_ieee"}) {
    table[std::string(stem) + "_rn"] = [](LibraryCall &c) {
      return c.intrinsic(Intrinsic::fma, {c.argument(0), c.argument(1), c.argument(2)});
    };
    for (const char *direction : {"_rz", "_ru", "_rd"})
      table[std::string(stem) + direction] = rounded(std::string("fma") + direction);
  }
}

void het::addLibraryArithmetic(LibraryTable &table) {
  table["het_atomic_exchange_b128"] = exchangeWide;
  table["het_atomic_compare_swap_b128"] = compareSwapWide;
  addSmallAtomics(table);
  addIntegers(table);
  addRounded(table);
  table["fast_fdividef"] = [](LibraryCall &c) {
    auto *quotient =
        cast<Instruction>(c.builder.CreateFDiv(c.argument(0), c.argument(1)));
    quotient->setHasApproxFunc(true);
    quotient->setHasAllowReciprocal(true);
    return quotient;
  };
}
