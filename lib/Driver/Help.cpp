// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts about hetcc itself; the list of options comes from the table.

#include "Help.h"
#include "Architecture.h"
#include "Options.h"

#include "llvm/Config/llvm-config.h"

using namespace het::driver;

static std::string optionLine(const OptionInfo &option) {
  std::string line = "  --" + option.longName.str();
  if (option.form == OptionForm::Boolean)
    line += " true|false";
  else if (option.takesValue())
    line += " " + option.values.str();
  if (option.form == OptionForm::List)
    line += ",...";
  if (!option.shortName.empty())
    line += "  (-" + option.shortName.str() + ")";
  return line + "\n        " + option.text.str() + "\n";
}

std::string het::driver::helpText() {
  std::string text =
      "Usage: hetcc [options] file...\n\n"
      "Compiles CUDA source as nvcc does; the programs it makes run on every\n"
      "device that the runtime knows. A value is written --long value,\n"
      "--long=value, -short value, -short=value, or, after a short name of one\n"
      "letter, directly behind it.\n";
  struct Part {
    OptionUse use;
    const char *title;
  };
  for (Part part : {Part{OptionUse::Do, "Options"},
                    Part{OptionUse::Note, "Taken, but without an effect"},
                    Part{OptionUse::Refuse, "Not supported"}}) {
    text += std::string("\n") + part.title + ":\n";
    for (const OptionInfo &option : optionTable())
      if (option.use == part.use)
        text += optionLine(option);
  }
  return text;
}

std::string het::driver::versionText() {
  // Build systems look for the first line's words, for the number after the last V
  // (Meson), or for nvcc's fourth and fifth line.
  return "nvcc: NVIDIA (R) Cuda compiler driver, command line compatible\n"
         "hetcc " HET_VERSION ", which is not made by NVIDIA\n"
         "Built with LLVM " LLVM_VERSION_STRING "\n"
         "Cuda compilation tools, release 12.9, V12.9.86\n"
         "Build cuda_12.9.r12.9/hetcc." HET_VERSION "\n";
}

std::string het::driver::architectureList(const char *prefix) {
  std::string text;
  for (unsigned number : knownArchitectures())
    text += prefix + std::to_string(number) + "\n";
  return text;
}
