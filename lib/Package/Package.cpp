// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening a package and reading single sections of it. The order of the checks
// is that of docs/spec/hetpkg.md, "Reading": bounds, digest, zstd. What is in
// the sections is read in PackageContents.cpp.

#include "het/Package/Package.h"

#include "Compression.h"
#include "Sections.h"
#include "Text.h"

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
  default:
    return "type " + std::to_string(type);
  }
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

size_t Package::headerSize() { return format::headerSize; }

bool Package::hasMagic(ByteView bytes) { return het::hasMagic(bytes, packageKind); }

Result<uint64_t> Package::sizeOf(const void *header) {
  ByteView bytes(static_cast<const uint8_t *>(header), format::headerSize);
  Result<Header> fields = readHeader(bytes, packageKind);
  if (!fields.ok())
    return fields.status();
  return fields->totalSize;
}

Result<Package> Package::open(ByteView bytes, std::string origin) {
  Result<Header> header = readWholeHeader(bytes, bytes.size, packageKind);
  if (!header.ok())
    return header.status().from(std::move(origin));
  Package package(bytes, std::move(origin));
  package.sectionTotal = header->sections;
  if (Status status = package.checkTable(); !status.ok())
    return std::move(status).from(package.source);
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

std::string Package::producer() const { return readProducer(bytes); }

//===----------------------------------------------------------------------===//
// The section table
//===----------------------------------------------------------------------===//

Status Package::damaged(uint32_t section, const std::string &what) const {
  std::string where = "section " + std::to_string(section);
  if (section < sectionTotal)
    where += " (" + typeName(entry(section).type) + ")";
  return invalid(where + ": " + what + "; " + remedyDamaged, source);
}

Section Package::entry(uint32_t index) const { return readSection(bytes, index); }

static bool knownType(uint32_t type) { return type >= KernelIndex && type <= DebugInfo; }

/// Fault of an entry of a known type by itself; empty: none.
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
           std::to_string(maxRatio) + " times as many and " + bytesText(maxRawSize);
  return "";
}

Status Package::checkTable() {
  uint32_t indices = 0, variableLists = 0;
  auto check = [&](uint32_t index, const Section &section) -> Status {
    indices += section.type == KernelIndex;
    variableLists += section.type == Variables;
    pageTotal += section.type == KernelPage;
    if (!knownType(section.type))
      return unknownSection(index, section);
    std::string problem = entryProblem(section);
    return problem.empty() ? Status::success() : damaged(index, problem);
  };
  Status status = checkSections(
      bytes, bytes.size, sectionTotal, packageKind, check,
      [&](uint32_t i, const std::string &what) { return damaged(i, what); });
  if (!status.ok())
    return status;
  if (indices != 1 || variableLists != 1)
    return invalid(foundExpected("section table",
                                 std::to_string(indices) + " kernel indices and " +
                                     std::to_string(variableLists) + " variable sections",
                                 "one of each", remedyDamaged));
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
    return damaged(index, "type: found " + typeName(section.type) + ", expected " +
                              typeName(type));
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
