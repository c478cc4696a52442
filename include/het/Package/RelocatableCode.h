// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code of one source file, compiled with -rdc=true, for the device link
// (docs/spec/hetpkg.md, "Relocatable code").

#ifndef HET_PACKAGE_RELOCATABLECODE_H
#define HET_PACKAGE_RELOCATABLECODE_H

#include "het/Base/Bytes.h"
#include "het/Base/Status.h"

#include <optional>
#include <string>
#include <vector>

namespace het {

class PackageSections;

/// A function or variable that files share, by its mangled name.
struct LinkSymbol {
  std::string name;
  /// Where the source defines or first uses it, "file:line"; empty if unknown.
  std::string place;
};

struct RelocatableCode {
  /// Tells files apart: 1 to 64 letters, digits and `_`. The host object asks for the
  /// link by it.
  std::string id;
  /// Defined here and nowhere else.
  std::vector<LinkSymbol> defined;
  /// Defined here, and maybe, alike or weaker, in other files.
  std::vector<LinkSymbol> shared;
  /// Used here, defined in another file.
  std::vector<LinkSymbol> needed;
  /// Whether the link must compile some of it: kernels or variables that need other
  /// files, or have pointers to functions, which kernels of other files may call.
  bool isOpen = false;
  /// LLVM bitcode of what the package's kernels do not have: open kernels, and the
  /// functions and variables that other files can use.
  Bytes bitcode;
};

/// The section's record. The id must be valid.
Bytes writeRelocatableCode(const RelocatableCode &code);

/// Fails with what is wrong about the record.
Result<RelocatableCode> readRelocatableCode(ByteView record);

/// A package's relocatable code; nothing in one that was compiled whole.
Result<std::optional<RelocatableCode>>
findRelocatableCode(const PackageSections &package);

} // namespace het

#endif // HET_PACKAGE_RELOCATABLECODE_H
