// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running the tools that stand beside hetpkg and read hetIR, which hetpkg itself does
// not: what is in a package may crash a reader of it.

#ifndef HET_TOOLS_HETPKG_TOOL_H
#define HET_TOOLS_HETPKG_TOOL_H

#include "het/Base/Bytes.h"
#include "het/Base/Status.h"

#include <string>
#include <vector>

namespace het {

/// The path of a tool in hetpkg's folder; `purpose` says what needs it, `remedy` what to
/// do without.
Result<std::string> findTool(const std::string &name, const std::string &purpose,
                             const std::string &remedy);

/// How a tool ended and what it wrote.
struct ToolRun {
  bool succeeded = false;
  std::string end; ///< "exit status 1", "signal 11".
  Bytes output;
  std::string errors;
};

/// Runs a tool with `input` as its standard input, within limits of memory and processor
/// time.
Result<ToolRun> runTool(const std::string &tool, std::vector<std::string> arguments,
                        ByteView input);

} // namespace het

#endif // HET_TOOLS_HETPKG_TOOL_H
