// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Syntax.h"

#include "llvm/ADT/STLExtras.h"

using namespace het::ptx;
using llvm::StringRef;

std::optional<Type> het::ptx::readType(StringRef word) {
  if (word == "pred")
    return Type::predicate();
  Type type;
  if (word.consume_front("bf"))
    type.kind = Type::Kind::BFloat;
  else if (word.consume_front("b"))
    type.kind = Type::Kind::Bits;
  else if (word.consume_front("u"))
    type.kind = Type::Kind::Unsigned;
  else if (word.consume_front("s"))
    type.kind = Type::Kind::Signed;
  else if (word.consume_front("f") || word.consume_front("tf"))
    type.kind = Type::Kind::Float;
  else
    return std::nullopt;
  const auto [bits, lanes] = word.split('x');
  if (bits.getAsInteger(10, type.bits) ||
      (!lanes.empty() && lanes.getAsInteger(10, type.lanes)))
    return std::nullopt;
  static constexpr unsigned widths[] = {8, 16, 32, 64, 128};
  if (!llvm::is_contained(widths, type.bits) ||
      !llvm::is_contained(widths, type.width()) || (word.ends_with("x")))
    return std::nullopt;
  return type;
}
