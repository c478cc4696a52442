// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parser.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using namespace het::ptx;
using llvm::StringRef;
using llvm::Twine;

/// Nothing that is meant nests deeper; a hostile text would use up the stack.
static constexpr unsigned maxDepth = 64;

bool Parser::consume(StringRef punctuation) {
  if (!token.is(punctuation))
    return false;
  advance();
  return true;
}

bool Parser::fail(const Twine &expected) {
  if (!found.message.empty())
    return false;
  const StringRef what = token.kind == Token::Kind::End ? "the end" : token.text;
  found = {token.line,
           ("found '" + what.take_front(40) + "', expected " + expected).str()};
  return false;
}

bool Parser::expect(StringRef punctuation) {
  return consume(punctuation) || fail("'" + punctuation + "'");
}

Statement &Parser::add(Statement::Kind kind, unsigned line) {
  statements.push_back({kind, line, {}, {}, {}});
  return statements.back();
}

std::optional<std::vector<Statement>> Parser::parseBody() {
  while (token.kind != Token::Kind::End)
    if (!parseStatement())
      return std::nullopt;
  if (scopes) {
    fail("'}'");
    return std::nullopt;
  }
  return std::move(statements);
}

bool Parser::parseStatement() {
  const unsigned line = token.line;
  if (consume(";"))
    return true;
  if (consume("{")) {
    ++scopes;
    add(Statement::Kind::Open, line);
    return true;
  }
  if (token.is("}")) {
    if (scopes == 0)
      return fail("a statement");
    --scopes;
    advance();
    add(Statement::Kind::Close, line);
    return true;
  }
  if (token.kind == Token::Kind::Directive)
    return parseDirective(line);
  return parseInstruction(line);
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

bool Parser::skipLine() {
  while (token.kind != Token::Kind::End && !token.is(";"))
    advance();
  return true;
}

bool Parser::parseDirective(unsigned line) {
  static constexpr StringRef spaces[] = {".reg", ".shared", ".local", ".param"};
  if (llvm::is_contained(spaces, token.text))
    return parseVariables(line);
  // What tools know a body by, and wishes.
  if (token.text == ".loc") {
    while (token.kind != Token::Kind::End && token.line == line)
      advance();
    return true;
  }
  if (token.text == ".pragma")
    return skipLine();
  return fail("a statement; this directive is not supported in a body");
}

bool Parser::parseVariables(unsigned line) {
  Variable common;
  common.space = token.text.drop_front();
  advance();
  while (token.kind == Token::Kind::Directive) {
    const StringRef word = token.text.drop_front();
    advance();
    if (word == "align") {
      if (token.kind != Token::Kind::Integer || token.value == 0 || token.value > 4096)
        return fail("an alignment");
      common.alignment = token.value;
      advance();
    } else if (word == "v2" || word == "v4" || word == "v8") {
      common.vector = word[1] - '0';
    } else if (auto type = readType(word)) {
      common.type = *type;
    } else {
      return fail("a type");
    }
  }
  if (common.type.kind == Type::Kind::None)
    return fail("a type");
  do {
    Variable variable = common;
    if (!parseDeclarator(variable))
      return false;
    add(Statement::Kind::Variable, line).variable = variable;
  } while (consume(","));
  return expect(";");
}

bool Parser::parseDeclarator(Variable &variable) {
  if (token.kind != Token::Kind::Word)
    return fail("a name");
  variable.name = token.text;
  advance();
  if (variable.space != "reg")
    return true;
  if (!consume("<"))
    return true;
  static constexpr uint64_t mostRegisters = 1 << 20;
  if (token.kind != Token::Kind::Integer || token.value == 0 ||
      token.value > mostRegisters)
    return fail("how many registers");
  variable.range = token.value;
  advance();
  return expect(">");
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

bool Parser::parseInstruction(unsigned line) {
  Instruction instruction;
  if (consume("@")) {
    instruction.isGuardNegated = consume("!");
    if (token.kind != Token::Kind::Word)
      return fail("a predicate");
    instruction.guard = token.text;
    advance();
  }
  if (token.kind != Token::Kind::Word)
    return fail("an instruction");
  instruction.text = token.text;
  advance();
  if (instruction.guard.empty() && consume(":")) {
    add(Statement::Kind::Label, line).label = instruction.text;
    return true;
  }
  const auto [opcode, modifiers] = instruction.text.split('.');
  instruction.opcode = opcode;
  modifiers.split(instruction.modifiers, '.', -1, /*KeepEmpty=*/false);
  while (!token.is(";") && token.kind != Token::Kind::End && !token.is("}")) {
    Operand operand;
    if (!parseOperand(operand))
      return false;
    instruction.operands.push_back(std::move(operand));
    if (!consume(",") && !token.is(";"))
      break;
  }
  // The last one of an asm statement may lack it.
  if (token.kind != Token::Kind::End && !token.is("}") && !expect(";"))
    return false;
  add(Statement::Kind::Instruction, line).instruction = std::move(instruction);
  return true;
}

bool Parser::parseParts(Operand &operand, Operand::Kind kind, StringRef end) {
  operand.kind = kind;
  if (consume(end))
    return true;
  do {
    Operand part;
    if (!parseOperand(part))
      return false;
    operand.parts.push_back(std::move(part));
  } while (consume(","));
  return expect(end);
}

bool Parser::parseOperand(Operand &operand) {
  if (++depth > maxDepth)
    return fail("fewer brackets");
  const bool isRead = parsePrimary(operand);
  --depth;
  if (!isRead || !token.is("|") ||
      (operand.kind != Operand::Kind::Name && operand.kind != Operand::Kind::Sink))
    return isRead;
  advance();
  Operand pair, second;
  if (!parsePrimary(second))
    return false;
  pair.kind = Operand::Kind::Pair;
  pair.parts = {std::move(operand), std::move(second)};
  operand = std::move(pair);
  return true;
}

bool Parser::parsePrimary(Operand &operand) {
  if (consume("{"))
    return parseParts(operand, Operand::Kind::Vector, "}");
  if (consume("["))
    return parseAddress(operand);
  operand.isNegated = token.is("!");
  if (operand.isNegated)
    advance();
  if (token.kind == Token::Kind::Word) {
    operand.kind = token.text == "_" ? Operand::Kind::Sink : Operand::Kind::Name;
    operand.name = token.text;
    advance();
    if (operand.kind == Operand::Kind::Name && consume("+")) // sym+4
      return parseSum(operand.integer);
    return true;
  }
  return parseNumber(operand);
}

bool Parser::parseAddress(Operand &operand) {
  operand.kind = Operand::Kind::Address;
  if (token.kind == Token::Kind::Word) {
    operand.name = token.text;
    advance();
    if (consume(","))
      return parseParts(operand, Operand::Kind::Address, "]");
    const bool isLess = token.is("-");
    if (!isLess && !consume("+"))
      return expect("]");
  }
  return parseSum(operand.integer) && expect("]");
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

bool Parser::parseNumber(Operand &operand) {
  bool isMinus = false;
  if (token.kind == Token::Kind::Real || token.is("-")) {
    isMinus = consume("-");
    if (token.kind == Token::Kind::Real) {
      operand.kind = Operand::Kind::Real;
      operand.integer = token.value ^ (isMinus ? uint64_t(1) << 63 : 0);
      advance();
      return true;
    }
  }
  operand.kind = Operand::Kind::Integer;
  if (!isMinus)
    return parseSum(operand.integer);
  uint64_t value = 0;
  if (!parseUnary(value))
    return false;
  operand.integer = 0 - value;
  return true;
}

static unsigned precedenceOf(const Token &token) {
  if (token.kind != Token::Kind::Punctuation)
    return 0;
  return llvm::StringSwitch<unsigned>(token.text)
      .Case("|", 1)
      .Case("^", 2)
      .Case("&", 3)
      .Cases({"<<", ">>"}, 4)
      .Cases({"+", "-"}, 5)
      .Cases({"*", "/", "%"}, 6)
      .Default(0);
}

static std::optional<uint64_t> evaluate(StringRef sign, uint64_t a, uint64_t b) {
  switch (sign[0]) {
  case '|':
    return a | b;
  case '^':
    return a ^ b;
  case '&':
    return a & b;
  case '<':
    return b < 64 ? a << b : 0;
  case '>':
    return b < 64 ? a >> b : 0;
  case '+':
    return a + b;
  case '-':
    return a - b;
  case '*':
    return a * b;
  default:
    if (b == 0)
      return std::nullopt;
    return sign[0] == '/' ? a / b : a % b;
  }
}

bool Parser::parseSum(uint64_t &value, unsigned precedence) {
  if (++depth > maxDepth)
    return fail("fewer brackets");
  if (!parseUnary(value))
    return false;
  while (unsigned own = precedenceOf(token)) {
    if (own <= precedence)
      break;
    const StringRef sign = token.text;
    advance();
    uint64_t right = 0;
    if (!parseSum(right, own))
      return false;
    std::optional<uint64_t> result = evaluate(sign, value, right);
    if (!result)
      return fail("a divisor that is not 0");
    value = *result;
  }
  --depth;
  return true;
}

bool Parser::parseUnary(uint64_t &value) {
  if (++depth > maxDepth)
    return fail("fewer brackets");
  bool isRead;
  if (consume("-")) {
    isRead = parseUnary(value);
    value = 0 - value;
  } else if (consume("~")) {
    isRead = parseUnary(value);
    value = ~value;
  } else if (consume("+")) {
    isRead = parseUnary(value);
  } else if (consume("(")) {
    isRead = parseSum(value) && expect(")");
  } else if (token.kind == Token::Kind::Integer) {
    value = token.value;
    advance();
    isRead = true;
  } else {
    return fail("an operand");
  }
  --depth;
  return isRead;
}
