// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening a checkpoint: header, table, records, and where each chunk lies. The
// order of the checks is that of docs/spec/hetckpt.md, "Reading". What the
// chunks hold is read in CheckpointData.cpp.

#include "het/Package/Checkpoint.h"

#include "CheckpointFormat.h"
#include "CheckpointRecords.h"
#include "FileParts.h"
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

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

Checkpoint::Checkpoint(std::shared_ptr<FileParts> parts, std::string origin)
    : parts(std::move(parts)), source(std::move(origin)) {}

Result<Checkpoint> Checkpoint::open(const std::string &path) {
  Result<std::shared_ptr<FileParts>> file = FileParts::open(path);
  if (!file.ok())
    return file.status();
  return open(file.take(), path);
}

Result<Checkpoint> Checkpoint::open(ByteView bytes, std::string origin) {
  return open(std::make_shared<FileParts>(bytes), std::move(origin));
}

Result<Checkpoint> Checkpoint::open(std::shared_ptr<FileParts> parts,
                                    std::string origin) {
  Checkpoint checkpoint(std::move(parts), std::move(origin));
  Status status = checkpoint.readHead();
  if (status.ok())
    status = checkpoint.readRecords();
  if (status.ok())
    status = checkpoint.readChunkTable();
  if (!status.ok())
    return std::move(status).from(checkpoint.source);
  return checkpoint;
}

Status Checkpoint::readHead() {
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
  head = std::make_shared<const Bytes>(whole->copy());
  return checkTable(header->sections);
}

uint64_t Checkpoint::totalSize() const { return parts->size(); }

std::string Checkpoint::producer() const { return readProducer(*head); }

