// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Repairs of sources for what nvcc takes and Clang does not: a dependent name in code for
// devices without `template` or `typename`, operands of an `asm` without a comma between
// them, a lone `%` in its text that stands for itself, a launch written `<< <` and `>>
// >`, a constant of the class that is named through `this`, and a function template that
// is defined outside its namespace with other parameters than it was declared with. The
// pass notes the place and runs again with the text as Clang has it.
//
// A template that nobody instantiates may also make an object of arguments that its class
// has no constructor for: the pass runs again without looking into such templates.
//
// What is found in declarations, rather than in the text, is in DeclarationRepairs.
//
// CUDA 12 no longer has texture references: the pass runs again with their declarations
// where a source names one.

#ifndef HET_LIB_FRONTEND_SOURCEREPAIRS_H
#define HET_LIB_FRONTEND_SOURCEREPAIRS_H

#include "DeclarationRepairs.h"

#include "llvm/ADT/StringRef.h"

#include <map>
#include <optional>
#include <string>

namespace clang {
class CompilerInvocation;
class Sema;
} // namespace clang

namespace het {

enum class Repair {
  TemplateKeyword,
  TypenameKeyword,
  AssemblyComma,
  AssemblyPercent,
  LaunchBracket,
  NamespaceOfTemplate,
  UnusedTemplate,
  TextureReferences,
  ClassOfThis,
  AmbiguousTemplates,
  OtherDeclaration,
};

class SourceRepairs {
public:
  /// The repair that the diagnostic is about, if its place is known and not repaired
  /// yet. The place is then noted.
  std::optional<Repair> note(const clang::Diagnostic &diagnostic);

  /// As note(), for what is about a declaration.
  std::optional<Repair> noteOfDeclaration(clang::DiagnosticsEngine::Level level,
                                          const clang::Diagnostic &diagnostic,
                                          const clang::Sema &sema);

  /// As note(), for an error in a template's own text, which is no instance.
  std::optional<Repair> noteInTemplate(const clang::Diagnostic &diagnostic);

  /// Whether something was noted since the last apply().
  bool pending() const { return isPending; }

  /// Lets the next pass read the repaired files, and templates when they are used.
  void apply(clang::CompilerInvocation &invocation, llvm::vfs::FileSystem &files);

  /// To be called when the pass has failed, and nothing is pending: whether it should run
  /// once more, as its errors are not those of the source as it is.
  bool giveUp();

private:
  struct Edit {
    unsigned removed; ///< Number of characters.
    std::string inserted;
  };
  bool add(const std::string &path, unsigned offset, const Edit &edit);

  DeclarationRepairs ofDeclarations;
  using Edits = std::map<unsigned, Edit>; ///< By offset in the file as it is.
  std::map<std::string, Edits> noted;     ///< By file.
  std::map<std::string, Edits> applied;   ///< Those in the text that Clang reads now.
  bool isPending = false;
  enum class Templates {
    Read,
    ReadNextWhenUsed, ///< By the next pass.
    ReadWhenUsed,
    ReadAsWritten, ///< For good.
  } templates = Templates::Read;
  bool hasReferences = false; ///< The next pass declares texture references.
};

} // namespace het

#endif // HET_LIB_FRONTEND_SOURCEREPAIRS_H
