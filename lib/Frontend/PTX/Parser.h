// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grammar of PTX's statements (PTX ISA, Syntax; Statements): what stands in a body,
// that of a function or of an asm statement.

#ifndef HET_LIB_FRONTEND_PTX_PARSER_H
#define HET_LIB_FRONTEND_PTX_PARSER_H

#include "Lexer.h"
#include "Syntax.h"

#include "llvm/ADT/Twine.h"

namespace het::ptx {

/// The statements of a text, or why it is none of PTX.
class Parser {
public:
  explicit Parser(llvm::StringRef text) : lexer(text), token(lexer.next()) {}

  /// The statements up to the end; empty, with a fault, if there are errors.
  std::optional<std::vector<Statement>> parseBody();
  const Fault &fault() const { return found; }

protected:
  void advance() { token = lexer.next(); }
  bool consume(llvm::StringRef punctuation);
  bool expect(llvm::StringRef punctuation);
  bool fail(const llvm::Twine &expected);

  /// `.param .u64 name[4] = …`, from behind the space up to the name and what follows it.
  bool parseVariable(Variable &variable);
  bool parseSignaturePart(std::vector<Variable> &part);
  bool parseStatement();
  bool parseLabelDirective(unsigned line, llvm::StringRef label);
  bool parseDirective(unsigned line);
  bool parseVariables(unsigned line);
  bool parseType(Variable &variable);
  bool parseDeclarator(Variable &variable);
  bool parseDimensions(Variable &variable);
  bool parseInitial(Variable &variable);
  bool parseInitialPart(Variable &variable);
  bool parseInstruction(unsigned line);
  bool parseOperand(Operand &operand);
  bool parsePrimary(Operand &operand);
  bool parseAddress(Operand &operand);
  bool parseParts(Operand &operand, Operand::Kind kind, llvm::StringRef end);
  bool parseNumber(Operand &operand);
  bool parseSum(uint64_t &value, unsigned precedence = 0);
  bool parseUnary(uint64_t &value);
  bool skipLine();

  bool isCall = false; ///< Parentheses are lists, not sums.

  Statement &add(Statement::Kind kind, unsigned line);

  Lexer lexer;
  Token token;
  std::vector<Statement> statements;
  Fault found;
  unsigned scopes = 0; ///< How many are open.
  unsigned depth = 0;  ///< Of the operand or number that is being read.
};

} // namespace het::ptx

#endif // HET_LIB_FRONTEND_PTX_PARSER_H