Status Checkpoint::damaged(uint32_t section, const std::string &what) const {
  uint32_t type = readSection(*head, section).type;
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

Status Checkpoint::checkTable(uint32_t sections) {
  std::array<uint32_t, 16> count{};
  auto check = [&](uint32_t index, const Section &section) -> Status {
    if (!knownType(section.type))
      return unknownSection(index, section);
    if (std::string problem = entryProblem(section); !problem.empty())
      return damaged(index, problem);
    if (section.type == Package)
      packages.push_back(index);
    only[section.type] = index;
    ++count[section.type];
    return Status::success();
  };
  Status status = checkSections(
      *head, parts->size(), sections, checkpointKind, check,
      [&](uint32_t i, const std::string &what) { return damaged(i, what); });
  for (uint32_t type = Devices; status.ok() && type <= ChunkTable; ++type)
    if (type != Package && count[type] != 1)
      return invalid(
          foundExpected("section table",
                        std::to_string(count[type]) + " sections for " + typeNames[type],
                        "one", checkpointKind.damagedRemedy()));
  return status;
}

Result<ByteView> Checkpoint::checkedSection(uint32_t index, Bytes &storage) const {
  Section section = readSection(*head, index);
  Result<ByteView> view = parts->read(section.offset, section.storedSize, storage);
  if (!view.ok())
    return view;
  Digest digest = sha256(*view);
  if (digest == section.digest)
    return view;
  return damaged(index,
                 "SHA-256: found " + hex(digest) + ", expected " + hex(section.digest));
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

Status Checkpoint::readRecords() {
  auto contents = std::make_shared<CheckpointContents>();
  // Reads one section into a list of the contents, then checks it.
  auto take = [&](SectionType type, auto &list, auto read, auto check) -> Status {
    Bytes storage;
    Result<ByteView> view = checkedSection(only[type], storage);
    if (!view.ok())
      return view.status();
    auto records = read(*view);
    Status status = records.status();
    if (status.ok()) {
      list = records.take();
      status = check();
    }
    return status.ok() ? status : damaged(only[type], status.message);
  };
  Status status = take(Devices, contents->devices, readDevices,
                       [&] { return checkDevices(*contents); });
  if (status.ok())
    status = take(Modules, contents->modules, readModules,
                  [&] { return checkModules(*contents, packageCount()); });
  if (status.ok())
    status = take(Launches, contents->launches, readLaunches,
                  [&] { return checkLaunches(*contents); });
  if (status.ok())
    status = take(
        Memory, contents->regions,
        [&](ByteView view) { return readRegions(view, chunkSize); },
        [&] {
          Status size = checkChunkBytes(chunkSize);
          return size.ok() ? checkRegions(*contents) : size;
        });
  said = std::move(contents);
  return status;
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

/// Gives the launches' states and the regions their chunks, which must be all
/// that there are.
Status Checkpoint::layOutExtents(uint64_t chunkTotal) {
  uint64_t next = 0;
  auto take = [&](uint64_t size) {
    Extent extent{next, size};
    next += size / chunkSize + (size % chunkSize != 0);
    return extent;
  };
  for (const CheckpointLaunch &launch : said->launches) {
    states.push_back(take(statesBytes(launch)));
    if (next > chunkTotal)
      break;
  }
  for (const CheckpointRegion &region : said->regions)
    memory.push_back(take(region.size));
  if (next == chunkTotal)
    return Status::success();
  return damaged(only[ChunkTable],
                 "chunks: found " + std::to_string(chunkTotal) +
                     ", expected as many as the states and regions need");
}

/// The limit on how states may expand, which are allocated as a whole.
Status Checkpoint::checkStateChunks() const {
  for (const Extent &extent : states)
    for (uint64_t i = 0; i * chunkSize < extent.size; ++i) {
      const Chunk &chunk = (*chunks)[extent.firstChunk + i];
      uint64_t raw = rawSize(extent, i);
      if (chunk.storedSize == 0 || raw / maxStateRatio > chunk.storedSize)
        return damagedChunk(extent.firstChunk + i,
                            "stored size: found " + bytesText(chunk.storedSize) +
                                " for " + bytesText(raw) +
                                " of states, expected at least a " +
                                std::to_string(maxStateRatio) + "th");
    }
  return Status::success();
}

Status Checkpoint::readChunkTable() {
  Bytes storage;
  Result<ByteView> view = checkedSection(only[ChunkTable], storage);
  if (!view.ok())
    return view.status();
  if (view->size % chunkEntrySize != 0)
    return damaged(only[ChunkTable], "size: found " + bytesText(view->size) +
                                         ", expected a multiple of " +
                                         std::to_string(chunkEntrySize));
  uint64_t total = view->size / chunkEntrySize;
  if (Status status = layOutExtents(total); !status.ok())
    return status;
  auto table = std::make_shared<std::vector<Chunk>>(static_cast<size_t>(total));
  chunks = table;
  Section data = readSection(*head, only[ChunkData]);
  uint64_t offset = data.offset, end = data.offset + data.storedSize;
  ByteReader reader(*view);
  size_t next = 0;
  for (const std::vector<Extent> *extents : {&states, &memory})
    for (const Extent &extent : *extents)
      for (uint64_t i = 0; i * chunkSize < extent.size; ++i, ++next) {
        Chunk &chunk = (*table)[next];
        chunk.offset = offset;
        chunk.storedSize = reader.u32();
        chunk.checksum = reader.u64();
        uint64_t most = std::min(rawSize(extent, i), end - offset);
        if (chunk.storedSize > most)
          return damagedChunk(next, "stored size: found " + bytesText(chunk.storedSize) +
                                        ", expected at most " + bytesText(most));
        if (chunk.storedSize == 0 && chunk.checksum != 0)
          return damagedChunk(next, "checksum of zeros: found another number, "
                                    "expected 0");
        offset += chunk.storedSize;
      }
  if (offset != end)
    return damaged(only[ChunkData], "stored size: found " + bytesText(data.storedSize) +
                                        ", expected " + bytesText(offset - data.offset));
  return checkStateChunks();
}
