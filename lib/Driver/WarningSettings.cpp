// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From nvcc's kinds and numbers of warnings to Clang's groups.

#include "WarningSettings.h"
#include "Text.h"

#include "het/Frontend/Warnings.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace het;
using namespace het::driver;
using llvm::StringRef;

static void makeErrors(const Argument &argument, Settings &settings) {
  for (const std::string &kind : argument.values) {
    if (kind == "all-warnings")
      settings.compile.warningsAreErrors = settings.compile.hostCallsAreErrors = true;
    else if (kind == "cross-execution-space-call")
      settings.compile.hostCallsAreErrors = true;
    else if (kind == "reorder" || kind == "deprecated-declarations")
      settings.language.push_back("-Werror=" + kind);
    else
      settings.notes.push_back("-Werror " + kind + ": there is no such warning");
  }
}

/// `flag`: diag-suppress, diag-warn or diag-error. Messages have a number or a name.
static void setSeverity(StringRef flag, StringRef message, Settings &settings) {
  const WarningGroups groups = warningGroups(message);
  for (StringRef group : groups) {
    if (flag == "diag-suppress")
      settings.diagnostics.push_back(("-Wno-" + group).str());
    else if (flag == "diag-error")
      settings.diagnostics.push_back(("-Werror=" + group).str());
    else
      settings.diagnostics.insert(settings.diagnostics.end(),
                                  {("-W" + group).str(), ("-Wno-error=" + group).str()});
  }
  if (groups.empty())
    settings.notes.push_back(
        ("--" + flag + " " + message + " has no effect: Clang has no such warning")
            .str());
}

static llvm::Error readNumbers(const Argument &argument, Settings &settings) {
  const StringRef flag = argument.option->longName;
  for (const std::string &message : argument.values) {
    unsigned number = 0;
    if (StringRef(message).getAsInteger(10, number))
      return llvm::createStringError(std::errc::invalid_argument,
                                     "'%s': expected a number", message.c_str());
    setSeverity(flag, message, settings);
  }
  settings.shownDiagnostics.insert(settings.shownDiagnostics.end(),
                                   {"--" + flag.str(), llvm::join(argument.values, ",")});
  return llvm::Error::success();
}

/// -Xcudafe: of the words for cudafe++ those about messages count.
static void readCudafeOptions(const Argument &argument, Settings &settings) {
  for (const std::string &item : argument.values)
    for (const std::string &word : splitWords(item)) {
      auto [name, messages] = StringRef(word).ltrim('-').split('=');
      const StringRef flag = llvm::StringSwitch<StringRef>(name)
                                 .Case("diag_suppress", "diag-suppress")
                                 .Case("diag_warning", "diag-warn")
                                 .Case("diag_error", "diag-error")
                                 .Default("");
      if (flag.empty())
        settings.notes.push_back("-Xcudafe " + word +
                                 " has no effect: cudafe++ is not called");
      else
        for (StringRef message : llvm::split(messages, ','))
          setSeverity(flag, message, settings);
    }
  settings.shownDiagnostics.insert(settings.shownDiagnostics.end(),
                                   {"-Xcudafe", pathItems(argument.values)});
}

llvm::Expected<bool> het::driver::applyWarningOption(const Argument &argument,
                                                     Settings &settings) {
  switch (argument.option->id) {
  case OptionId::NoWarnings:
    settings.language.push_back("-w");
    return true;
  case OptionId::WarnReorder:
    settings.language.push_back("-Wreorder");
    return true;
  case OptionId::NoWarnDeprecated:
    settings.language.push_back("-Wno-deprecated-declarations");
    return true;
  case OptionId::WarningsAsErrors:
    makeErrors(argument, settings);
    return true;
  case OptionId::CudafeOptions:
    readCudafeOptions(argument, settings);
    return true;
  case OptionId::DiagnoseSuppress:
  case OptionId::DiagnoseWarn:
  case OptionId::DiagnoseError:
    if (llvm::Error error = readNumbers(argument, settings))
      return std::move(error);
    return true;
  default:
    return false;
  }
}
