// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of hetrun that say how a program is run. They become environment variables
// of the program.

#ifndef HET_TOOLS_HETRUN_RUNOPTIONS_H
#define HET_TOOLS_HETRUN_RUNOPTIONS_H

#include <CLI/CLI.hpp>
#include <string>

namespace het {

class RunOptions {
public:
  void addTo(CLI::App &app);

  /// Checks them and sets the variables. Returns an error; empty: none.
  std::string apply() const;

private:
  std::string applyCheckpoint() const;
  std::string applyPolicy() const;

  std::string devices, hop, profile;
  std::string file, after, every, policyFile, prefer, priority;
  bool control = false, stop = false;
};

} // namespace het

#endif // HET_TOOLS_HETRUN_RUNOPTIONS_H
