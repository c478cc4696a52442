// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints what -v and --dryrun show: nvcc's form, because build systems read it.

#include "Compilation.h"
#include "Text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace het;
using namespace het::driver;
using llvm::StringRef;

std::string het::driver::showEnvironment(const Installation &installation) {
  std::string text;
  auto line = [&](const std::string &content) { text += "#$ " + content + "\n"; };
  StringRef bin = llvm::StringRef(installation.executable).rsplit('/').first;
  line("_HERE_=" + bin.str());
  line("TOP=" + installation.toolkit);
  // No such file is read; CMake takes the library's root from this name.
  line("NVVMIR_LIBRARY_DIR=" + installation.toolkit + "/nvvm/libdevice");
  std::optional<std::string> path = llvm::sys::Process::GetEnv("PATH");
  line("PATH=" + bin.str() + ":" + path.value_or(""));
  line("INCLUDES=\"-I" + installation.headers + "\"  ");
  if (!installation.cccl.empty())
    line("SYSTEM_INCLUDES=\"-isystem\" \"" + installation.cccl + "\"  ");
  // The same words, written the same way, stand in the link command.
  line("LIBRARIES=  " + quoted("-L" + installation.libraries));
  return text;
}

/// A word that Clang's passes get, as hetcc takes it.
static void showLanguageWord(const std::string &word, std::vector<std::string> &words) {
  static constexpr StringRef own[] = {"-I", "-isystem",  "-include",
                                      "-w", "-Wreorder", "-Wno-deprecated-declarations"};
  const StringRef text = word;
  if (text.starts_with("-D") || text.starts_with("-U"))
    words.push_back(text.take_front(2).str() + listItem(text.drop_front(2)));
  else if (!text.starts_with("-") || llvm::is_contained(own, text) ||
           text.starts_with("-Werror=") || text.starts_with("-std=c++") ||
           text.starts_with("-ftemplate-"))
    words.push_back(word);
  else
    words.insert(words.end(), {"-Xcompiler", listItem(quoted(text))});
}

/// -ftz and so on, where they differ from what -use_fast_math says.
static void showMath(const CompileOptions &compile, std::vector<std::string> &words) {
  const bool isFast = compile.fastMath;
  auto add = [&](const char *name, bool value, bool usual) {
    if (value != usual)
      words.push_back(name + std::string(value ? "=true" : "=false"));
  };
  if (isFast)
    words.push_back("-use_fast_math");
  add("-ftz", compile.flushToZero, isFast);
  add("-prec-div", compile.preciseDivision, !isFast);
  add("-prec-sqrt", compile.preciseSqrt, !isFast);
  add("-fmad", compile.contract, true);
  if (compile.math == MathMode::Native)
    words.push_back("--het-math=native");
}

/// "-arch compute_86 -code sm_75,sm_86" of 860 and "750,860".
static void showArchitecture(const CompileOptions &compile,
                             std::vector<std::string> &words) {
  words.insert(words.end(),
               {"-arch", "compute_" + StringRef(compile.arch).substr(3).str()});
  if (!StringRef(compile.archList).contains(','))
    return;
  std::string codes;
  for (StringRef number : llvm::split(compile.archList, ','))
    codes += (codes.empty() ? "sm_" : ",sm_") + number.drop_back().str();
  words.insert(words.end(), {"-code", codes});
}

std::vector<std::string> het::driver::showOptions(const Settings &settings,
                                                  const CompileOptions &compile,
                                                  const HostFlags &flags,
                                                  const std::string &firstFolder) {
  std::vector<std::string> words;
  words.push_back("-O" + std::to_string(compile.optimization));
  auto flag = [&](bool given, const char *name) {
    if (given)
      words.push_back(name);
  };
  flag(compile.debug, "-g");
  flag(compile.deviceDebug, "-G");
  flag(compile.lineInfo, "-lineinfo");
  flag(compile.relocatable, "-rdc=true");
  flag(compile.safePoints == SafePointMode::None, "--het-safe-points=none");
  flag(compile.safePoints == SafePointMode::Barriers, "--het-safe-points=barriers");
  flag(settings.cudart == "none", "--cudart=none");
  flag(settings.resourceUsage, "-res-usage");
  flag(compile.warningsAreErrors, "-Werror=all-warnings");
  flag(compile.hostCallsAreErrors && !compile.warningsAreErrors,
       "-Werror=cross-execution-space-call");
  showMath(compile, words);
  words.push_back("-D__CUDA_ARCH_LIST__=" + listItem(compile.archList));
  if (!firstFolder.empty())
    words.insert(words.end(), {"-I", firstFolder});
  for (const std::string &word : settings.language)
    if (!StringRef(word).starts_with("-D__CUDA_ARCH_LIST__="))
      showLanguageWord(word, words);
  for (const std::string &macro : settings.optionMacros)
    words.push_back("-D" + macro + "=1");
  if (!settings.hostCompiler.empty())
    words.insert(words.end(), {"-ccbin", settings.hostCompiler});
  for (const std::string &word : settings.shownDiagnostics)
    words.push_back(word);
  for (const std::string &word : flags.language)
    words.insert(words.end(), {"-Xcompiler", listItem(quoted(word))});
  for (const std::string &word : flags.clang)
    words.insert(words.end(), {"-Xcompiler", listItem(quoted(word))});
  return words;
}

std::string Job::show() const {
  if (kind == Kind::Command)
    return "#$ " + joined(command) + " \n";
  if (kind == Kind::DeviceLink) {
    std::vector<std::string> words = {"hetcc", "-dlink"};
    if (!packageFile.empty())
      words.push_back("--het-package=" + packageFile);
    words.insert(words.end(), linked.begin(), linked.end());
    words.insert(words.end(), {"-o", output});
    return "#$ " + joined(words) + " \n";
  }
  std::vector<std::string> words = {"hetcc"};
  showArchitecture(compile, words);
  switch (kind) {
  case Kind::Emit:
    words.push_back(deviceStage == DeviceStage::LLVM    ? "--het-emit=llvm"
                    : deviceStage == DeviceStage::HetIR ? "--het-emit=hetir"
                                                        : "--het-emit=hetpkg");
    break;
  case Kind::Preprocess:
    if (hostStage == HostStage::Preprocess)
      words.push_back("-E");
    break; // -M is among the dependencies
  default:
    words.push_back("-c");
  }
  words.insert(words.end(), shown.begin(), shown.end());
  words.insert(words.end(), dependencies.begin(), dependencies.end());
  if (!packageFile.empty())
    words.push_back("--het-package=" + packageFile);
  if (!keptPackage.empty())
    words.insert(words.end(), {"--keep", "--keep-dir",
                               llvm::sys::path::parent_path(keptPackage).str()});
  words.insert(words.end(), {"-x", "cu", input});
  if (output != "-")
    words.insert(words.end(), {"-o", output});
  return "#$ " + joined(words) + " \n";
}
