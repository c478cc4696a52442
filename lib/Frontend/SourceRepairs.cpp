// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding the place of what is missing, and the files with it put in.

#include "SourceRepairs.h"

#include "clang/AST/DeclBase.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticAST.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <optional>

using namespace het;
using llvm::StringRef;

/// The name between the message's quotes.
static std::string quotedName(const clang::Diagnostic &diagnostic) {
  llvm::SmallString<128> text;
  diagnostic.FormatDiagnostic(text);
  return text.str().rsplit('\'').first.rsplit('\'').second.str();
}

/// Reads a file's tokens from `start` on.
static clang::Lexer lexerAt(StringRef file, unsigned start) {
  static const clang::LangOptions language = [] {
    clang::LangOptions options;
    options.CPlusPlus = true;
    return options;
  }();
  return clang::Lexer(clang::SourceLocation(), language, file.begin(),
                      file.begin() + start, file.end());
}

/// The name at `start`, or the first `::name`, `.name` or `->name` behind it in
/// the statement.
static std::optional<unsigned> findName(StringRef file, unsigned start, StringRef name) {
  clang::Lexer lexer = lexerAt(file, start);
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
/// what Clang took for a comparison with a function. A name may be `operator()`.
static std::optional<unsigned> findComparison(StringRef file, unsigned start) {
  // The location may be the name's own.
  while (start && clang::isAsciiIdentifierContinue(file[start - 1]))
    --start;
  const StringRef before = file.take_front(start).rtrim();
  bool qualified =
      before.ends_with("::") || before.ends_with(".") || before.ends_with("->");
  clang::Lexer lexer = lexerAt(file, start);
  unsigned name = 0, depth = 0;
  bool isName = false, isOperator = false;
  for (clang::Token token; !lexer.LexFromRawLexer(token);) {
    const unsigned offset = lexer.getCurrentBufferOffset() - token.getLength();
    if (token.is(clang::tok::less) && isName && !depth)
      return name;
    if (token.is(clang::tok::semi))
      return std::nullopt;
    if (isOperator && token.isOneOf(clang::tok::l_paren, clang::tok::r_paren))
      continue;
    depth += token.is(clang::tok::less);
    if (depth && token.isOneOf(clang::tok::greater, clang::tok::greatergreater))
      depth -= token.is(clang::tok::greatergreater) && depth > 1 ? 2 : 1;
    isName = qualified && token.is(clang::tok::raw_identifier) &&
             token.getRawIdentifier() != "template";
    isOperator = isName && token.getRawIdentifier() == "operator";
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
  unsigned offset, removed = 0;
  /// For a template's definition: where it begins and ends, and the namespaces' names.
  unsigned start = 0, end = 0;
  std::vector<StringRef> namespaces = {};
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

/// The names in `a::b::`, which the text ends with, and where that begins.
static std::vector<StringRef> qualifiersBefore(StringRef text, unsigned &start) {
  std::vector<StringRef> names;
  start = text.size();
  for (text = text.rtrim(); text.consume_back("::");) {
    text = text.rtrim();
    StringRef rest = text;
    while (!rest.empty() && clang::isAsciiIdentifierContinue(rest.back()))
      rest = rest.drop_back();
    if (rest.size() == text.size())
      return {}; // a template's arguments, or the global namespace
    names.insert(names.begin(), text.drop_front(rest.size()));
    start = rest.size();
    text = rest.rtrim();
  }
  return names;
}

/// Where the declaration begins that has a token at `place`.
static unsigned startOfDeclaration(StringRef file, unsigned place) {
  clang::Lexer lexer = lexerAt(file, 0);
  unsigned start = 0;
  bool isFirst = true, isDirective = false;
  for (clang::Token token; !lexer.LexFromRawLexer(token);) {
    const unsigned offset = lexer.getCurrentBufferOffset() - token.getLength();
    if (offset >= place)
      break;
    if (token.isAtStartOfLine()) {
      isFirst |= isDirective;
      isDirective = token.is(clang::tok::hash);
    }
    if (isDirective)
      continue;
    if (isFirst)
      start = offset;
    isFirst = token.isOneOf(clang::tok::semi, clang::tok::l_brace, clang::tok::r_brace);
  }
  return start;
}

/// Where the braces end that come next; nothing if a declaration ends first.
static std::optional<unsigned> endOfBody(StringRef file, unsigned place) {
  clang::Lexer lexer = lexerAt(file, place);
  unsigned depth = 0;
  for (clang::Token token; !lexer.LexFromRawLexer(token);) {
    if (token.is(clang::tok::semi) && !depth)
      return std::nullopt;
    depth += token.is(clang::tok::l_brace);
    if (token.is(clang::tok::r_brace) && --depth == 0)
      return lexer.getCurrentBufferOffset();
  }
  return std::nullopt;
}

/// `template <…> void a::f(…) { … }`, where `a` has an `f` with other parameters.
static std::optional<Place> findTemplate(const clang::Diagnostic &diagnostic,
                                         StringRef file, unsigned name) {
  using Kind = clang::DiagnosticsEngine::ArgumentKind;
  if (diagnostic.getArgKind(1) != Kind::ak_declcontext ||
      !reinterpret_cast<clang::DeclContext *>(diagnostic.getRawArg(1))->isNamespace())
    return std::nullopt;
  Place place = {Repair::NamespaceOfTemplate, name};
  place.namespaces = qualifiersBefore(file.take_front(name), place.offset);
  place.removed = name - place.offset;
  place.start = startOfDeclaration(file, place.offset);
  const std::optional<unsigned> end = endOfBody(file, name);
  if (place.namespaces.empty() || !end ||
      !file.drop_front(place.start).starts_with("template"))
    return std::nullopt;
  place.end = *end;
  return place;
}

/// The `this->` at `start`.
static std::optional<Place> findThis(StringRef file, unsigned start) {
  StringRef text = file.drop_front(start);
  if (!text.consume_front("this"))
    return std::nullopt;
  text = text.ltrim();
  if (!text.consume_front("->"))
    return std::nullopt;
  return Place{Repair::ClassOfThis, start, unsigned(text.begin() - file.begin()) - start};
}

/// What a message is about, and where that is in the file.
static std::optional<Place> findPlace(const clang::Diagnostic &diagnostic, StringRef file,
                                      unsigned start) {
  switch (diagnostic.getID()) {
  case clang::diag::err_template_kw_missing:
    // Clang has no name for an operator, but says where it is.
    return makePlace(Repair::TemplateKeyword,
                     file.drop_front(start).starts_with("operator")
                         ? start
                         : findName(file, start, quotedName(diagnostic)));
  case clang::diag::err_typename_missing:
    return makePlace(Repair::TypenameKeyword, start);
  case clang::diag::err_ovl_unresolvable:
  case clang::diag::err_bound_member_function:
    return makePlace(Repair::TemplateKeyword, findComparison(file, start));
  case clang::diag::err_expected:
    return makePlace(Repair::AssemblyComma, findOperand(file, start));
  case clang::diag::err_asm_invalid_escape:
    return makePlace(Repair::AssemblyPercent, findPercent(file, start));
  case clang::diag::err_expected_expression:
    return findLaunchBracket(file, start);
  case clang::diag::err_member_decl_does_not_match:
  case clang::diag::err_member_decl_does_not_match_suggest:
    return findTemplate(diagnostic, file, start);
  case clang::diag::note_constexpr_this:
    return findThis(file, start);
  default:
    return std::nullopt;
  }
}

static StringRef textOf(Repair repair) {
  switch (repair) {
  case Repair::TemplateKeyword:
    return "template ";
  case Repair::TypenameKeyword:
    return "typename ";
  case Repair::AssemblyComma:
    return ", ";
  case Repair::AssemblyPercent:
    return "%";
  case Repair::LaunchBracket:
  case Repair::NamespaceOfTemplate:
  case Repair::UnusedTemplate:
  case Repair::TextureReferences:
  case Repair::OtherDeclaration:
  case Repair::AmbiguousTemplates:
    return "";
  case Repair::ClassOfThis:
    return "__het_class<decltype(*this)>::"; // class_traits.h
  }
  llvm_unreachable("covered");
}

/// Whether a source wants the templates of texture and surface references.
static bool wantsReferences(const clang::Diagnostic &diagnostic) {
  if (diagnostic.getID() != clang::diag::err_no_template)
    return false;
  const std::string name = quotedName(diagnostic);
  return name == "texture" || name == "surface";
}

std::optional<Repair> SourceRepairs::note(const clang::Diagnostic &diagnostic) {
  if (!hasReferences && wantsReferences(diagnostic)) {
    isPending = hasReferences = true;
    return Repair::TextureReferences;
  }
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
  if (!add(path, place->offset, {place->removed, textOf(place->repair).str()}))
    return std::nullopt;
  if (place->repair == Repair::NamespaceOfTemplate) {
    std::string before;
    for (StringRef name : place->namespaces)
      before += ("namespace " + name + " { ").str();
    add(path, place->start, {0, before});
    add(path, place->end, {0, std::string(place->namespaces.size(), '}')});
  }
  isPending = true;
  return place->repair;
}

std::optional<Repair>
SourceRepairs::noteOfDeclaration(clang::DiagnosticsEngine::Level level,
                                 const clang::Diagnostic &diagnostic,
                                 const clang::Sema &sema) {
  bool isNew = false;
  for (const TextEdit &edit : ofDeclarations.find(level, diagnostic, sema)) {
    clang::OptionalFileEntryRef entry =
        sema.getSourceManager().getFileEntryRefForID(edit.file);
    if (entry)
      isNew |= add(entry->getName().str(), edit.offset, {edit.removed, edit.inserted});
  }
  if (!isNew)
    return std::nullopt;
  isPending = true;
  return level == clang::DiagnosticsEngine::Note ? Repair::AmbiguousTemplates
                                                 : Repair::OtherDeclaration;
}

/// Notes an edit of the text that Clang reads now; false if there is one already.
bool SourceRepairs::add(const std::string &path, unsigned offset, const Edit &edit) {
  unsigned original = offset;
  for (const auto &[earlier, before] : applied[path])
    if (earlier < original)
      original += before.removed - unsigned(before.inserted.size());
  return noted[path].try_emplace(original, edit).second;
}

std::optional<Repair> SourceRepairs::noteInTemplate(const clang::Diagnostic &diagnostic) {
  if (templates != Templates::Read && templates != Templates::ReadNextWhenUsed)
    return std::nullopt;
  if (diagnostic.getID() != clang::diag::err_ovl_no_viable_function_in_init) {
    templates = Templates::ReadAsWritten; // which nvcc looks for in all templates
    return std::nullopt;
  }
  templates = Templates::ReadNextWhenUsed;
  isPending = true;
  return Repair::UnusedTemplate;
}

bool SourceRepairs::giveUp() {
  if (templates != Templates::ReadWhenUsed)
    return false;
  templates = Templates::ReadAsWritten;
  return true;
}

void SourceRepairs::apply(clang::CompilerInvocation &invocation,
                          llvm::vfs::FileSystem &files) {
  clang::PreprocessorOptions &options = invocation.getPreprocessorOpts();
  if (templates == Templates::ReadNextWhenUsed)
    templates = Templates::ReadWhenUsed;
  invocation.getLangOpts().DelayedTemplateParsing = templates == Templates::ReadWhenUsed;
  isPending = false;
  applied = noted;
  if (hasReferences)
    options.addMacroDef("__HET_TEXTURE_REFERENCES__");
  for (const auto &[path, edits] : noted) {
    auto buffer = files.getBufferForFile(path);
    if (!buffer)
      continue;
    std::string text = (*buffer)->getBuffer().str();
    for (const auto &[offset, edit] : llvm::reverse(edits))
      text.replace(offset, edit.removed, edit.inserted);
    options.addRemappedFile(path,
                            llvm::MemoryBuffer::getMemBufferCopy(text, path).release());
  }
}
