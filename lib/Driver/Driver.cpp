// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver from top to bottom: words, options, settings, jobs, work.

#include "het/Driver/Driver.h"
#include "CommandLine.h"
#include "Compilation.h"
#include "Help.h"
#include "Text.h"

#include "het/Base/Cache.h"
#include "het/Base/Environment.h"
#include "het/Base/Log.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace het;
using namespace het::driver;

static int fatal(llvm::Error error) {
  llvm::handleAllErrors(std::move(error), [](const llvm::ErrorInfoBase &info) {
    llvm::errs() << "hetcc fatal   : " << info.message() << '\n';
  });
  return 1;
}

/// The command line, between what the environment puts before and behind it.
static std::vector<std::string> collectWords(int argc, const char *const *argv) {
  auto fromEnvironment = [](const char *name) {
    return splitVariable(llvm::sys::Process::GetEnv(name).value_or(""));
  };
  std::vector<std::string> words = fromEnvironment("NVCC_PREPEND_FLAGS");
  words.insert(words.end(), argv + 1, argv + argc);
  for (std::string &word : fromEnvironment("NVCC_APPEND_FLAGS"))
    words.push_back(std::move(word));
  return words;
}

/// Options that only ask for a text.
static bool printText(const CommandLine &line) {
  if (line.has(OptionId::Help))
    llvm::outs() << helpText();
  else if (line.has(OptionId::Version))
    llvm::outs() << versionText();
  else if (line.has(OptionId::ListArch))
    llvm::outs() << architectureList("compute_");
  else if (line.has(OptionId::ListCode))
    llvm::outs() << architectureList("sm_");
  else
    return false;
  return true;
}

static void printRemarks(const Settings &settings) {
  for (const std::string &warning : settings.warnings)
    llvm::errs() << "hetcc warning : " << warning << '\n';
  if (settings.verbose)
    for (const std::string &note : settings.notes)
      llvm::errs() << "hetcc info    : " << note << '\n';
}

static void showJobs(const Compilation &compilation, const Settings &settings) {
  if (settings.clean) {
    for (const std::string &output : compilation.outputs)
      llvm::errs() << "#$ rm -f " << quoted(output) << " \n";
    return;
  }
  for (const std::string &note : compilation.notes)
    llvm::errs() << "hetcc info    : " << note << '\n';
  for (const std::vector<Job> *jobs : {&compilation.checks, &compilation.sources})
    for (const Job &job : *jobs)
      llvm::errs() << job.show();
  for (const Job &job : compilation.rest)
    llvm::errs() << job.show();
}

/// Reads what the environment says of messages and of the cache. That there can be no
/// cache is told only if HET_LOG asks: build systems take a compiler's words for its
/// opinion.
static Status readEnvironment() {
  if (Status log = setUpLog("hetcc"); !log.ok())
    return log;
  if (!environment::text(Variable::Log))
    setLogLevel(Level::Error);
  return Cache::readCapacity().status();
}

int het::runDriver(int argc, const char *const *argv) {
  if (Status status = readEnvironment(); !status.ok())
    return fatal(llvm::createStringError(status.text()));
  llvm::Expected<CommandLine> line = parseCommandLine(collectWords(argc, argv));
  if (!line)
    return fatal(line.takeError());
  if (printText(*line))
    return 0;
  llvm::Expected<Settings> settings = readSettings(*line);
  if (!settings)
    return fatal(settings.takeError());

  // CMake asks with an input that is not there, and reads this first.
  Installation installation = Installation::find(argv[0]);
  if (settings->verbose || settings->dryRun)
    llvm::errs() << showEnvironment(installation);
  printRemarks(*settings);
  if (llvm::Error error = readInputs(*line, *settings))
    return fatal(std::move(error));

  llvm::Expected<Compilation> compilation = planCompilation(*settings, installation);
  if (!compilation)
    return fatal(compilation.takeError());
  if (settings->verbose || settings->dryRun)
    showJobs(*compilation, *settings);
  return settings->dryRun ? 0 : execute(*compilation, *settings);
}
