// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record that stands in a program in place of its package when the package
// lies beside it: the package's file name (docs/spec/hetpkg.md, "Reference").

#ifndef HET_PACKAGE_PACKAGEREFERENCE_H
#define HET_PACKAGE_PACKAGEREFERENCE_H

#include "het/Base/Bytes.h"
#include "het/Base/Status.h"

namespace het {

inline constexpr std::string_view referenceMagic = "HETPKREF";

/// Magic, version and length: what stands before the file name.
inline constexpr size_t referenceHeaderSize = 16;

bool hasReferenceMagic(ByteView bytes);

/// The record for a file name: 1 to 4095 bytes, without a folder.
Result<Bytes> writePackageReference(std::string_view fileName);

/// The file name in a record. At least referenceHeaderSize bytes and as many
/// more as its length field says must be readable there.
Result<std::string> readPackageReference(const void *record);

/// The same, bounded: for records inside a file.
Result<std::string> readPackageReference(ByteView bytes);

} // namespace het

#endif // HET_PACKAGE_PACKAGEREFERENCE_H
