// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans a command line's jobs.

#ifndef HET_LIB_DRIVER_PLANNER_H
#define HET_LIB_DRIVER_PLANNER_H

#include "Compilation.h"
#include "HostFlags.h"

#include "llvm/ADT/StringSet.h"

namespace het::driver {

class Planner {
public:
  Planner(const Settings &settings, const Installation &installation)
      : s(settings), installation(installation),
        flags(readHostFlags(settings.compilerOptions)) {}

  llvm::Expected<Compilation> plan();

private:
  llvm::Error planSource(const Source &source);
  llvm::Error planText(Job package, const std::string &intermediate);
  llvm::Error planPackage(const Source &source);
  void planStart(const std::string &program);
  void planCheck();
  llvm::Error planDeviceLink(std::string output);
  std::vector<std::string> deviceInputs() const;
  bool hasDeviceCode() const;
  llvm::Error planArchive();
  llvm::Error planLink();
  llvm::Error planRest();
  Job cudaJob(const Source &source) const;
  Job hostJob(const Source &source) const;
  void addDependencies(Job &job, const Source &source);
  llvm::Expected<std::string> packageTool() const;
  std::vector<std::string> openmpWords() const;
  void addLibraries(std::vector<std::string> &words) const;
  void addRunPath(std::vector<std::string> &words);
  llvm::Expected<std::string> outputFor(const Source &source,
                                        llvm::StringRef intermediate);
  std::string uniqueStem(const Source &source);
  llvm::Expected<std::string> temporary(llvm::StringRef stem, llvm::StringRef extension);
  std::string inOutputDirectory(llvm::StringRef name) const;
  bool bringsOtherCuda() const;

  const Settings &s;
  const Installation &installation;
  HostFlags flags;
  std::string hostCompiler;
  std::string gccFolder; ///< Of the compiler that -ccbin names; "": Clang's choice.
  std::vector<std::string> objects; ///< In the order of the command line.
  llvm::StringSet<> stems;          ///< Of intermediate files.
  Compilation compilation;
};

} // namespace het::driver

#endif // HET_LIB_DRIVER_PLANNER_H
