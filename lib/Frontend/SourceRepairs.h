// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A `template` that a dependent name lacks. nvcc does not miss it in code for
// devices; Clang takes the `<` behind such a name for a comparison. So the pass
// notes where the word belongs and runs again with it in place.

#ifndef HET_LIB_FRONTEND_SOURCEREPAIRS_H
#define HET_LIB_FRONTEND_SOURCEREPAIRS_H

#include <map>
#include <set>
#include <string>

namespace clang {
class Diagnostic;
class PreprocessorOptions;
} // namespace clang

namespace het {

class SourceRepairs {
public:
  /// Whether the diagnostic is about a missing `template` whose place is known
  /// and not repaired yet. The place is then noted.
  bool note(const clang::Diagnostic &diagnostic);

  /// Whether places were noted since the last apply().
  bool pending() const { return isPending; }

  /// Lets the next pass read the repaired files.
  void apply(clang::PreprocessorOptions &options);

private:
  std::map<std::string, std::set<unsigned>> offsets; ///< By file.
  /// Those that are in the text which Clang reads now.
  std::map<std::string, std::set<unsigned>> applied;
  bool isPending = false;
};

} // namespace het

#endif // HET_LIB_FRONTEND_SOURCEREPAIRS_H
