// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Repairs of declarations that nvcc takes and Clang does not. They are found in what
// Clang has read, where SourceRepairs looks at the text alone.
//
// - A function that is `constexpr` and says no side calls one of several functions of a
//   name. Clang takes it for a function of both sides, and chooses the callee of the side
//   that is compiled; to nvcc it is the host's. It is told so if the device's callee has
//   an error.
// - A function template, or a member of a class template, is the host's and calls a
//   function of the device's. nvcc looks at no calls in an instance of it. It is made one
//   of both sides, whose calls are looked at where its code is made (HostCalls.h).
// - A member of a base class that depends on a template's parameters is named without
//   `this->`.
// - A function template, or a member of a class template, is `constexpr` and has a
//   variable of a type that constant expressions cannot have. To nvcc it is one that is
//   not `constexpr`.
// - Of two function templates without parameters, one has a parameter pack among its
//   template parameters. For nvcc the other one is more specialised, which the standard
//   does not say. g++ behind nvcc refuses such a call, so this is for operands alone that
//   are not evaluated.

#ifndef HET_LIB_FRONTEND_DECLARATIONREPAIRS_H
#define HET_LIB_FRONTEND_DECLARATIONREPAIRS_H

#include "clang/Basic/Diagnostic.h"

#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
class Sema;
} // namespace clang

namespace het {

/// Characters of a file to be replaced.
struct TextEdit {
  clang::FileID file;
  unsigned offset;
  unsigned removed; ///< Number of characters.
  std::string inserted;
};

class DeclarationRepairs {
public:
  /// The edits that a diagnostic asks for; none if it is about something else. To be
  /// given all diagnostics in their order, notes as well.
  std::vector<TextEdit> find(clang::DiagnosticsEngine::Level level,
                             const clang::Diagnostic &diagnostic,
                             const clang::Sema &sema);

private:
  std::vector<TextEdit> preferCandidate(const clang::FunctionDecl &candidate,
                                        const clang::Sema &sema);

  bool isAmbiguous = false; ///< The last error is such a call.
  /// Candidates of that call, as far as notes have named them.
  std::vector<const clang::FunctionDecl *> candidates;
};

} // namespace het

#endif // HET_LIB_FRONTEND_DECLARATIONREPAIRS_H
