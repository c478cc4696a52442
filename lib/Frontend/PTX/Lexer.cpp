// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lexer.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Error.h"

using namespace het::ptx;
using llvm::StringRef;

static bool isNameStart(char c) {
  return llvm::isAlpha(c) || c == '_' || c == '$' || c == '%';
}

static bool isNamePart(char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; }

/// The length of the name that a text begins with, dots and all. `%%` is one percent
/// sign of a text that was written for an asm statement without operands.
static size_t nameLength(StringRef text) {
  size_t length = 1;
  while (length < text.size()) {
    const StringRef behind = text.substr(length);
    if (isNamePart(behind[0]) || (length == 1 && text[0] == '%' && behind[0] == '%'))
      ++length;
    else if (behind[0] == '.' && behind.size() > 1 && isNamePart(behind[1]))
      length += 2;
    else if (behind.starts_with("::") && behind.size() > 2 && isNamePart(behind[2]))
      length += 3;
    else
      break;
  }
  return length;
}

void Lexer::skipSpace() {
  while (!rest.empty()) {
    if (rest.starts_with("//")) {
      rest = rest.drop_until([](char c) { return c == '\n'; });
    } else if (rest.starts_with("/*")) {
      const size_t end = std::min(rest.find("*/", 2), rest.size());
      line += rest.take_front(end).count('\n');
      rest = rest.drop_front(std::min(end + 2, rest.size()));
    } else if (llvm::isSpace(rest.front())) {
      line += rest.front() == '\n';
      rest = rest.drop_front();
    } else {
      return;
    }
  }
}

Token Lexer::take(Token::Kind kind, size_t length) {
  Token token{kind, rest.take_front(length), 0, line};
  rest = rest.drop_front(token.text.size());
  return token;
}

/// 0f3F800000 and 0d3FF0000000000000: the bits of a value.
Token Lexer::hexadecimalReal(unsigned digits) {
  const StringRef text = rest.substr(2, digits);
  uint64_t bits = 0;
  Token token = take(Token::Kind::Real, 2 + digits);
  if (text.size() != digits || text.getAsInteger(16, bits)) {
    token.kind = Token::Kind::Invalid;
    return token;
  }
  token.value = digits == 16 ? bits
                             : llvm::bit_cast<uint64_t>(static_cast<double>(
                                   llvm::bit_cast<float>(static_cast<uint32_t>(bits))));
  return token;
}

Token Lexer::number() {
  if (rest.starts_with_insensitive("0f"))
    return hexadecimalReal(8);
  if (rest.starts_with_insensitive("0d"))
    return hexadecimalReal(16);
  size_t length = 0;
  bool isReal = false;
  const bool isHexadecimal = rest.starts_with_insensitive("0x");
  while (length < rest.size()) {
    const char c = rest[length];
    const bool isExponent = !isHexadecimal && (c == 'e' || c == 'E');
    isReal |= c == '.' || isExponent;
    if (isExponent && length + 1 < rest.size() &&
        (rest[length + 1] == '-' || rest[length + 1] == '+'))
      ++length;
    else if (!llvm::isAlnum(c) && c != '.')
      break;
    ++length;
  }
  Token token = take(isReal ? Token::Kind::Real : Token::Kind::Integer, length);
  if (isReal) {
    llvm::APFloat value(llvm::APFloat::IEEEdouble());
    auto status = value.convertFromString(token.text, llvm::APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      token.kind = Token::Kind::Invalid;
    }
    token.value = value.bitcastToAPInt().getZExtValue();
    return token;
  }
  StringRef digits = token.text;
  if (!digits.consume_back("U"))
    digits.consume_back("u");
  if (digits.getAsInteger(0, token.value))
    token.kind = Token::Kind::Invalid;
  return token;
}

Token Lexer::next() {
  skipSpace();
  if (rest.empty())
    return {Token::Kind::End, rest, 0, line};
  const char c = rest.front();
  if (isNameStart(c))
    return take(Token::Kind::Word, nameLength(rest));
  if (c == '.' && rest.size() > 1 && (llvm::isAlpha(rest[1]) || rest[1] == '_'))
    return take(Token::Kind::Directive, // `.reg.b16` is two
                1 + rest.drop_front().take_while(isNamePart).size());
  if (llvm::isDigit(c) || (c == '.' && rest.size() > 1 && llvm::isDigit(rest[1])))
    return number();
  if (c == '"') {
    const size_t end = rest.find('"', 1);
    return end == StringRef::npos ? take(Token::Kind::Invalid, rest.size())
                                  : take(Token::Kind::String, end + 1);
  }
  if (rest.starts_with("<<") || rest.starts_with(">>"))
    return take(Token::Kind::Punctuation, 2);
  static constexpr StringRef punctuation = "{}[](),;:@!|+-*/%<>=~&^?_";
  return take(punctuation.contains(c) ? Token::Kind::Punctuation : Token::Kind::Invalid,
              1);
}
