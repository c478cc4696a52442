// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// #pragma nv_diag_suppress, nv_diag_warning, nv_diag_error, nv_diag_default, nv_diag_once
// and nv_diagnostic push|pop. Messages are named as by --diag-suppress; what Clang does
// not say needs no turning off, so others are passed over.

#include "DiagnosticPragmas.h"

#include "het/Frontend/Warnings.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using llvm::StringRef;
using Severity = diag::Severity;

namespace {

/// A pragma that gives messages a severity.
class SeverityPragma : public PragmaHandler {
public:
  SeverityPragma(StringRef name, Severity severity)
      : PragmaHandler(name), severity(severity) {}

  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer introducer,
                    Token &name) override {
    Token word;
    for (preprocessor.Lex(word); word.isNot(tok::eod); preprocessor.Lex(word))
      if (word.is(tok::numeric_constant) || word.getIdentifierInfo())
        for (StringRef group : het::warningGroups(preprocessor.getSpelling(word)))
          preprocessor.getDiagnostics().setSeverityForGroup(
              diag::Flavor::WarningOrError, group, severity, introducer.Loc);
  }

private:
  Severity severity;
};

/// nv_diagnostic push|pop, and nv_diag_push, nv_diag_pop of older sources.
class StackPragma : public PragmaHandler {
public:
  using PragmaHandler::PragmaHandler;

  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer introducer,
                    Token &name) override {
    StringRef verb = getName();
    Token word;
    if (verb == "nv_diagnostic") {
      preprocessor.Lex(word);
      verb = word.getIdentifierInfo() ? word.getIdentifierInfo()->getName() : "";
    }
    if (verb.ends_with("push"))
      preprocessor.getDiagnostics().pushMappings(introducer.Loc);
    else if (verb.ends_with("pop"))
      preprocessor.getDiagnostics().popMappings(introducer.Loc);
    preprocessor.DiscardUntilEndOfDirective();
  }
};

} // namespace

void het::addDiagnosticPragmas(Preprocessor &preprocessor) {
  static constexpr struct {
    const char *name;
    Severity severity;
  } severities[] = {
      {"nv_diag_suppress", Severity::Ignored}, {"diag_suppress", Severity::Ignored},
      {"nv_diag_remark", Severity::Remark},    {"nv_diag_warning", Severity::Warning},
      {"diag_warning", Severity::Warning},     {"nv_diag_once", Severity::Warning},
      {"nv_diag_error", Severity::Error},      {"diag_error", Severity::Error},
      {"nv_diag_default", Severity::Warning},  {"diag_default", Severity::Warning}};
  for (const auto &one : severities)
    preprocessor.AddPragmaHandler(new SeverityPragma(one.name, one.severity));
  for (const char *name : {"nv_diagnostic", "nv_diag_push", "nv_diag_pop"})
    preprocessor.AddPragmaHandler(new StackPragma(name));
}
