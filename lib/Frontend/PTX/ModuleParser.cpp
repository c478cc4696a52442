// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModuleParser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace het::ptx;
using llvm::StringRef;

std::optional<ParsedModule> ModuleParser::parseModule() {
  if (token.text != ".version") {
    fail("'.version'");
    return std::nullopt;
  }
  while (token.kind != Token::Kind::End)
    if (!parseItem())
      return std::nullopt;
  return std::move(module);
}

/// A directive of words, numbers and strings that ends where the next one begins.
bool ModuleParser::skipDirective() {
  using Kind = Token::Kind;
  do
    advance();
  while (token.kind == Kind::Word || token.kind == Kind::Integer ||
         token.kind == Kind::Real || token.kind == Kind::String || token.is(","));
  return true;
}

/// `.target sm_90a, texmode_independent`: the first word is the architecture.
bool ModuleParser::parseTarget() {
  advance();
  StringRef name = token.text;
  if (name.consume_front("sm_"))
    name.take_while(llvm::isDigit).getAsInteger(10, module.architecture);
  return skipDirective();
}

bool ModuleParser::skipBraces() {
  unsigned open = 0;
  while (token.kind != Token::Kind::End) {
    open += token.is("{");
    const bool isEnd = token.is("}") && --open == 0;
    advance();
    if (isEnd)
      return true;
  }
  return fail("'}'");
}

bool ModuleParser::parseItem() {
  if (consume(";"))
    return true;
  if (token.kind != Token::Kind::Directive)
    return fail("a directive");
  if (token.text == ".target")
    return parseTarget();
  static constexpr StringRef skipped[] = {".version", ".address_size", ".file"};
  if (llvm::is_contained(skipped, token.text))
    return skipDirective();
  if (token.text == ".section")
    return skipBraces();
  if (token.text == ".pragma")
    return skipLine() && expect(";");
  return parseDeclaration();
}

bool ModuleParser::parseDeclaration() {
  const unsigned line = token.line;
  Linkage linkage = Linkage::Internal;
  while (auto said = llvm::StringSwitch<std::optional<Linkage>>(token.text)
                         .Case(".visible", Linkage::Visible)
                         .Case(".extern", Linkage::Extern)
                         .Cases({".weak", ".common"}, Linkage::Weak)
                         .Default(std::nullopt)) {
    linkage = *said;
    advance();
  }
  if (token.text == ".entry" || token.text == ".func") {
    const bool isEntry = token.text == ".entry";
    advance();
    return parseFunction(isEntry, linkage, line);
  }
  static constexpr StringRef spaces[] = {".global", ".const", ".shared"};
  if (llvm::is_contained(spaces, token.text))
    return parseModuleVariables(linkage, line);
  return fail("a function or variable; this directive is not supported");
}

bool ModuleParser::parseModuleVariables(Linkage linkage, unsigned line) {
  ModuleVariable common{line, linkage, {}};
  common.variable.space = token.text.drop_front();
  advance();
  if (!parseType(common.variable))
    return false;
  do {
    ModuleVariable made = common;
    if (!parseDeclarator(made.variable))
      return false;
    module.variables.push_back(std::move(made));
  } while (consume(","));
  return expect(";");
}

/// .maxntid 256, 1, 1 and its kin.
bool ModuleParser::parseBounds(ParsedFunction &function) {
  while (token.kind == Token::Kind::Directive) {
    const StringRef word = token.text;
    advance();
    unsigned values[3] = {0, 1, 1}, count = 0;
    do {
      if (token.kind != Token::Kind::Integer)
        break;
      values[std::min(count++, 2u)] = token.value;
      advance();
    } while (consume(","));
    if (word == ".maxntid" || word == ".reqntid")
      std::copy(std::begin(values), std::end(values), function.maxThreads);
    else if (word == ".reqnctapercluster")
      std::copy(std::begin(values), std::end(values), function.cluster);
    else if (word == ".minnctapersm")
      function.minBlocks = values[0];
    else if (word == ".pragma")
      skipLine() && expect(";");
    else if (word != ".maxnreg" && word != ".noreturn" && word != ".maxnctapersm" &&
             word != ".explicitcluster" && word != ".maxclusterrank")
      return fail("a body; this directive is not supported: " + word);
  }
  return true;
}

bool ModuleParser::parseBodyOf(ParsedFunction &function) {
  statements.clear();
  scopes = 0;
  do
    if (!parseStatement())
      return false;
  while (scopes != 0 && token.kind != Token::Kind::End);
  if (scopes != 0)
    return fail("'}'");
  function.body = std::move(statements);
  return true;
}

bool ModuleParser::parseFunction(bool isEntry, Linkage linkage, unsigned line) {
  ParsedFunction function;
  function.line = line;
  function.isEntry = isEntry;
  function.linkage = linkage;
  if (!isEntry && token.is("(") && !parseSignaturePart(function.signature.results))
    return false;
  if (token.kind != Token::Kind::Word)
    return fail("a function's name");
  function.name = token.text;
  advance();
  if (token.is("(") && !parseSignaturePart(function.signature.parameters))
    return false;
  if (!parseBounds(function))
    return false;
  if (!consume(";")) {
    if (!token.is("{"))
      return fail("';' or '{'");
    if (!parseBodyOf(function))
      return false;
  }
  module.functions.push_back(std::move(function));
  return true;
}
