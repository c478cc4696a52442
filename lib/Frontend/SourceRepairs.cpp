// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding the place of what is missing, and the files with it put in.

#include "SourceRepairs.h"

#include "clang/Basic/CharInfo.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticAST.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
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

namespace {

/// A repair in the text that Clang has read.
struct Place {
  Repair repair;
  unsigned offset, removed;
};

} // namespace

static std::optional<Place> makePlace(Repair repair, std::optional<unsigned> offset,
                                      unsigned removed = 0) {
  return offset ? std::optional<Place>({repair, *offset, removed}) : std::nullopt;
}

/// Where a string follows the `)` of an operand at once, if that is at `start`:
/// nothing but an `asm` has a string there.
static std::optional<unsigned> findOperand(StringRef file, unsigned start) {
  const bool follows = file.drop_front(start).starts_with("\"") &&
                       file.take_front(start).rtrim().ends_with(")");
  return follows ? std::optional(start) : std::nullopt;
}

/// The `%` at `start` or little before it, where Clang sees it begin no operand.
static std::optional<unsigned> findPercent(StringRef file, unsigned start) {
  const size_t place = file.rfind('%', start + 1);
  return place != StringRef::npos && start - place < 3 ? std::optional<unsigned>(place)
                                                       : std::nullopt;
}

/// The blanks in `<< <` or `>> >`, whose last character is at `start`.
static std::optional<Place> findLaunchBracket(StringRef file, unsigned start) {
  const StringRef before = file.take_front(start), twice = before.rtrim(" \t");
  const StringRef third = file.substr(start, 1);
  if (before.size() == twice.size() || (third != "<" && third != ">") ||
      !twice.ends_with((third + third).str()))
    return std::nullopt;
  return Place{Repair::LaunchBracket, unsigned(twice.size()),
               unsigned(before.size() - twice.size())};
}

/// What a message is about, and where that is in the file.
static std::optional<Place> findPlace(const clang::Diagnostic &diagnostic, StringRef file,
                                      unsigned start) {
  switch (diagnostic.getID()) {
  case clang::diag::err_template_kw_missing:
    return makePlace(Repair::TemplateKeyword,
                     findName(file, start, quotedName(diagnostic)));
  case clang::diag::err_ovl_unresolvable:
  case clang::diag::err_bound_member_function:
    return makePlace(Repair::TemplateKeyword, findComparison(file, start));
  case clang::diag::err_expected:
    return makePlace(Repair::AssemblyComma, findOperand(file, start));
  case clang::diag::err_asm_invalid_escape:
    return makePlace(Repair::AssemblyPercent, findPercent(file, start));
  case clang::diag::err_expected_expression:
    return findLaunchBracket(file, start);
  default:
    return std::nullopt;
  }
}

static StringRef textOf(Repair repair) {
  switch (repair) {
  case Repair::TemplateKeyword:
    return "template ";
  case Repair::AssemblyComma:
    return ", ";
  case Repair::AssemblyPercent:
    return "%";
  case Repair::LaunchBracket:
    return "";
  }
  llvm_unreachable("covered");
}

std::optional<Repair> SourceRepairs::note(const clang::Diagnostic &diagnostic) {
  if (!diagnostic.hasSourceManager() || diagnostic.getLocation().isInvalid())
    return std::nullopt;
  const clang::SourceManager &sources = diagnostic.getSourceManager();
  auto [file, start] = sources.getDecomposedSpellingLoc(diagnostic.getLocation());
  clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
  if (!entry)
    return std::nullopt;
  const std::optional<Place> place =
      findPlace(diagnostic, sources.getBufferData(file), start);
  if (!place)
    return std::nullopt;
  const std::string path = entry->getName().str();
  unsigned original = place->offset;
  for (const auto &[earlier, edit] : applied[path])
    if (earlier < original)
      original += edit.removed - unsigned(edit.inserted.size());
  const Edit edit = {place->removed, textOf(place->repair)};
  if (!noted[path].try_emplace(original, edit).second)
    return std::nullopt;
  isPending = true;
  return place->repair;
}

void SourceRepairs::apply(clang::PreprocessorOptions &options) {
  isPending = false;
  applied = noted;
  for (const auto &[path, edits] : noted) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      continue;
    std::string text = (*buffer)->getBuffer().str();
    for (const auto &[offset, edit] : llvm::reverse(edits))
      text.replace(offset, edit.removed, edit.inserted.data(), edit.inserted.size());
    options.addRemappedFile(path,
                            llvm::MemoryBuffer::getMemBufferCopy(text, path).release());
  }
}
