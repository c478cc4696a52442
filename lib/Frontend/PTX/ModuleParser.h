// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grammar of a module (PTX ISA, Directives): its functions and variables.

#ifndef HET_LIB_FRONTEND_PTX_MODULEPARSER_H
#define HET_LIB_FRONTEND_PTX_MODULEPARSER_H

#include "Parser.h"

namespace het::ptx {

class ModuleParser : public Parser {
public:
  using Parser::Parser;

  /// The module; nothing, with a fault, if the text is none.
  std::optional<ParsedModule> parseModule();

private:
  bool parseItem();
  bool parseDeclaration();
  bool parseFunction(bool isEntry, Linkage linkage, unsigned line);
  bool parseBounds(ParsedFunction &function);
  bool parseBodyOf(ParsedFunction &function);
  bool parseModuleVariables(Linkage linkage, unsigned line);
  bool parseTarget();
  bool skipDirective();
  bool skipBraces();

  ParsedModule module;
};

} // namespace het::ptx

#endif // HET_LIB_FRONTEND_PTX_MODULEPARSER_H
