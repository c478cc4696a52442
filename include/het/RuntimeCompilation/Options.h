// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVRTC's options, and what the front end is told by them.

#ifndef HET_RUNTIMECOMPILATION_OPTIONS_H
#define HET_RUNTIMECOMPILATION_OPTIONS_H

#include "het/Frontend/Frontend.h"

#include <string>
#include <vector>

namespace het::rtc {

struct Settings {
  CompileOptions compile;
  bool hasCubin = false;   ///< The architecture is a real one.
  bool isLinkable = false; ///< -dlto: LTO-IR and no PTX.
  bool deviceByDefault = false;
  bool sourceFolder = true; ///< Headers are looked for beside the source.
  std::string standard = "c++17";
  std::string timeFile;                 ///< --time; empty: none.
  std::vector<std::string> folders;     ///< Those of -I, in their order.
  std::vector<std::string> preIncludes; ///< Those of -include.
};

/// Reads a program's options. Fails with what NVRTC's log says of the first that is not
/// right, without its "nvrtc: error: ".
llvm::Expected<Settings> readOptions(const std::vector<std::string> &options);

} // namespace het::rtc

#endif // HET_RUNTIMECOMPILATION_OPTIONS_H
