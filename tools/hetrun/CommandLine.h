// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetrun's command line: options and a program to run, or a verb with its arguments.

#ifndef HET_TOOLS_HETRUN_COMMANDLINE_H
#define HET_TOOLS_HETRUN_COMMANDLINE_H

#include "Checkpoints.h"
#include "Devices.h"
#include "RunOptions.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace het {

class CommandLine {
public:
  CommandLine();

  /// Does what the arguments ask for, `arguments[0]` being the first behind the program's
  /// name. Returns the exit status.
  int run(char **arguments, int count);

private:
  struct Verb {
    CLI::App *app;
    std::function<int()> run;
    int usageStatus = 1; ///< The exit status after a wrong command line.
  };

  Verb &addVerb(const char *name, const char *what, std::function<int()> run);
  void addFileVerbs();
  void addProgramVerbs();
  /// Parses with `parsed`, which is `app` or one of its verbs. Returns -1 to go on, else
  /// the exit status.
  int parse(const CLI::App &parsed, std::vector<std::string> arguments, int usageStatus);
  int runVerb(const Verb &verb, const std::vector<std::string> &arguments);

  CLI::App app;
  std::vector<Verb> verbs;
  RunOptions options;
  DevicesOptions devices;
  ResumeOptions resume;
  std::string first, second; ///< Positional arguments of the other verbs.
  std::string restoreDevice;
};

} // namespace het

#endif // HET_TOOLS_HETRUN_COMMANDLINE_H
