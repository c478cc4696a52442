// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From argv to a list of options and inputs in the order of the command line.
// Nothing is interpreted here but the spelling.

#ifndef HET_LIB_DRIVER_COMMANDLINE_H
#define HET_LIB_DRIVER_COMMANDLINE_H

#include "Options.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace het::driver {

/// An option with its values, an input file, or an option that nvcc does not
/// know and that goes to the host compiler or linker.
struct Argument {
  enum class Kind { Option, Input, Unknown };
  Kind kind = Kind::Input;
  const OptionInfo *option = nullptr; ///< For an option.
  std::vector<std::string> values;    ///< An option's; empty for a flag.
  std::string text;                   ///< As it was typed, or the input's name.

  bool is(OptionId id) const { return option && option->id == id; }
  const std::string &value() const { return values.front(); }
};

struct CommandLine {
  std::vector<Argument> arguments;
  bool forwardToCompiler = false;
  bool forwardToLinker = false;

  bool has(OptionId id) const;
};

/// Parses the arguments after the program's name, options files included. What
/// NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS hold is given by the caller as part
/// of them.
llvm::Expected<CommandLine> parseCommandLine(llvm::ArrayRef<std::string> words);

} // namespace het::driver

#endif // HET_LIB_DRIVER_COMMANDLINE_H
