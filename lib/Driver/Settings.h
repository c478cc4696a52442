// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The settings that a command line asks for, once its options are understood.

#ifndef HET_LIB_DRIVER_SETTINGS_H
#define HET_LIB_DRIVER_SETTINGS_H

#include "CommandLine.h"

#include "het/Frontend/Frontend.h"

#include <optional>
#include <set>

namespace het::driver {

/// How far the sources go. The order is that of the work.
enum class Phase {
  Preprocess,
  Dependencies,
  Emit, ///< Stop at a stage of the kernels (--het-emit, -ptx and its relatives).
  Compile,
  DeviceLink,
  Archive,
  Link,
};

enum class SourceKind {
  Cuda,
  Cxx,
  C,
  Object,
  Device, ///< A package, as such or in PTX text: what -ptx and its relatives write.
  Program ///< For --run, which starts it.
};

struct Source {
  std::string path;
  SourceKind kind;
};

/// Lists of included files (-M and its relatives).
struct DependencySettings {
  bool wanted = false;
  bool system = true; ///< System headers, too.
  bool phony = false;
  std::string file;
  std::string target;
};

struct Settings {
  Phase phase = Phase::Link;
  std::vector<Source> sources;
  std::string output;
  std::string outputDirectory;
  DependencySettings dependencies;
  DeviceStage emit = DeviceStage::Package;
  /// "ptx", "cubin", "fatbin" or "ltoir", for the option of that name.
  std::string deviceOutput;
  std::string packageFile; ///< --het-package

  /// The fields that do not depend on the source.
  CompileOptions compile;
  /// -D, -U, -I, -isystem, -include, -std, -W…: as clang and g++ both spell
  /// them.
  std::vector<std::string> language;
  /// Macros by which CUDA sources see that options were given, such as
  /// __CUDACC_EXTENDED_LAMBDA__.
  std::set<std::string> optionMacros;
  /// Clang's words for what --diag-suppress and its relatives name.
  std::vector<std::string> diagnostics;
  /// Those options, as they were given.
  std::vector<std::string> shownDiagnostics;
  /// The folders of -I and -isystem once more.
  std::vector<std::string> includeFolders;
  std::optional<unsigned> optimization; ///< -O
  std::set<unsigned> architectures;     ///< Those named; the highest counts.
  bool manyArchitectures = false;       ///< "all" or "all-major" among them.

  std::string hostCompiler; ///< -ccbin
  std::string archiver = "ar";
  std::vector<std::string> compilerOptions; ///< -Xcompiler
  std::vector<std::string> linkerOptions;   ///< -Xlinker
  std::vector<std::string> archiveOptions;  ///< -Xarchive
  std::vector<std::string> libraryPaths;    ///< -L
  std::vector<std::string> libraries;       ///< -l
  std::string cudart = "static";
  bool shared = false;
  bool deviceLink = true; ///< Not with -nodlink.
  bool profile = false;

  bool run = false;
  bool clean = false; ///< Remove what would be written.
  bool resourceUsage = false;
  std::vector<std::string> programArguments;
  bool dryRun = false;
  bool verbose = false;
  bool keep = false;
  std::string keepDirectory;
  std::string timeFile;
  unsigned threads = 0; ///< 0: one for each core.

  /// Warnings, and what -v says about options that have no effect.
  std::vector<std::string> warnings;
  std::vector<std::string> notes;

  /// The path of a file that no option names.
  std::string inOutputDirectory(llvm::StringRef name) const;
};

/// Fails, with nvcc's words where it has some, on what is refused or cannot be
/// done. Inputs are not looked at yet.
llvm::Expected<Settings> readSettings(const CommandLine &line);

/// Takes the inputs, and checks that they and the outputs fit together.
llvm::Error readInputs(const CommandLine &line, Settings &settings);

} // namespace het::driver

#endif // HET_LIB_DRIVER_SETTINGS_H
