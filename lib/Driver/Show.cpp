// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints what -v and --dryrun show: nvcc's form, because build systems read it.

#include "Compilation.h"
#include "Text.h"

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
  // The same words, written the same way, stand in the link command.
  line("LIBRARIES=  " + quoted("-L" + installation.libraries));
  return text;
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
  std::vector<std::string> words = {"hetcc", "-arch",
                                    "compute_" + StringRef(compile.arch).substr(3).str()};
  switch (kind) {
  case Kind::Emit:
    words.push_back(deviceStage == DeviceStage::LLVM    ? "--het-emit=llvm"
                    : deviceStage == DeviceStage::HetIR ? "--het-emit=hetir"
                                                        : "--het-emit=hetpkg");
    break;
  case Kind::Preprocess:
    words.push_back(hostStage == HostStage::Preprocess ? "-E" : "-M");
    break;
  default:
    words.push_back("-c");
  }
  words.push_back("-O" + std::to_string(compile.optimization));
  if (compile.debug)
    words.push_back("-g");
  if (compile.deviceDebug)
    words.push_back("-G");
  words.push_back("-D__CUDA_ARCH_LIST__=" + compile.archList);
  words.insert(words.end(), compile.clangArguments.begin(), compile.clangArguments.end());
  for (const std::string &argument : compile.hostArguments)
    words.insert(words.end(), {"-Xcompiler", argument});
  if (!packageFile.empty())
    words.push_back("--het-package=" + packageFile);
  words.insert(words.end(), {input, "-o", output});
  return "#$ " + joined(words) + " \n";
}
