// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device library's conversions, with their rounding directions, and its
// reinterpretations of bits; and the conversions of plain C.
//
// A conversion to an integer saturates. NaN becomes 0 where float meets 32 bits,
// and elsewhere the value with the highest bit set alone (PTX ISA, cvt). LLVM's
// own fptosi leaves all that open, and each machine has its own answer, so plain
// conversions are pinned down too.

#include "LibraryCalls.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace het;
using namespace llvm;

/// The rounding to an integral value that goes before a conversion.
static const struct {
  const char *suffix;
  Intrinsic::ID rounding; ///< not_intrinsic: the conversion truncates itself.
} directions[] = {{"_rn", Intrinsic::rint},
                  {"_rz", Intrinsic::not_intrinsic},
                  {"_ru", Intrinsic::ceil},
                  {"_rd", Intrinsic::floor}};

static Value *convertToInteger(IRBuilder<> &b, Value *x, Type *type, bool isSigned) {
  unsigned bits = type->getIntegerBitWidth();
  // Types narrower than a register are cut from one.
  Type *wide = b.getIntNTy(std::max(bits, 32u));
  auto id = isSigned ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
  Value *result = b.CreateIntrinsic(id, {wide, x->getType()}, {x});
  if (wide->getIntegerBitWidth() > 32 || x->getType()->isDoubleTy()) {
    Value *top = ConstantInt::get(wide, APInt::getSignMask(wide->getIntegerBitWidth()));
    result = b.CreateSelect(b.CreateFCmpUNO(x, x), top, result);
  }
  return b.CreateTrunc(result, type);
}

void het::pinConversions(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      bool isSigned = isa<FPToSIInst>(instruction);
      if ((!isSigned && !isa<FPToUIInst>(instruction)) ||
          instruction.getType()->isVectorTy())
        continue;
      IRBuilder<> builder(&instruction);
      instruction.replaceAllUsesWith(convertToInteger(builder, instruction.getOperand(0),
                                                      instruction.getType(), isSigned));
      instruction.eraseFromParent();
    }
}

static LibraryHandler toInteger(Intrinsic::ID rounding, bool isSigned) {
  return [=](LibraryCall &c) {
    Value *x = c.argument(0);
    if (rounding != Intrinsic::not_intrinsic)
      x = c.intrinsic(rounding, {x});
    return convertToInteger(c.builder, x, c.type(), isSigned);
  };
}

static LibraryHandler mathConversion(const std::string &function) {
  return
      [=](LibraryCall &c) { return c.math(function, false, {c.argument(0)}, c.type()); };
}

static LibraryHandler fromInteger(bool isSigned) {
  return [=](LibraryCall &c) {
    return isSigned ? c.builder.CreateSIToFP(c.argument(0), c.type())
                    : c.builder.CreateUIToFP(c.argument(0), c.type());
  };
}

static void addIntegerConversions(LibraryTable &table) {
  static const struct {
    const char *name;
    bool isSigned;
  } integers[] = {{"int", true}, {"uint", false}, {"ll", true}, {"ull", false}};
  for (const auto &integer : integers)
    for (std::string floating : {"float", "double"})
      for (const auto &direction : directions) {
        std::string name = integer.name;
        table[floating + "2" + name + direction.suffix] =
            toInteger(direction.rounding, integer.isSigned);
        // Direction by direction the math library has float_from_ll_rz, ….
        bool nearest = direction.rounding == Intrinsic::rint;
        table[name + "2" + floating + direction.suffix] =
            nearest ? fromInteger(integer.isSigned)
                    : mathConversion(floating + "_from_" + name + direction.suffix);
      }
}

static void addFloatConversions(LibraryTable &table) {
  table["double2float_rn"] = [](LibraryCall &c) {
    return c.builder.CreateFPTrunc(c.argument(0), c.type());
  };
  for (std::string suffix : {"_rz", "_ru", "_rd"})
    table["double2float" + suffix] = mathConversion("float_from_double" + suffix);
  table["float2bfloat_rn"] = mathConversion("bfloat_from_float_rn");
  table["float2half_rn"] = [](LibraryCall &c) {
    Value *half = c.builder.CreateFPTrunc(c.argument(0), c.builder.getHalfTy());
    return c.builder.CreateBitCast(half, c.type());
  };
  table["half2float"] = [](LibraryCall &c) {
    Value *half = c.builder.CreateBitCast(c.argument(0), c.builder.getHalfTy());
    return c.builder.CreateFPExt(half, c.type());
  };
}

/// Conversions to half precision and bfloat16, as their bits, rounded once:
/// "half_from_int_rz". Those of float to nearest are elsewhere, and there are none of
/// double in other directions.
static void addSmallFloats(LibraryTable &table) {
  for (std::string small : {"half", "bfloat"})
    for (const auto &direction : directions)
      for (std::string from : {"int", "uint", "ll", "ull", "float", "double"}) {
        const bool isNearest = direction.rounding == Intrinsic::rint;
        if (from == "double" ? isNearest : from == "float" ? !isNearest : true) {
          const std::string name = small + "_from_" + from + direction.suffix;
          table[name] = mathConversion(name);
        }
      }
}

static void addRoundingToLong(LibraryTable &table) {
  for (const char *suffix : {"", "f"}) {
    table[std::string("llrint") + suffix] = toInteger(Intrinsic::rint, true);
    table[std::string("lrint") + suffix] = toInteger(Intrinsic::rint, true);
    table[std::string("llround") + suffix] = toInteger(Intrinsic::round, true);
    table[std::string("lround") + suffix] = toInteger(Intrinsic::round, true);
  }
}

static Value *highWord(LibraryCall &c) {
  Value *bits = c.builder.CreateBitCast(c.argument(0), c.builder.getInt64Ty());
  return c.builder.CreateTrunc(c.builder.CreateLShr(bits, 32), c.type());
}

static Value *lowWord(LibraryCall &c) {
  Value *bits = c.builder.CreateBitCast(c.argument(0), c.builder.getInt64Ty());
  return c.builder.CreateTrunc(bits, c.type());
}

static Value *joinWords(LibraryCall &c) {
  IRBuilder<> &b = c.builder;
  Value *high = b.CreateShl(b.CreateZExt(c.argument(0), b.getInt64Ty()), 32);
  Value *low = b.CreateZExt(c.argument(1), b.getInt64Ty());
  return b.CreateBitCast(b.CreateOr(high, low), c.type());
}

void het::addLibraryConversions(LibraryTable &table) {
  addIntegerConversions(table);
  addFloatConversions(table);
  addSmallFloats(table);
  addRoundingToLong(table);
  for (const char *name : {"float_as_int", "float_as_uint", "int_as_float",
                           "uint_as_float", "double_as_longlong", "longlong_as_double"})
    table[name] = [](LibraryCall &c) {
      return c.builder.CreateBitCast(c.argument(0), c.type());
    };
  table["double2hiint"] = highWord;
  table["double2loint"] = lowWord;
  table["hiloint2double"] = joinWords;
}
