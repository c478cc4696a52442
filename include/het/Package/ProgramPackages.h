// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Giving a program other packages after it was linked (docs/spec/hetpkg.md, Section
// reference). A package that has grown has no room in its place: it goes into a section
// of its own at the file's end, which no address of the program depends on, and a record
// in the old place says which section that is.

#ifndef HET_PACKAGE_PROGRAMPACKAGES_H
#define HET_PACKAGE_PROGRAMPACKAGES_H

#include "het/Base/Bytes.h"
#include "het/Base/Status.h"

#include <string>
#include <vector>

namespace het {

inline constexpr std::string_view sectionReferenceMagic = "HETPKSEC";

bool hasSectionReferenceMagic(ByteView bytes);

/// A package that takes the place of another.
struct PackageExchange {
  uint64_t offset = 0; ///< Where the other one stands in the file.
  ByteView before;
  Bytes package;
};

/// The program with these packages. It must be an ELF program or shared library; objects
/// and archives are refused.
Result<Bytes> exchangePackages(ByteView program,
                               const std::vector<PackageExchange> &exchanges,
                               const std::string &origin);

/// Makes records of a package in a program records of another, which lies in its place.
void replaceSectionReferences(Bytes &program, ByteView before, ByteView after);

/// The package that a record of a loaded program stands for, from the program's file.
Result<Bytes> readReferencedPackage(const void *record, const std::string &path);

} // namespace het

#endif // HET_PACKAGE_PROGRAMPACKAGES_H
