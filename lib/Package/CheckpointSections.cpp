// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the header and the section table of a checkpoint, and single sections. The order
// of the checks is that of docs/spec/hetckpt.md, "Reading".

#include "CheckpointSections.h"

#include "CheckpointFormat.h"
#include "Sections.h"
#include "Text.h"

#include <algorithm>

using namespace het;
using namespace het::checkpoint;
using format::Section;

static constexpr uint8_t checkpointMagic[format::magicSize] = {0x89, 'H', 'E', 'T',
                                                               'C',  'K', 'P', '\n'};
const FileKind het::checkpointKind = {checkpointMagic, versionMajor, versionMinor,
                                      ".hetckpt",      "checkpoint", "save it again"};

static const char *const typeNames[] = {nullptr,    "devices", "package", "modules",
                                        "launches", "memory",  "chunks",  "chunk table"};

static bool knownType(uint32_t type) { return type >= Devices && type <= ChunkTable; }

Status CheckpointSections::read() {
  Bytes storage;
  Result<ByteView> start =
      parts->read(0, std::min<uint64_t>(format::headerSize, parts->size()), storage);
  if (!start.ok())
    return start.status();
  Result<Header> header = readWholeHeader(*start, parts->size(), checkpointKind);
  if (!header.ok())
    return header.status();
  Result<ByteView> whole = parts->read(
      0, format::headerSize + uint64_t(header->sections) * format::sectionEntrySize,
      storage);
  if (!whole.ok())
    return whole.status();
  head = whole->copy();
  return checkTable(header->sections);
}

std::string CheckpointSections::producer() const { return readProducer(head); }

Section CheckpointSections::entry(uint32_t index) const {
  return readSection(head, index);
}

Status CheckpointSections::damaged(uint32_t section, const std::string &what) const {
  uint32_t type = entry(section).type;
  std::string where = "section " + std::to_string(section);
  if (knownType(type))
    where += std::string(" (") + typeNames[type] + ")";
  return invalid(where + ": " + what + "; " + checkpointKind.damagedRemedy(), source);
}

/// Fault of an entry of a known type by itself; empty: none.
static std::string entryProblem(const Section &section) {
  if (section.flags != 0)
    return "flags: found " + std::to_string(section.flags) + ", expected 0";
  if (section.rawSize != section.storedSize)
    return "raw size: found " + bytesText(section.rawSize) + ", expected " +
           bytesText(section.storedSize);
  // Each chunk is under a checksum of its own.
  if (section.type == ChunkData && section.digest != Digest{})
    return "SHA-256: found " + hex(section.digest) + ", expected zeros";
  return "";
}

Status CheckpointSections::checkTable(uint32_t total) {
  std::array<uint32_t, 16> count{};
  auto check = [&](uint32_t index, const Section &section) -> Status {
    if (!knownType(section.type))
      return unknownSection(index, section);
    if (std::string problem = entryProblem(section); !problem.empty())
      return damaged(index, problem);
    if (section.type == Package)
      packages.push_back(index);
    sections[section.type] = index;
    ++count[section.type];
    return Status::success();
  };
  if (Result<Digest> table = checkTableDigest(head, total, checkpointKind); !table.ok())
    return table.status();
  Status status = checkSections(
      head, parts->size(), total, checkpointKind, check,
      [&](uint32_t i, const std::string &what) { return damaged(i, what); });
  for (uint32_t type = Devices; status.ok() && type <= ChunkTable; ++type)
    if (type != Package && count[type] != 1)
      return invalid(
          foundExpected("section table",
                        std::to_string(count[type]) + " sections for " + typeNames[type],
                        "one", checkpointKind.damagedRemedy()));
  return status;
}

Result<ByteView> CheckpointSections::checked(uint32_t index, Bytes &storage) const {
  Section section = entry(index);
  Result<ByteView> view = parts->read(section.offset, section.storedSize, storage);
  if (!view.ok())
    return view;
  Digest digest = sha256(*view);
  if (digest == section.digest)
    return view;
  return damaged(index,
                 "SHA-256: found " + hex(digest) + ", expected " + hex(section.digest));
}
