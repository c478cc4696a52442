// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The jobs that a command line comes to: first one for each source, in any
// order and at the same time; then those that use what the first ones made.

#ifndef HET_LIB_DRIVER_COMPILATION_H
#define HET_LIB_DRIVER_COMPILATION_H

#include "HostFlags.h"
#include "Installation.h"
#include "Settings.h"

namespace het::driver {

struct Job {
  enum class Kind {
    Compile,    ///< Both sides of a CUDA source, in this process.
    Emit,       ///< A stage of its kernels.
    Preprocess, ///< Or list dependencies.
    DeviceLink, ///< An object for the device code of several.
    Command,    ///< Another program.
  };
  Kind kind = Kind::Command;
  std::string input;
  std::string output;
  CompileOptions compile; ///< All but Command.
  /// All but Command: -M and its relatives, for Clang.
  std::vector<std::string> dependencies;
  /// All but Command: the options, as hetcc takes them.
  std::vector<std::string> shown;
  HostStage hostStage = HostStage::Object;        ///< Compile, Preprocess.
  DeviceStage deviceStage = DeviceStage::Package; ///< Emit.
  std::string packageFile; ///< Compile: the package goes here, if not "".
  std::string keptPackage; ///< Compile: a copy of it goes here, if not "".
  /// Command: the program by its path. DeviceLink: what compiles the registration.
  std::vector<std::string> command;
  std::vector<std::string> linked; ///< DeviceLink: objects and archives.
  std::string registration;        ///< DeviceLink: the file for that source.
  std::string linkedPackage;       ///< DeviceLink: the file for what the object embeds.
  bool resourceUsage = false;      ///< All but Preprocess: say what kernels use.
  /// Files that a failure must not leave behind.
  std::vector<std::string> leftovers;

  /// A line that says what the job does (-v, --dryrun).
  std::string show() const;
};

/// The options of a CUDA source's compilation, such that hetcc, given them, does the
/// same. `firstFolder`: where headers are looked for first; "": nowhere else.
std::vector<std::string> showOptions(const Settings &settings,
                                     const CompileOptions &compile,
                                     const HostFlags &flags,
                                     const std::string &firstFolder);

/// Files that are removed with it, whatever happens.
class Temporaries {
public:
  Temporaries() = default;
  Temporaries(Temporaries &&) = default; // which leaves an empty list
  Temporaries &operator=(Temporaries &&) = delete;
  ~Temporaries();

  void add(std::string path) { paths.push_back(std::move(path)); }

private:
  std::vector<std::string> paths;
};

struct Compilation {
  /// Ahead of all: whether the host compiler knows words that Clang does not.
  std::vector<Job> checks;
  std::vector<Job> sources;
  std::vector<Job> rest;
  /// Files that the command line asks for; all others are intermediate.
  std::vector<std::string> outputs;
  Temporaries temporaries;
  /// Lines that -v prints.
  std::vector<std::string> notes;
};

/// The variables that nvcc -v shows ahead of its commands. CMake reads them.
std::string showEnvironment(const Installation &installation);

llvm::Expected<Compilation> planCompilation(const Settings &settings,
                                            const Installation &installation);

/// Stores a finished package: copies of it, and the bytes that the host object carries.
llvm::Expected<Bytes> placePackage(const Job &job, Bytes package);

/// Runs a job of the kind DeviceLink, but for its command.
llvm::Error linkForDevice(const Job &job);

/// Runs everything, stopping after a failure. Returns the exit status.
int execute(const Compilation &compilation, const Settings &settings);

} // namespace het::driver

#endif // HET_LIB_DRIVER_COMPILATION_H
