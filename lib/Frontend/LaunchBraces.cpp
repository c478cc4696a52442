// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Watches the tokens on their way to Clang's parser, and puts the parameter's type before
// a brace that begins an argument of a launch.

#include "LaunchBraces.h"

#include "clang/Lex/Preprocessor.h"

#include <memory>
#include <utility>

using namespace clang;

namespace {

class LaunchBraces {
public:
  explicit LaunchBraces(Preprocessor &preprocessor) : preprocessor(preprocessor) {}

  void see(const Token &token);

private:
  /// A launch of which the parser has not seen the end.
  struct Launch {
    unsigned argument = 0; ///< Which one is being read.
    unsigned depth = 0;    ///< Of parentheses, brackets and braces in it.
    bool begins = true;    ///< Nothing of the argument has been read.
  };
  void seeIn(Launch &launch, const Token &token);
  void putTypeBefore(const Token &brace, const char *type);

  Preprocessor &preprocessor;
  SmallVector<Launch, 2> launches; ///< From the outermost one.
};

} // namespace

/// The types of a launch's arguments, in nvcc's order.
static constexpr const char *argumentTypes[] = {"dim3", "dim3", "size_t", "cudaStream_t"};

void LaunchBraces::see(const Token &token) {
  if (token.is(tok::lesslessless))
    launches.emplace_back();
  else if (!launches.empty())
    seeIn(launches.back(), token);
}

void LaunchBraces::seeIn(Launch &launch, const Token &token) {
  const bool begins = std::exchange(launch.begins, false);
  const tok::TokenKind kind = token.getKind();
  if (kind == tok::l_brace && begins && launch.argument < std::size(argumentTypes))
    putTypeBefore(token, argumentTypes[launch.argument]);
  switch (kind) {
  case tok::l_paren:
  case tok::l_square:
  case tok::l_brace:
    ++launch.depth;
    break;
  case tok::r_paren:
  case tok::r_square:
  case tok::r_brace:
    launch.depth -= launch.depth != 0;
    break;
  case tok::comma:
    if (launch.depth)
      break;
    ++launch.argument;
    launch.begins = true;
    break;
  case tok::greatergreatergreater:
  case tok::semi:
    if (launch.depth)
      break;
    [[fallthrough]];
  case tok::eof:
    launches.pop_back();
    break;
  default:
    break;
  }
}

/// The parser gets `::` for the brace, then the type's name and the brace. While it only
/// tries what the code may be, it has a copy of the brace to come back to: no type then.
void LaunchBraces::putTypeBefore(const Token &brace, const char *type) {
  if (preprocessor.isBacktrackEnabled())
    return;
  auto tokens = std::make_unique<Token[]>(2);
  Token &name = tokens[0];
  name.startToken();
  name.setKind(tok::identifier);
  name.setIdentifierInfo(preprocessor.getIdentifierInfo(type));
  name.setLocation(brace.getLocation());
  name.setLength(brace.getLength());
  tokens[1] = brace;
  preprocessor.EnterTokenStream(std::move(tokens), 2, /*DisableMacroExpansion=*/true,
                                /*IsReinject=*/true);
  // A watcher sees the token that the preprocessor is about to return.
  const_cast<Token &>(brace).setKind(tok::coloncolon);
}

void het::allowLaunchBraces(Preprocessor &preprocessor) {
  preprocessor.setTokenWatcher([braces = LaunchBraces(preprocessor)](
                                   const Token &token) mutable { braces.see(token); });
}
