// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device library's mathematical functions, by the list of math_functions.def.
//
// A name without `f` at its end stands for both precisions. LLVM's own
// intrinsics serve where IEEE 754 leaves one result (sqrt, fma, rounding,
// minimum): they are the same bits on every device.

#include "LibraryCalls.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"

using namespace het;
using namespace llvm;

namespace {
enum Forms { Exact, Fast };
} // namespace

/// Functions of the math library with plain arguments and one result. What -use_fast_math
/// makes of a Fast one of float `__name` always is.
static constexpr struct {
  StringLiteral name;
  Forms forms;
} mathFunctions[] = {
#define HET_MATH(signature, name, forms, ...) {#name, forms},
#include "../../runtime/include/__het/math_functions.def"
};

/// Functions on the bytes of words.
static constexpr StringLiteral bytesFunctions[] = {
#define HET_BYTES_1(name) #name,
#define HET_BYTES_2(name) #name,
#include "../../runtime/include/__het/byte_functions.def"
};

static SmallVector<Value *> argumentsOf(LibraryCall &c) {
  return SmallVector<Value *>(c.call.args());
}

/// `forms`: those that there are of its type.
static LibraryHandler mathFunction(const std::string &function, Forms forms = Exact) {
  return [=](LibraryCall &c) {
    return c.math(function, forms == Fast && c.options.fastMath, argumentsOf(c),
                  c.type());
  };
}

static LibraryHandler plainIntrinsic(Intrinsic::ID id) {
  return [=](LibraryCall &c) { return c.intrinsic(id, argumentsOf(c)); };
}

static Value *storeBoth(LibraryCall &c, StringRef first, StringRef second,
                        bool approximate) {
  Value *x = c.argument(0);
  c.builder.CreateStore(c.math(first, approximate, {x}, x->getType()), c.argument(1));
  c.builder.CreateStore(c.math(second, approximate, {x}, x->getType()), c.argument(2));
  return nullptr;
}

std::pair<Value *, Value *> het::splitIntegral(LibraryCall &c) {
  IRBuilder<> &b = c.builder;
  Value *x = c.argument(0);
  Value *integral = c.intrinsic(Intrinsic::trunc, {x});
  Value *infinite = b.CreateFCmpOEQ(c.intrinsic(Intrinsic::fabs, {x}),
                                    ConstantFP::getInfinity(x->getType()));
  Value *rest = b.CreateSelect(infinite, ConstantFP::get(x->getType(), 0.0),
                               b.CreateFSub(x, integral));
  return {c.intrinsic(Intrinsic::copysign, {rest, x}), integral};
}

static Value *storeIntegral(LibraryCall &c) {
  auto [fraction, integral] = splitIntegral(c);
  c.builder.CreateStore(integral, c.argument(1));
  return fraction;
}

static Value *splitExponent(LibraryCall &c) {
  Value *x = c.argument(0);
  c.builder.CreateStore(c.math("frexp_exponent", false, {x}, c.builder.getInt32Ty()),
                        c.argument(1));
  return c.math("frexp", false, {x}, c.type());
}

/// scalbln: a count that no int holds scales to infinity or zero, as the largest
/// one does.
static Value *scaleByLong(LibraryCall &c) {
  Value *count = c.argument(1);
  for (auto [id, bound] :
       {std::pair(Intrinsic::smax, INT32_MIN), std::pair(Intrinsic::smin, INT32_MAX)})
    count = c.intrinsic(id, {count, ConstantInt::getSigned(count->getType(), bound)});
  Value *operands[] = {c.argument(0),
                       c.builder.CreateTrunc(count, c.builder.getInt32Ty())};
  return c.math("ldexp", false, operands, c.type());
}

static Value *remainderAndQuotient(LibraryCall &c) {
  Value *operands[] = {c.argument(0), c.argument(1)};
  c.builder.CreateStore(
      c.math("remquo_quotient", false, operands, c.builder.getInt32Ty()), c.argument(2));
  return c.math("remainder", false, operands, c.type());
}

static Value *saturate(LibraryCall &c) {
  // NaN becomes 0: maximumnum takes the other operand.
  Value *low =
      c.intrinsic(Intrinsic::maximumnum, {c.argument(0), ConstantFP::get(c.type(), 0.0)});
  return c.intrinsic(Intrinsic::minimumnum, {low, ConstantFP::get(c.type(), 1.0)});
}

