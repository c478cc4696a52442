// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts a text of PTX into tokens. Names with their dots are one token, since dots join
// what instructions and special registers are made of: `ld.global.u32`, `%tid.x`.

#ifndef HET_LIB_FRONTEND_PTX_LEXER_H
#define HET_LIB_FRONTEND_PTX_LEXER_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace het::ptx {

struct Token {
  enum class Kind : uint8_t {
    End,
    Word,      ///< `add.s32`, `%r1`, `$L`
    Directive, ///< `.reg`
    Integer,
    Real,
    String,
    Punctuation, ///< One character, or `<<` and `>>`.
    Invalid
  };
  Kind kind = Kind::End;
  llvm::StringRef text;
  uint64_t value = 0; ///< Of a number; of a Real the bits of a double.
  unsigned line = 1;

  bool is(llvm::StringRef punctuation) const {
    return kind == Kind::Punctuation && text == punctuation;
  }
};

class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : rest(text) {}

  Token next();

private:
  void skipSpace();
  Token take(Token::Kind kind, size_t length);
  Token number();
  Token hexadecimalReal(unsigned digits);

  llvm::StringRef rest;
  unsigned line = 1;
};

} // namespace het::ptx

#endif // HET_LIB_FRONTEND_PTX_LEXER_H
