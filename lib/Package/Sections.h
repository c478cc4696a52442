// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frame that .hetpkg and .hetckpt share: a header of 160 bytes, and behind it a table
// of sections that touch. Private to this library.

#ifndef HET_LIB_PACKAGE_SECTIONS_H
#define HET_LIB_PACKAGE_SECTIONS_H

#include "Format.h"

#include "het/Base/Status.h"

#include <functional>
#include <string>
#include <vector>

namespace het {

/// A kind of file, and the words for it.
struct FileKind {
  const uint8_t *magic; ///< format::magicSize bytes.
  uint16_t major, minor;
  const char *suffix;    ///< ".hetpkg"
  const char *noun;      ///< "package"
  const char *makeAgain; ///< "build it again"

  std::string damagedRemedy() const;
};

extern const FileKind packageKind;
extern const FileKind checkpointKind;

/// The fields of the header that a reader needs.
struct Header {
  uint64_t totalSize;
  uint32_t sections;
};

bool hasMagic(ByteView bytes, const FileKind &kind);

/// Checks everything in the header that can be checked without the rest.
/// `bytes` holds at least headerSize bytes.
Result<Header> readHeader(ByteView bytes, const FileKind &kind);

/// Likewise, of a file of `size` bytes, of which these are the first: those of the
/// header, or all. Messages have no origin.
Result<Header> readWholeHeader(ByteView bytes, uint64_t size, const FileKind &kind);

std::string readProducer(ByteView bytes);

/// An entry of the table, which lies inside the bytes.
format::Section readSection(ByteView bytes, uint32_t index);

/// Checks an entry; a failure says what is wrong with it.
using EntryCheck = std::function<Status(uint32_t index, const format::Section &)>;

/// Checks the table's digest. Returns what it would be with zeros in place of the last
/// section's digest: the part of it that signatures sign. `bytes` holds the header and
/// the table.
Result<Digest> checkTableDigest(ByteView bytes, uint32_t sections, const FileKind &kind);

/// Checks that the sections lie end to end; gives each to `check`, whose failures end it.
/// `damaged` makes the failure of a section. `bytes` holds the header and the table,
/// whose digest is right, of a file of `size` bytes.
Status checkSections(ByteView bytes, uint64_t size, uint32_t sections,
                     const FileKind &kind, const EntryCheck &check,
                     const std::function<Status(uint32_t, const std::string &)> &damaged);

/// Judges a section whose type nobody knows: success if it may be skipped.
Status unknownSection(uint32_t index, const format::Section &section);

/// The header and table of sections whose stored sizes, raw sizes and digests
/// are known. Gives them their offsets.
Bytes writeHeaderAndTable(const FileKind &kind, const std::string &producer,
                          std::vector<format::Section> &sections);

/// As the header takes it: cut, printable.
std::string headerProducer(std::string producer);

} // namespace het

#endif // HET_LIB_PACKAGE_SECTIONS_H
