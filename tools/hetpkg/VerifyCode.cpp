// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetpkg verify, the hetIR of kernels: the same checks as before a kernel is lowered, by
// the tool het-lower that stands beside this one.

#include "Tool.h"
#include "Verbs.h"

#include <algorithm>

using namespace het;

/// The first of the lines that say something.
static std::string firstLine(const std::string &text) {
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    if (end > start)
      return text.substr(start, end - start);
    start = end + 1;
  }
  return "";
}

Status het::verifyCode(const InputPackage &input) {
  if (input.kernels.empty())
    return Status::success();
  Result<std::string> tool = findTool(
      "het-lower", "verify", "install it, or look at the package by 'hetpkg show'");
  if (!tool.ok())
    return tool.status();
  Result<ToolRun> run = runTool(*tool, {"--verify", "-"}, input.package.view());
  if (!run.ok())
    return run.status();
  if (run->succeeded)
    return Status::success();
  // It writes a kernel's name before it looks at it.
  std::string names(ByteView(run->output).text());
  if (!names.empty() && names.back() == '\n')
    names.pop_back();
  const std::string why = firstLine(run->errors);
  return invalid("hetIR of kernel '" + names.substr(names.rfind('\n') + 1) +
                     "': " + (why.empty() ? "its reader ended by " + run->end : why),
                 input.package.origin());
}
