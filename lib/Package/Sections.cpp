// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes the header and the section table of a file.

#include "Sections.h"

#include "Text.h"

#include <algorithm>
#include <cstring>

using namespace het;
using namespace het::format;

const FileKind het::packageKind = {magic,     versionMajor, versionMinor,
                                   ".hetpkg", "package",    "build it again"};

std::string FileKind::damagedRemedy() const {
  return std::string("the file is damaged: copy it or ") + makeAgain;
}

static Digest digestAt(ByteView view, size_t offset) {
  Digest digest;
  std::memcpy(digest.data(), view.data + offset, digest.size());
  return digest;
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

bool het::hasMagic(ByteView bytes, const FileKind &kind) {
  return bytes.size >= magicSize && std::memcmp(bytes.data, kind.magic, magicSize) == 0;
}

static Status wrongMagic(const FileKind &kind) {
  return invalid(foundExpected("header: magic", "other bytes",
                               std::string("a ") + kind.suffix + "'s",
                               std::string("check that this is a ") + kind.noun));
}

static Status checkVersion(uint16_t major, uint16_t minor, const FileKind &kind) {
  if (major == kind.major)
    return Status::success();
  std::string found = std::to_string(major) + "." + std::to_string(minor);
  std::string expected = std::to_string(kind.major) + ".x";
  return unsupported(foundExpected(
      "header: format version", found, expected,
      major > kind.major ? "use a hetcc at least as new as the one that made "
                           "it, or make it again with this one"
                         : kind.damagedRemedy()));
}

/// Printable ASCII, then zeros, at least one.
static bool goodProducer(ByteView field) {
  std::string_view text = field.text();
  size_t length = std::min(text.find('\0'), text.size());
  bool printable = true;
  for (unsigned char c : text.substr(0, length))
    printable = printable && c >= 0x20 && c <= 0x7e;
  bool zeros = text.find_first_not_of('\0', length) == std::string_view::npos;
  return length < text.size() && printable && zeros;
}

/// The fields behind the version; `bytes` has the right digest.
static Result<Header> readFields(ByteView bytes, const FileKind &kind) {
  ByteReader reader(bytes);
  reader.bytes(magicSize + 4);
  uint32_t size = reader.u32();
  if (size != headerSize)
    return invalid(foundExpected("header: size", bytesText(size), bytesText(headerSize),
                                 kind.damagedRemedy()));
  Header result;
  result.totalSize = reader.u64();
  result.sections = reader.u32();
  if (uint32_t flags = reader.u32())
    return unsupported(
        foundExpected("header: flags", std::to_string(flags), "0",
                      "use a hetcc at least as new as the one that made it"));
  if (!goodProducer(*bytes.slice(producerOffset, producerSize)))
    return invalid(foundExpected("header: producer", "other bytes",
                                 "printable text and zeros", kind.damagedRemedy()));
  if (result.sections > maxSections)
    return invalid(foundExpected("header: section count", std::to_string(result.sections),
                                 "at most " + std::to_string(maxSections),
                                 kind.damagedRemedy()));
  uint64_t least = headerSize + uint64_t(result.sections) * sectionEntrySize;
  if (result.totalSize < least)
    return invalid(foundExpected("header: total size", bytesText(result.totalSize),
                                 "at least " + bytesText(least), kind.damagedRemedy()));
  return result;
}

Result<Header> het::readHeader(ByteView bytes, const FileKind &kind) {
  if (!hasMagic(bytes, kind))
    return wrongMagic(kind);
  ByteReader reader(bytes);
  reader.bytes(magicSize);
  uint16_t major = reader.u16(), minor = reader.u16();
  if (Status status = checkVersion(major, minor, kind); !status.ok())
    return status;
  ByteView header(bytes.data, headerSize);
  Digest digest = sha256(*header.slice(0, headerDigestOffset));
  Digest expected = digestAt(header, headerDigestOffset);
  if (digest != expected)
    return invalid(foundExpected("header: SHA-256", hex(digest), hex(expected),
                                 kind.damagedRemedy()));
  return readFields(header, kind);
}

Result<Header> het::readWholeHeader(ByteView bytes, uint64_t size, const FileKind &kind) {
  if (!hasMagic(bytes, kind))
    return wrongMagic(kind);
  std::string cutShort =
      std::string("the file is cut short: copy it or ") + kind.makeAgain;
  if (bytes.size < headerSize)
    return invalid(foundExpected("header: size", bytesText(bytes.size),
                                 bytesText(headerSize), cutShort));
  Result<Header> header = readHeader(bytes, kind);
  if (!header.ok() || header->totalSize == size)
    return header;
  return invalid(
      foundExpected("total size", bytesText(size), bytesText(header->totalSize),
                    size < header->totalSize
                        ? cutShort
                        : std::string("something was appended to the file: copy it or ") +
                              kind.makeAgain));
}

std::string het::readProducer(ByteView bytes) {
  std::string_view field = bytes.slice(producerOffset, producerSize)->text();
  return std::string(field.substr(0, field.find('\0')));
}

//===----------------------------------------------------------------------===//
// The section table
//===----------------------------------------------------------------------===//

Section het::readSection(ByteView bytes, uint32_t index) {
  ByteReader reader(
      *bytes.slice(headerSize + uint64_t(index) * sectionEntrySize, sectionEntrySize));
  Section section;
  section.type = reader.u32();
  section.flags = reader.u32();
  section.offset = reader.u64();
  section.storedSize = reader.u64();
  section.rawSize = reader.u64();
  ByteView digest = reader.bytes(section.digest.size());
  std::memcpy(section.digest.data(), digest.data, digest.size);
  return section;
}

Status het::unknownSection(uint32_t index, const Section &section) {
  if (section.ignorable())
    return Status::success();
  return unsupported(foundExpected(
      "section " + std::to_string(index) + ": type", std::to_string(section.type),
      "one that this version knows or may skip",
      "use a hetcc at least as new as the one that made it"));
}

Result<Digest> het::checkTableDigest(ByteView bytes, uint32_t sections,
                                     const FileKind &kind) {
  const ByteView table = *bytes.slice(headerSize, uint64_t(sections) * sectionEntrySize);
  const size_t lastDigest = sections ? sizeof(Digest) : 0;
  Sha256 whole;
  whole.update(*table.slice(0, table.size - lastDigest));
  Sha256 blank = whole; // so that the table is hashed once
  const Digest zeros{};
  const Digest blankDigest = blank.update({zeros.data(), lastDigest}).finish();
  const Digest digest =
      whole.update(*table.slice(table.size - lastDigest, lastDigest)).finish();
  const Digest expected = digestAt(bytes, tableDigestOffset);
  if (digest != expected)
    return invalid(foundExpected("section table: SHA-256", hex(digest), hex(expected),
                                 kind.damagedRemedy()));
  return blankDigest;
}

Status
het::checkSections(ByteView bytes, uint64_t size, uint32_t sections, const FileKind &kind,
                   const EntryCheck &check,
                   const std::function<Status(uint32_t, const std::string &)> &damaged) {
  uint64_t end = headerSize + uint64_t(sections) * sectionEntrySize;
  for (uint32_t i = 0; i < sections; ++i) {
    Section section = readSection(bytes, i);
    if (section.offset != end)
      return damaged(i, "offset: found " + std::to_string(section.offset) +
                            ", expected " + std::to_string(end));
    if (section.storedSize > size - end)
      return damaged(i, "stored size: found " + bytesText(section.storedSize) +
                            ", expected at most " + bytesText(size - end));
    end += section.storedSize;
    if (Status status = check(i, section); !status.ok())
      return status;
  }
  if (end == size)
    return Status::success();
  return invalid(foundExpected("section table: end of the last section",
                               std::to_string(end), std::to_string(size),
                               kind.damagedRemedy()));
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

std::string het::headerProducer(std::string producer) {
  if (producer.size() > producerSize - 1)
    producer.resize(producerSize - 1);
  for (char &c : producer)
    if (c < 0x20 || c > 0x7e)
      c = '?';
  return producer;
}

Bytes het::writeHeaderAndTable(const FileKind &kind, const std::string &producer,
                               std::vector<Section> &sections) {
  uint64_t offset = headerSize + uint64_t(sections.size()) * sectionEntrySize;
  ByteWriter table;
  for (Section &section : sections) {
    section.offset = offset;
    table.u32(section.type);
    table.u32(section.flags);
    table.u64(offset);
    table.u64(section.storedSize);
    table.u64(section.rawSize);
    table.bytes({section.digest.data(), section.digest.size()});
    offset += section.storedSize;
  }
  ByteWriter file;
  file.bytes({kind.magic, magicSize});
  file.u16(kind.major);
  file.u16(kind.minor);
  file.u32(headerSize);
  file.u64(offset);
  file.u32(static_cast<uint32_t>(sections.size()));
  file.u32(0);
  file.bytes(ByteView(producer));
  file.zeros(producerSize - producer.size());
  Digest digest = sha256(table.view());
  file.bytes({digest.data(), digest.size()});
  Digest own = sha256(file.view());
  file.bytes({own.data(), own.size()});
  file.bytes(table.view());
  return file.take();
}
