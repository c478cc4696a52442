// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening a package and reading single sections of it. The order of the checks
// is that of docs/spec/hetpkg.md, "Reading": bounds, digest, zstd. What is in
// the sections is read in PackageContents.cpp.

#include "het/Package/Package.h"

#include "Compression.h"
#include "Format.h"
#include "Text.h"

#include <algorithm>
#include <cstring>

using namespace het;
using namespace het::format;

std::string het::typeName(uint32_t type) {
  switch (type) {
  case KernelIndex:
    return "kernel index";
  case KernelPage:
    return "kernel page";
  case Variables:
    return "variables";
  case KernelCode:
    return "hetIR";
  case InitialValue:
    return "initial value";
  case DebugInfo:
    return "debug info";
  }
  return "type " + std::to_string(type);
}

static Digest digestAt(ByteView view, size_t offset) {
  Digest digest;
  std::memcpy(digest.data(), view.data + offset, digest.size());
  return digest;
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

size_t Package::headerSize() { return format::headerSize; }

bool Package::hasMagic(ByteView bytes) {
  return bytes.size >= magicSize &&
         std::memcmp(bytes.data, magic, magicSize) == 0;
}

/// The fields of the header that a reader needs.
namespace {
struct Header {
  uint64_t totalSize;
  uint32_t sections;
};
} // namespace

static Status checkVersion(uint16_t major, uint16_t minor) {
  if (major == versionMajor)
    return Status::success();
  std::string found = std::to_string(major) + "." + std::to_string(minor);
  std::string expected = std::to_string(versionMajor) + ".x";
  return unsupported(foundExpected(
      "header: format version", found, expected,
      major > versionMajor ? "use a hetcc at least as new as the one that made "
                             "it, or compile it again with this one"
                           : remedyDamaged));
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

/// Checks everything in the header that can be checked without the rest.
/// `bytes` holds at least headerSize bytes.
static Result<Header> readHeader(ByteView bytes) {
  if (!Package::hasMagic(bytes))
    return invalid(foundExpected("header: magic", "other bytes", "a .hetpkg's",
                                 "check that this is a package"));
  ByteReader reader(bytes);
  reader.bytes(magicSize);
  uint16_t major = reader.u16(), minor = reader.u16();
  if (Status status = checkVersion(major, minor); !status.ok())
    return status;
  ByteView header(bytes.data, format::headerSize);
  Digest digest = sha256(*header.slice(0, headerDigestOffset));
  Digest expected = digestAt(header, headerDigestOffset);
  if (digest != expected)
    return invalid(foundExpected("header: SHA-256", hex(digest), hex(expected),
                                 remedyDamaged));
  uint32_t size = reader.u32();
  if (size != format::headerSize)
    return invalid(foundExpected("header: size", bytesText(size),
                                 bytesText(format::headerSize), remedyDamaged));
  Header result;
  result.totalSize = reader.u64();
  result.sections = reader.u32();
  if (uint32_t flags = reader.u32())
    return unsupported(
        foundExpected("header: flags", std::to_string(flags), "0",
                      "use a hetcc at least as new as the one that made it"));
  if (!goodProducer(*header.slice(producerOffset, producerSize)))
    return invalid(foundExpected("header: producer", "other bytes",
                                 "printable text and zeros", remedyDamaged));
  if (result.sections > maxSections)
    return invalid(
        foundExpected("header: section count", std::to_string(result.sections),
                      "at most " + std::to_string(maxSections), remedyDamaged));
  uint64_t least =
      format::headerSize + uint64_t(result.sections) * sectionEntrySize;
  if (result.totalSize < least)
    return invalid(
        foundExpected("header: total size", bytesText(result.totalSize),
                      "at least " + bytesText(least), remedyDamaged));
  return result;
}

Result<uint64_t> Package::sizeOf(const void *header) {
  ByteView bytes(static_cast<const uint8_t *>(header), format::headerSize);
  Result<Header> fields = readHeader(bytes);
  if (!fields.ok())
    return fields.status();
  return fields->totalSize;
}

Result<Package> Package::open(ByteView bytes, std::string origin) {
  if (bytes.size < magicSize || !hasMagic(bytes))
    return invalid(foundExpected("header: magic", "other bytes", "a .hetpkg's",
                                 "check that this is a package"),
                   std::move(origin));
  if (bytes.size < format::headerSize)
    return invalid(foundExpected("header: size", bytesText(bytes.size),
                                 bytesText(format::headerSize),
                                 "the file is cut short: copy it or build it "
                                 "again"),
                   std::move(origin));
  Result<Header> header = readHeader(bytes);
  if (!header.ok())
    return header.status().from(std::move(origin));
  if (header->totalSize != bytes.size)
    return invalid(foundExpected("total size", bytesText(bytes.size),
                                 bytesText(header->totalSize),
                                 bytes.size < header->totalSize
                                     ? "the file is cut short: copy it or "
                                       "build it again"
                                     : "something was appended to the file: "
                                       "copy it or build it again"),
                   std::move(origin));
  Package package(bytes, std::move(origin));
  package.sectionTotal = header->sections;
  if (Status status = package.checkTable(); !status.ok())
    return status;
  if (Status status = package.readIndex(); !status.ok())
    return status;
  return package;
}

uint16_t Package::versionMajor() const {
  return ByteReader(*bytes.slice(magicSize, 2)).u16();
}

uint16_t Package::versionMinor() const {
  return ByteReader(*bytes.slice(magicSize + 2, 2)).u16();
}

std::string Package::producer() const {
  std::string_view field = bytes.slice(producerOffset, producerSize)->text();
  return std::string(field.substr(0, field.find('\0')));
}

//===----------------------------------------------------------------------===//
// The section table
//===----------------------------------------------------------------------===//

Status Package::damaged(uint32_t section, const std::string &what) const {
  std::string where = "section " + std::to_string(section);
  if (section < sectionTotal)
    where += " (" + typeName(entry(section).type) + ")";
  return invalid(where + ": " + what + "; " + remedyDamaged, source);
}

Section Package::entry(uint32_t index) const {
  ByteReader reader(
      *bytes.slice(format::headerSize + uint64_t(index) * sectionEntrySize,
                   sectionEntrySize));
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

static bool knownType(uint32_t type) {
  return type >= KernelIndex && type <= DebugInfo;
}

/// What is wrong with an entry of a known type by itself; empty: nothing.
static std::string entryProblem(const Section &section) {
  bool plain = section.type == KernelIndex || section.type == KernelPage;
  uint32_t mandatory = section.type == DebugInfo ? Ignorable : 0;
  uint32_t permitted = mandatory | (plain ? 0 : Zstd);
  if ((section.flags & mandatory) != mandatory || (section.flags & ~permitted))
    return "flags: found " + std::to_string(section.flags) +
           ", expected none but the type's";
  if (!section.compressed() && section.rawSize != section.storedSize)
    return "raw size: found " + bytesText(section.rawSize) + ", expected " +
           bytesText(section.storedSize);
  if (!allowedExpansion(section.storedSize, section.rawSize))
    return "raw size: found " + bytesText(section.rawSize) + " from " +
           bytesText(section.storedSize) + ", expected at most " +
           std::to_string(maxRatio) + " times as many and " +
           bytesText(maxRawSize);
  return "";
}

Status Package::checkTable() {
  uint64_t tableSize = uint64_t(sectionTotal) * sectionEntrySize;
  ByteView table = *bytes.slice(format::headerSize, tableSize);
  Digest digest = sha256(table);
  Digest expected = digestAt(bytes, tableDigestOffset);
  if (digest != expected)
    return invalid(foundExpected("section table: SHA-256", hex(digest),
                                 hex(expected), remedyDamaged),
                   source);
  uint64_t end = format::headerSize + tableSize;
  uint32_t indices = 0, variableLists = 0;
  for (uint32_t i = 0; i < sectionTotal; ++i) {
    Section section = entry(i);
    if (section.offset != end)
      return damaged(i, "offset: found " + std::to_string(section.offset) +
                            ", expected " + std::to_string(end));
    if (section.storedSize > bytes.size - end)
      return damaged(i, "stored size: found " + bytesText(section.storedSize) +
                            ", expected at most " +
                            bytesText(bytes.size - end));
    end += section.storedSize;
    indices += section.type == KernelIndex;
    variableLists += section.type == Variables;
    pageTotal += section.type == KernelPage;
    if (!knownType(section.type)) {
      if (section.ignorable())
        continue;
      return unsupported(
          foundExpected("section " + std::to_string(i) + ": type",
                        std::to_string(section.type),
                        "one that this version knows or may skip",
                        "use a hetcc at least as new as the one that made it"),
          source);
    }
    std::string problem = entryProblem(section);
    if (!problem.empty())
      return damaged(i, problem);
  }
  if (end != bytes.size)
    return invalid(foundExpected("section table: end of the last section",
                                 std::to_string(end),
                                 std::to_string(bytes.size), remedyDamaged),
                   source);
  if (indices != 1 || variableLists != 1)
    return invalid(
        foundExpected("section table",
                      std::to_string(indices) + " kernel indices and " +
                          std::to_string(variableLists) + " variable sections",
                      "one of each", remedyDamaged),
        source);
  return Status::success();
}

Package::SectionInfo Package::section(uint32_t index) const {
  SectionInfo info;
  if (index >= sectionTotal)
    return info;
  Section section = entry(index);
  info.typeName = typeName(section.type);
  info.ignorable = section.ignorable();
  info.compressed = section.compressed();
  info.offset = section.offset;
  info.storedSize = section.storedSize;
  info.rawSize = section.rawSize;
  info.digest = section.digest;
  return info;
}

/// A section's bytes, not yet held against their digest.
Result<ByteView> Package::located(uint32_t index, uint32_t type) const {
  if (index >= sectionTotal)
    return damaged(index, "found a reference to it, expected one of the " +
                              std::to_string(sectionTotal) + " sections");
  Section section = entry(index);
  if (section.type != type)
    return damaged(index, "type: found " + typeName(section.type) +
                              ", expected " + typeName(type));
  return *bytes.slice(section.offset, section.storedSize);
}

Status Package::checkDigest(uint32_t index, ByteView view) const {
  Digest digest = sha256(view), expected = entry(index).digest;
  if (digest == expected)
    return Status::success();
  return damaged(index, "SHA-256: found " + hex(digest) + ", expected " + hex(expected));
}

Result<ByteView> Package::stored(uint32_t index, uint32_t type) const {
  Result<ByteView> view = located(index, type);
  if (!view.ok())
    return view;
  if (Status status = checkDigest(index, *view); !status.ok())
    return status;
  return view;
}

Result<Bytes> Package::contents(uint32_t index, uint32_t type) const {
  Result<ByteView> view = stored(index, type);
  if (!view.ok())
    return view.status();
  Section section = entry(index);
  if (!section.compressed())
    return view->copy();
  Result<Bytes> raw = decompress(*view, section.rawSize);
  if (!raw.ok())
    return damaged(index, raw.status().message);
  return raw;
}
