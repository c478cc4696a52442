// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding the name that lacks its `template`, and the files with it.

#include "SourceRepairs.h"

#include "clang/Basic/CharInfo.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/MemoryBuffer.h"

#include <optional>

using namespace het;
using llvm::StringRef;

/// The name between the message's quotes.
static std::string quotedName(const clang::Diagnostic &diagnostic) {
  llvm::SmallString<128> text;
  diagnostic.FormatDiagnostic(text);
  return text.str().rsplit('\'').first.rsplit('\'').second.str();
}

/// The name at `start`, or the first `::name`, `.name` or `->name` behind it in
/// the statement.
static std::optional<unsigned> findName(StringRef file, unsigned start, StringRef name) {
  clang::LangOptions language;
  language.CPlusPlus = true;
  clang::Lexer lexer(clang::SourceLocation(), language, file.begin(),
                     file.begin() + start, file.end());
  bool qualified = true;
  for (clang::Token token; !lexer.LexFromRawLexer(token);) {
    unsigned offset = lexer.getCurrentBufferOffset() - token.getLength();
    if (qualified && token.is(clang::tok::raw_identifier) &&
        token.getRawIdentifier() == name)
      return offset;
    if (token.is(clang::tok::semi))
      return std::nullopt;
    qualified =
        token.isOneOf(clang::tok::coloncolon, clang::tok::period, clang::tok::arrow);
  }
  return std::nullopt;
}

/// The first `::name<`, `.name<` or `->name<` at `start` or behind it in the statement:
/// what Clang took for a comparison with a function.
static std::optional<unsigned> findComparison(StringRef file, unsigned start) {
  clang::LangOptions language;
  language.CPlusPlus = true;
  // The location may be the name's own.
  while (start && clang::isAsciiIdentifierContinue(file[start - 1]))
    --start;
  const StringRef before = file.take_front(start).rtrim();
  bool qualified =
      before.ends_with("::") || before.ends_with(".") || before.ends_with("->");
  clang::Lexer lexer(clang::SourceLocation(), language, file.begin(),
                     file.begin() + start, file.end());
  unsigned name = 0, depth = 0;
  bool isName = false;
  for (clang::Token token; !lexer.LexFromRawLexer(token);) {
    const unsigned offset = lexer.getCurrentBufferOffset() - token.getLength();
    if (token.is(clang::tok::less) && isName && !depth)
      return name;
    if (token.is(clang::tok::semi))
      return std::nullopt;
    depth += token.is(clang::tok::less);
    if (depth && token.isOneOf(clang::tok::greater, clang::tok::greatergreater))
      depth -= token.is(clang::tok::greatergreater) && depth > 1 ? 2 : 1;
    isName = qualified && token.is(clang::tok::raw_identifier) &&
             token.getRawIdentifier() != "template";
    name = offset;
    qualified =
        token.isOneOf(clang::tok::coloncolon, clang::tok::period, clang::tok::arrow);
  }
  return std::nullopt;
}

/// Where the word is missing in a file, if the message is about that.
static std::optional<unsigned> findPlace(const clang::Diagnostic &diagnostic,
                                         StringRef file, unsigned start) {
  switch (diagnostic.getID()) {
  case clang::diag::err_template_kw_missing:
    return findName(file, start, quotedName(diagnostic));
  case clang::diag::err_ovl_unresolvable:
  case clang::diag::err_bound_member_function:
    return findComparison(file, start);
  default:
    return std::nullopt;
  }
}

bool SourceRepairs::note(const clang::Diagnostic &diagnostic) {
  if (!diagnostic.hasSourceManager() || diagnostic.getLocation().isInvalid())
    return false;
  const clang::SourceManager &sources = diagnostic.getSourceManager();
  auto [file, start] = sources.getDecomposedSpellingLoc(diagnostic.getLocation());
  clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
  if (!entry)
    return false;
  std::optional<unsigned> offset =
      findPlace(diagnostic, sources.getBufferData(file), start);
  if (!offset)
    return false;
  // Offsets are those of the file as it is, without the words put in before.
  static constexpr unsigned word = sizeof("template ") - 1;
  const std::string path = entry->getName().str();
  unsigned original = *offset;
  for (unsigned earlier : applied[path])
    if (earlier < original)
      original -= word;
  bool isNew = offsets[path].insert(original).second;
  isPending |= isNew;
  return isNew;
}

void SourceRepairs::apply(clang::PreprocessorOptions &options) {
  isPending = false;
  applied = offsets;
  for (const auto &[path, places] : offsets) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      continue;
    std::string text = (*buffer)->getBuffer().str();
    for (auto place = places.rbegin(); place != places.rend(); ++place)
      text.insert(*place, "template ");
    options.addRemappedFile(path,
                            llvm::MemoryBuffer::getMemBufferCopy(text, path).release());
  }
}
