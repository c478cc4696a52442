// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's builtins for <math.h>, as LLVM IR has them: functions of the C library
// (__builtin_hypotf is hypotf) and intrinsics (__builtin_sinf is llvm.sin.f32).
// Both are the device library's functions: a device has no C library, and what
// an intrinsic gives would differ from one device to the next.

#include "LibraryCalls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"

using namespace het;
using namespace llvm;

/// Intrinsics whose result IEEE 754 does not settle, and those that devices lack.
static constexpr struct {
  Intrinsic::ID id;
  StringLiteral function;
} intrinsics[] = {{Intrinsic::acos, "acos"},
                  {Intrinsic::asin, "asin"},
                  {Intrinsic::atan, "atan"},
                  {Intrinsic::atan2, "atan2"},
                  {Intrinsic::cos, "cos"},
                  {Intrinsic::cosh, "cosh"},
                  {Intrinsic::exp, "exp"},
                  {Intrinsic::exp10, "exp10"},
                  {Intrinsic::exp2, "exp2"},
                  {Intrinsic::frexp, "frexp.pair"},
                  {Intrinsic::ldexp, "ldexp"},
                  {Intrinsic::llrint, "llrint"},
                  {Intrinsic::llround, "llround"},
                  {Intrinsic::log, "log"},
                  {Intrinsic::log10, "log10"},
                  {Intrinsic::log2, "log2"},
                  {Intrinsic::lrint, "lrint"},
                  {Intrinsic::lround, "lround"},
                  {Intrinsic::modf, "modf.pair"},
                  {Intrinsic::pow, "pow"},
                  {Intrinsic::powi, "powi"},
                  {Intrinsic::roundeven, "rint"},
                  {Intrinsic::sin, "sin"},
                  {Intrinsic::sincos, "sincos.pair"},
                  {Intrinsic::sincospi, "sincospi.pair"},
                  {Intrinsic::sinh, "sinh"},
                  {Intrinsic::tan, "tan"},
                  {Intrinsic::tanh, "tanh"}};

static std::string intrinsicName(const Function &function) {
  Type *type = function.arg_empty() ? nullptr : function.getArg(0)->getType();
  if (!type || (!type->isFloatTy() && !type->isDoubleTy()))
    return {};
  for (const auto &entry : intrinsics)
    if (entry.id == function.getIntrinsicID())
      return (entry.function + (type->isFloatTy() ? "f" : "")).str();
  return {};
}

/// Functions of the C library that the table has under their names, for double,
/// float (with an f) and long double (with an l), which is double on a device.
/// Their types begin with the result: r is the real type, v void, i an int, l a
/// long, p a pointer.
static constexpr struct {
  StringLiteral names;
  StringLiteral types;
} functions[] = {
    {"acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp10 "
     "exp2 expm1 fabs floor lgamma log log10 log1p log2 logb nearbyint rint "
     "round sin sinh sqrt tan tanh tgamma trunc",
     "rr"},
    {"atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder", "rrr"},
    {"fma", "rrrr"},
    {"ldexp scalbn", "rri"},
    {"scalbln", "rrl"},
    {"ilogb", "ir"},
    {"llrint llround lrint lround", "lr"},
    {"frexp modf", "rrp"},
    {"remquo", "rrrp"},
    {"sincos", "vrpp"},
    {"nan", "rp"}};

static bool isOfType(Type *type, char letter, Type *real) {
  switch (letter) {
  case 'r':
    return type == real;
  case 'i':
    return type->isIntegerTy(32);
  case 'l':
    return type->isIntegerTy(64);
  case 'p':
    return type->isPointerTy();
  default:
    return type->isVoidTy();
  }
}

static bool hasTypes(const Function &function, StringRef types, Type *real) {
  if (function.arg_size() + 1 != types.size() ||
      !isOfType(function.getReturnType(), types.front(), real))
    return false;
  for (const Argument &argument : function.args())
    if (!isOfType(argument.getType(), types[argument.getArgNo() + 1], real))
      return false;
  return true;
}

/// The table's name of a function of the C library with this name for `real`.
static std::string libraryName(const Function &function, StringRef name, Type *real) {
  for (const auto &group : functions) {
    SmallVector<StringRef> names;
    group.names.split(names, ' ');
    if (is_contained(names, name) && hasTypes(function, group.types, real))
      return (name + (real->isFloatTy() ? "f" : "")).str();
  }
  return {};
}

std::string het::builtinName(const Function &function) {
  if (function.isIntrinsic())
    return intrinsicName(function);
  StringRef name = function.getName();
  LLVMContext &context = function.getContext();
  std::string found = libraryName(function, name, Type::getDoubleTy(context));
  if (found.empty() && name.ends_with("f"))
    found = libraryName(function, name.drop_back(), Type::getFloatTy(context));
  if (found.empty() && name.ends_with("l"))
    found = libraryName(function, name.drop_back(), Type::getDoubleTy(context));
  return found;
}

/// The two results of an intrinsic as it gives them.
static Value *makePair(LibraryCall &c, Value *first, Value *second) {
  Value *pair = c.builder.CreateInsertValue(PoisonValue::get(c.type()), first, 0);
  return c.builder.CreateInsertValue(pair, second, 1);
}

/// Two functions of one argument.
static LibraryHandler pairOf(StringRef first, StringRef second) {
  return [=](LibraryCall &c) {
    auto *type = cast<StructType>(c.type());
    Value *x = c.argument(0);
    return makePair(c, c.math(first, false, {x}, type->getElementType(0)),
                    c.math(second, false, {x}, type->getElementType(1)));
  };
}

void het::addLibraryBuiltins(LibraryTable &table) {
  for (const char *suffix : {"", "f"}) {
    auto both = [&](StringRef name) -> LibraryHandler & {
      return table[(name + ".pair" + suffix).str()];
    };
    both("frexp") = pairOf("frexp", "frexp_exponent");
    both("sincos") = pairOf("sin", "cos");
    both("sincospi") = pairOf("sinpi", "cospi");
    both("modf") = [](LibraryCall &c) {
      auto [fraction, integral] = splitIntegral(c);
      return makePair(c, fraction, integral);
    };
  }
}
