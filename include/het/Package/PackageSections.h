// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sections of a .hetpkg (docs/spec/hetpkg.md, "Section table"): where each lies,
// and its bytes, checked in the order of "Reading": bounds, digest, zstd.

#ifndef HET_PACKAGE_PACKAGESECTIONS_H
#define HET_PACKAGE_PACKAGESECTIONS_H

#include "het/Base/Bytes.h"
#include "het/Base/Hash.h"
#include "het/Base/ProgressBar.h"
#include "het/Base/Status.h"

#include <string>

namespace het {

namespace format {
struct Section;
} // namespace format

/// Borrows the package's bytes.
class PackageSections {
public:
  /// Checks the header and the section table.
  static Result<PackageSections> open(ByteView bytes, std::string origin);

  uint32_t count() const { return total; }
  /// How many of them are kernel pages.
  uint32_t pageCount() const { return pages; }
  /// The number of the artifact index; 0: there is none.
  uint32_t artifactIndex() const { return artifacts; }
  /// The number of the section of kernels' attributes; 0: there is none.
  uint32_t kernelAttributes() const { return attributes; }
  ByteView view() const { return bytes; }
  const std::string &origin() const { return source; }

  /// One entry of the section table, for display.
  struct Info {
    std::string typeName;
    bool ignorable = false, compressed = false;
    uint64_t offset = 0, storedSize = 0, rawSize = 0;
    Digest digest{};
  };
  Info info(uint32_t index) const;

  format::Section entry(uint32_t index) const;

  /// A section's bytes, not yet held against their digest.
  Result<ByteView> located(uint32_t index, uint32_t type) const;
  Status checkDigest(uint32_t index, ByteView view) const;
  /// A section's bytes as they are stored, held against their digest.
  Result<ByteView> stored(uint32_t index, uint32_t type) const;
  /// Likewise, decompressed.
  Result<Bytes> contents(uint32_t index, uint32_t type) const;

  /// Whether the last section is for signatures; it may have none.
  bool holdsSignatures() const;
  /// SHA-256 of the section table, as if the last section's digest were zeros.
  const Digest &signedTableDigest() const { return signedTable; }

  /// Checks the digests of all sections, and the contents of those whose type is known.
  Status verify(const ProgressFunction &progress) const;

  /// A failure in one section, with the remedy for damaged files.
  Status damaged(uint32_t section, const std::string &what) const;

private:
  PackageSections(ByteView bytes, std::string origin)
      : bytes(bytes), source(std::move(origin)) {}

  Status checkTable();

  ByteView bytes;
  std::string source;
  uint32_t total = 0;
  uint32_t pages = 0;
  uint32_t artifacts = 0;
  uint32_t attributes = 0;
  Digest signedTable{};
};

} // namespace het

#endif // HET_PACKAGE_PACKAGESECTIONS_H
