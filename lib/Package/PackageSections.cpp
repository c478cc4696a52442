// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading the section table of a package and single sections of it. The order of the
// checks is that of docs/spec/hetpkg.md, "Reading": bounds, digest, zstd.

#include "het/Package/PackageSections.h"

#include "Compression.h"
#include "Sections.h"
#include "Text.h"

#include <utility>

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
  case Signatures:
    return "signatures";
  case ArtifactIndex:
    return "artifact index";
  case Artifact:
    return "artifact";
  case RelocatablePart:
    return "relocatable code";
  case KernelAttributes:
    return "kernel attributes";
  default:
    return "type " + std::to_string(type);
  }
}

Result<PackageSections> PackageSections::open(ByteView bytes, std::string origin) {
  Result<Header> header = readWholeHeader(bytes, bytes.size, packageKind);
  if (!header.ok())
    return header.status().from(std::move(origin));
  PackageSections sections(bytes, std::move(origin));
  sections.total = header->sections;
  if (Status status = sections.checkTable(); !status.ok())
    return std::move(status).from(sections.source);
  return sections;
}

Status PackageSections::damaged(uint32_t section, const std::string &what) const {
  std::string where = "section " + std::to_string(section);
  if (section < total)
    where += " (" + typeName(entry(section).type) + ")";
  return invalid(where + ": " + what + "; " + remedyDamaged, source);
}

Section PackageSections::entry(uint32_t index) const { return readSection(bytes, index); }

static bool knownType(uint32_t type) { return type >= KernelIndex && type <= LastType; }

/// Types that an older reader may skip.
static bool isIgnorable(uint32_t type) { return type >= DebugInfo && type <= LastType; }

/// Fault of an entry of a known type by itself; empty: none.
static std::string entryProblem(const Section &section) {
  bool plain = section.type == KernelIndex || section.type == KernelPage ||
               section.type == Signatures || section.type == KernelAttributes;
  uint32_t mandatory = isIgnorable(section.type) ? Ignorable : 0;
  uint32_t permitted = mandatory | (plain ? 0 : Zstd);
  if ((section.flags & mandatory) != mandatory || (section.flags & ~permitted))
    return "flags: found " + std::to_string(section.flags) +
           ", expected none but the type's";
  if (!section.compressed() && section.rawSize != section.storedSize)
    return "raw size: found " + bytesText(section.rawSize) + ", expected " +
           bytesText(section.storedSize);
  if (section.type == Signatures && section.storedSize != signaturesSize)
    return "stored size: found " + bytesText(section.storedSize) + ", expected " +
           bytesText(signaturesSize);
  if (!allowedExpansion(section.storedSize, section.rawSize))
    return "raw size: found " + bytesText(section.rawSize) + " from " +
           bytesText(section.storedSize) + ", expected at most " +
           std::to_string(maxRatio) + " times as many and " + bytesText(maxRawSize);
  return "";
}

Status PackageSections::checkTable() {
  Result<Digest> table = checkTableDigest(bytes, total, packageKind);
  if (!table.ok())
    return table.status();
  signedTable = *table;
  uint32_t indices = 0, variableLists = 0;
  auto check = [&](uint32_t index, const Section &section) -> Status {
    indices += section.type == KernelIndex;
    variableLists += section.type == Variables;
    pages += section.type == KernelPage;
    if ((section.type == ArtifactIndex && std::exchange(artifacts, index)) ||
        (section.type == KernelAttributes && std::exchange(attributes, index)))
      return damaged(index, "found a second one, expected one");
    if (!knownType(section.type))
      return unknownSection(index, section);
    std::string problem = entryProblem(section);
    if (section.type == Signatures && index + 1 != total)
      problem = "place: found it before the end, expected one at most, and that the last";
    return problem.empty() ? Status::success() : damaged(index, problem);
  };
  Status status = checkSections(
      bytes, bytes.size, total, packageKind, check,
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

PackageSections::Info PackageSections::info(uint32_t index) const {
  Info info;
  if (index >= total)
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

bool PackageSections::holdsSignatures() const {
  return total && entry(total - 1).type == Signatures;
}

Result<ByteView> PackageSections::located(uint32_t index, uint32_t type) const {
  if (index >= total)
    return damaged(index, "found a reference to it, expected one of the " +
                              std::to_string(total) + " sections");
  Section section = entry(index);
  if (section.type != type)
    return damaged(index, "type: found " + typeName(section.type) + ", expected " +
                              typeName(type));
  return *bytes.slice(section.offset, section.storedSize);
}

Status PackageSections::checkDigest(uint32_t index, ByteView view) const {
  Digest digest = sha256(view), expected = entry(index).digest;
  if (digest == expected)
    return Status::success();
  return damaged(index, "SHA-256: found " + hex(digest) + ", expected " + hex(expected));
}

Result<ByteView> PackageSections::stored(uint32_t index, uint32_t type) const {
  Result<ByteView> view = located(index, type);
  if (!view.ok())
    return view;
  if (Status status = checkDigest(index, *view); !status.ok())
    return status;
  return view;
}

Result<Bytes> PackageSections::contents(uint32_t index, uint32_t type) const {
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

/// Digests of all sections, contents of those whose type is known. Together
/// with the digests of header and table this covers every byte of the file, as
/// sections follow one another without gaps.
Status PackageSections::verify(const ProgressFunction &progress) const {
  for (uint32_t i = 0; i < total; ++i) {
    Section section = entry(i);
    Status status = knownType(section.type) ? contents(i, section.type).status()
                                            : stored(i, section.type).status();
    if (!status.ok())
      return status;
    if (progress)
      progress(section.offset + section.storedSize, bytes.size);
  }
  return Status::success();
}
