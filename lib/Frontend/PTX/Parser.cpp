// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

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

bool Parser::skipLine() {
  while (token.kind != Token::Kind::End && !token.is(";"))
    advance();
  return true;
}

bool Parser::expect(StringRef punctuation) {
  return consume(punctuation) || fail("'" + punctuation + "'");
}

Statement &Parser::add(Statement::Kind kind, unsigned line) {
  statements.push_back({kind, line, {}, {}, {}, {}});
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
    if (++scopes > maxDepth)
      return fail("fewer scopes in each other");
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

/// Alignment, vector, type, and what is said of pointers.
bool Parser::parseType(Variable &variable) {
  while (token.kind == Token::Kind::Directive) {
    const Token directive = token;
    const StringRef word = token.text.drop_front();
    advance();
    if (word == "align") {
      if (token.kind != Token::Kind::Integer || !llvm::isPowerOf2_64(token.value) ||
          token.value > 4096)
        return fail("an alignment");
      variable.alignment = token.value;
      advance();
    } else if (word == "v2" || word == "v4" || word == "v8") {
      variable.vector = word[1] - '0';
    } else if (auto type = readType(word)) {
      variable.type = *type;
    } else if (word == "ptr") {
      // What it leads to changes nothing.
      while (token.kind == Token::Kind::Directive) {
        const bool isAlignment = token.text == ".align";
        advance();
        if (isAlignment)
          advance();
      }
    } else {
      token = directive;
      return fail("a type");
    }
  }
  return variable.type.kind != Type::Kind::None || fail("a type");
}

bool Parser::parseVariables(unsigned line) {
  Variable common;
  common.space = token.text.drop_front();
  advance();
  if (!parseType(common))
    return false;
  do {
    Variable variable = common;
    if (!parseDeclarator(variable))
      return false;
    add(Statement::Kind::Variable, line).variable = std::move(variable);
  } while (consume(","));
  return expect(";");
}

bool Parser::parseVariable(Variable &variable) {
  return parseType(variable) && parseDeclarator(variable);
}

bool Parser::parseDeclarator(Variable &variable) {
  if (token.kind != Token::Kind::Word)
    return fail("a name");
  variable.name = token.text;
  advance();
  if (variable.space != "reg")
    return parseDimensions(variable) && (!consume("=") || parseInitial(variable));
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

bool Parser::parseDimensions(Variable &variable) {
  static constexpr uint64_t mostElements = uint64_t(1) << 32;
  while (consume("[")) {
    uint64_t length = 0;
    if (token.is("]")) {
      variable.isOpen = true;
    } else if (!parseSum(length) || length == 0 || length > mostElements) {
      return fail("a length");
    }
    if (length) {
      variable.count = (variable.count ? variable.count : 1) * length;
      if (variable.count > mostElements)
        return fail("a smaller array");
    }
    if (!expect("]"))
      return false;
  }
  return true;
}

bool Parser::parseInitialPart(Variable &variable) {
  static constexpr size_t mostValues = 1 << 26;
  if (variable.values.size() >= mostValues)
    return fail("fewer values");
  if (token.is("{"))
    return parseInitial(variable);
  Operand value;
  // generic(name) is the address that any load takes, as an address is here.
  const bool isGeneric = token.kind == Token::Kind::Word && token.text == "generic";
  if (isGeneric) {
    advance();
    if (!expect("("))
      return false;
  }
  if (!parseOperand(value) || (isGeneric && !expect(")")))
    return false;
  variable.values.push_back(std::move(value));
  return true;
}

bool Parser::parseInitial(Variable &variable) {
  if (++depth > maxDepth)
    return fail("fewer brackets");
  bool isRead = true;
  if (!consume("{")) {
    isRead = parseInitialPart(variable);
  } else if (!consume("}")) {
    do
      isRead = parseInitialPart(variable);
    while (isRead && consume(","));
    isRead = isRead && expect("}");
  }
  --depth;
  return isRead;
}

/// `(.param .b32 a, .reg .u64 b)`
bool Parser::parseSignaturePart(std::vector<Variable> &part) {
  if (!expect("("))
    return false;
  if (consume(")"))
    return true;
  do {
    Variable &variable = part.emplace_back();
    if (token.text != ".param" && token.text != ".reg")
      return fail("'.param' or '.reg'");
    variable.space = token.text.drop_front();
    advance();
    if (!parseVariable(variable))
      return false;
  } while (consume(","));
  return expect(")");
}

/// Lists that have a label's name.
bool Parser::parseLabelDirective(unsigned line, StringRef label) {
  const bool isTargets = token.text == ".branchtargets";
  Statement statement{isTargets ? Statement::Kind::Targets : Statement::Kind::Prototype,
                      line,
                      {},
                      {},
                      label,
                      {}};
  advance();
  if (isTargets) {
    do
      if (!parseOperand(statement.instruction.operands.emplace_back()))
        return false;
    while (consume(","));
  } else {
    if (token.is("(") && !parseSignaturePart(statement.signature.results))
      return false;
    advance(); // the name, which is _
    if (token.is("(") && !parseSignaturePart(statement.signature.parameters))
      return false;
    if (token.text == ".noreturn")
      advance();
  }
  statements.push_back(std::move(statement));
  return expect(";");
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
    if (token.text == ".branchtargets" || token.text == ".callprototype")
      return parseLabelDirective(line, instruction.text);
    add(Statement::Kind::Label, line).label = instruction.text;
    return true;
  }
  const auto [opcode, modifiers] = instruction.text.split('.');
  instruction.opcode = opcode;
  modifiers.split(instruction.modifiers, '.', -1, /*KeepEmpty=*/false);
  isCall = opcode == "call";
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
  if (isCall && consume("("))
    return parseParts(operand, Operand::Kind::List, ")");
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
