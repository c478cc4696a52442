// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nvcc takes and Clang's parser does not: a dependent name in code for devices
// without `template`, operands of an `asm` without a comma between them, a lone `%` in
// its text that stands for itself, and a launch written `<< <` and `>> >`. The pass notes
// the place and runs again with the text as Clang has it.

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

enum class Repair { TemplateKeyword, AssemblyComma, AssemblyPercent, LaunchBracket };

class SourceRepairs {
public:
  /// The repair that the diagnostic is about, if its place is known and not repaired
  /// yet. The place is then noted.
  std::optional<Repair> note(const clang::Diagnostic &diagnostic);

  /// Whether places were noted since the last apply().
  bool pending() const { return isPending; }

  /// Lets the next pass read the repaired files.
  void apply(clang::PreprocessorOptions &options);

private:
  struct Edit {
    unsigned removed; ///< Number of characters.
    llvm::StringRef inserted;
  };
  using Edits = std::map<unsigned, Edit>; ///< By offset in the file as it is.
  std::map<std::string, Edits> noted;     ///< By file.
  std::map<std::string, Edits> applied;   ///< Those in the text that Clang reads now.
  bool isPending = false;
};

} // namespace het

#endif // HET_LIB_FRONTEND_SOURCEREPAIRS_H
