// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nvcc does not miss and Clang's parser needs: a `template` before a dependent
// name in code for devices, a comma between the operands of an `asm`, and a second
// `%` where one in an `asm` stands for itself. The pass notes the place and runs again
// with the text put in.

#ifndef HET_LIB_FRONTEND_SOURCEREPAIRS_H
#define HET_LIB_FRONTEND_SOURCEREPAIRS_H

#include "llvm/ADT/StringRef.h"

#include <map>
#include <optional>
#include <string>

namespace clang {
class Diagnostic;
class PreprocessorOptions;
} // namespace clang

namespace het {

enum class Repair { TemplateKeyword, AssemblyComma, AssemblyPercent };

class SourceRepairs {
public:
  /// What is missing, if the diagnostic is about one of the repairs, its place is
  /// known and not repaired yet. The place is then noted.
  std::optional<Repair> note(const clang::Diagnostic &diagnostic);

  /// Whether places were noted since the last apply().
  bool pending() const { return isPending; }

  /// Lets the next pass read the repaired files.
  void apply(clang::PreprocessorOptions &options);

private:
  /// What is put in, by its offset in the file as it is.
  using Insertions = std::map<unsigned, llvm::StringRef>;
  std::map<std::string, Insertions> noted; ///< By file.
  /// Those that are in the text which Clang reads now.
  std::map<std::string, Insertions> applied;
  bool isPending = false;
};

} // namespace het

#endif // HET_LIB_FRONTEND_SOURCEREPAIRS_H
