// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// g++'s words for Clang: its own option table says which of them it knows.

#include "HostFlags.h"

#include "clang/Options/Options.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

using namespace het::driver;
namespace options = clang::options;
using llvm::opt::Arg;
using llvm::opt::ArgStringList;

/// Options that speak of what both passes must see alike.
static bool isLanguage(const Arg &argument) {
  switch (argument.getOption().getID()) {
  case options::OPT_D:
  case options::OPT_U:
  case options::OPT_I:
  case options::OPT_isystem:
  case options::OPT_iquote:
  case options::OPT_idirafter:
  case options::OPT_include:
  case options::OPT_std_EQ:
  case options::OPT_w:
  case options::OPT_fsigned_char:
  case options::OPT_fno_signed_char:
    return true;
  default:
    return false;
  }
}

/// Options that would turn the pass into something else.
static bool changesThePass(const Arg &argument) {
  switch (argument.getOption().getID()) {
  case options::OPT_v:
  case options::OPT_c:
  case options::OPT_S:
  case options::OPT_E:
  case options::OPT_o:
  case options::OPT_x:
  case options::OPT_INPUT:
  case options::OPT__HASH_HASH_HASH:
    return true;
  default:
    return false;
  }
}

static void render(const Arg &argument, const llvm::opt::ArgList &list,
                   std::vector<std::string> &words) {
  ArgStringList rendered;
  argument.render(list, rendered);
  words.insert(words.end(), rendered.begin(), rendered.end());
}

static std::optional<unsigned> levelOf(llvm::StringRef value) {
  unsigned level = 0;
  if (value == "fast")
    return 3;
  if (value == "s" || value == "z")
    return 2;
  if (value == "g" || value.empty())
    return 1;
  if (value.getAsInteger(10, level))
    return std::nullopt;
  return std::min(level, 3u);
}

/// libgomp and libomp hold one name space: a program has one of them. Clang's
/// code calls libomp, which also answers g++'s calls.
static void readLinkWords(const std::vector<std::string> &words, HostFlags &flags) {
  for (const std::string &word : words) {
    if (llvm::StringRef(word).starts_with("-fopenmp"))
      flags.openmp = true;
    else
      flags.link.push_back(word);
  }
}

HostFlags het::driver::readHostFlags(const std::vector<std::string> &words) {
  HostFlags flags;
  readLinkWords(words, flags);
  std::vector<const char *> pointers;
  for (const std::string &word : words)
    pointers.push_back(word.c_str());
  unsigned missingIndex = 0, missingCount = 0;
  llvm::opt::InputArgList list = clang::getDriverOptTable().ParseArgs(
      pointers, missingIndex, missingCount, llvm::opt::Visibility(options::ClangOption));
  for (const Arg *argument : list) {
    const llvm::opt::Option &option = argument->getOption();
    if (option.getKind() == llvm::opt::Option::UnknownClass)
      flags.dropped.push_back(argument->getAsString(list));
    else if (option.matches(options::OPT_O_Group))
      flags.optimization =
          levelOf(argument->getNumValues() ? argument->getValue() : llvm::StringRef());
    else if (argument->getAsString(list) == "-Werror")
      flags.warningsAreErrors = true;
    else if (isLanguage(*argument))
      render(*argument, list, flags.language);
    else if (!option.matches(options::OPT_fopenmp) &&
             !option.matches(options::OPT_fopenmp_EQ) && !changesThePass(*argument))
      render(*argument, list, flags.clang);
  }
  if (flags.openmp)
    flags.clang.push_back("-fopenmp=libomp");
  return flags;
}