static LibraryHandler classify(unsigned mask) {
  return [=](LibraryCall &c) {
    Value *is = c.builder.createIsFPClass(c.argument(0), mask);
    return c.builder.CreateZExt(is, c.type());
  };
}

static Value *signBit(LibraryCall &c) {
  unsigned bits = c.argument(0)->getType()->getPrimitiveSizeInBits();
  Value *raw = c.builder.CreateBitCast(c.argument(0), c.builder.getIntNTy(bits));
  return c.builder.CreateZExtOrTrunc(c.builder.CreateLShr(raw, bits - 1), c.type());
}

static void addClassification(LibraryTable &table) {
  for (const char *suffix : {"f", "d"}) {
    table[std::string("isnan") + suffix] = classify(fcNan);
    table[std::string("isinf") + suffix] = classify(fcInf);
    table[std::string("signbit") + suffix] = signBit;
  }
  table["finitef"] = table["isfinited"] = classify(fcFinite);
}

static void addIntrinsics(LibraryTable &table) {
  static const struct {
    const char *name;
    Intrinsic::ID id;
  } both[] = {{"ceil", Intrinsic::ceil},       {"copysign", Intrinsic::copysign},
              {"fabs", Intrinsic::fabs},       {"floor", Intrinsic::floor},
              {"fma", Intrinsic::fma},         {"fmax", Intrinsic::maximumnum},
              {"fmin", Intrinsic::minimumnum}, {"nearbyint", Intrinsic::rint},
              {"rint", Intrinsic::rint},       {"round", Intrinsic::round},
              {"sqrt", Intrinsic::sqrt},       {"trunc", Intrinsic::trunc}};
  for (const auto &entry : both) {
    table[entry.name] = plainIntrinsic(entry.id);
    table[std::string(entry.name) + "f"] = plainIntrinsic(entry.id);
  }
}

void het::addLibraryMath(LibraryTable &table) {
  addIntrinsics(table);
  for (StringRef function :
       {"fma_half_rn", "fma_bfloat_rn", "dot4_ss", "dot4_su", "dot4_us", "dot4_uu",
        "dot2_lo_ss", "dot2_lo_su", "dot2_lo_us", "dot2_lo_uu", "dot2_hi_ss",
        "dot2_hi_su", "dot2_hi_us", "dot2_hi_uu", "e4m3x2_from_floats_rn",
        "e5m2x2_from_floats_rn", "half2_from_e4m3x2"})
    table[function] = mathFunction(function.str());
  for (StringRef function : bytesFunctions)
    table[function] = mathFunction(function.str());
  for (const char *type : {"_half", "_bfloat"})
    for (std::string function : {"max", "min", "max_nan", "min_nan"})
      table[function + type] = mathFunction(function + type);
  addClassification(table);
  for (const auto &entry : mathFunctions) {
    StringRef function = entry.name;
    Forms forms = entry.forms;
    table[function] = mathFunction(function.str());
    table[(function + "f").str()] = mathFunction(function.str(), forms);
    if (forms == Fast)
      table[("fast_" + function + "f").str()] = [=](LibraryCall &c) {
        return c.math(function, true, argumentsOf(c), c.type());
      };
  }
  for (const char *suffix : {"", "f"}) {
    auto both = [&](const char *name) -> LibraryHandler & {
      return table[std::string(name) + suffix];
    };
    bool single = *suffix;
    both("modf") = storeIntegral;
    both("frexp") = splitExponent;
    both("remquo") = remainderAndQuotient;
    both("scalbn") = mathFunction("ldexp");
    both("scalbln") = scaleByLong;
    both("sincos") = [=](LibraryCall &c) {
      return storeBoth(c, "sin", "cos", single && c.options.fastMath);
    };
    both("sincospi") = [](LibraryCall &c) {
      return storeBoth(c, "sinpi", "cospi", false);
    };
    both("nan") = [](LibraryCall &c) -> Value * { return ConstantFP::getQNaN(c.type()); };
  }
  table["saturatef"] = saturate;
  // There is no `__rsqrtf`: NVIDIA's function is an approximation without options, too.
  table["rsqrtf"] = mathFunction("rsqrt", Fast);
  table["frsqrt_rn"] = mathFunction("rsqrt_rn");
  table["fast_sincosf"] = [](LibraryCall &c) { return storeBoth(c, "sin", "cos", true); };
}
