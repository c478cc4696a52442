// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the table of a checkpoint's chunks, and what they hold.

#include "CheckpointChunks.h"

#include "CheckpointRecords.h"
#include "Chunks.h"
#include "Sections.h"
#include "Text.h"

#include "het/Base/Parallel.h"

#include <algorithm>
#include <cstring>

using namespace het;
using namespace het::checkpoint;
using format::Section;

Status CheckpointChunks::damagedChunk(uint64_t chunk, const std::string &what) const {
  return sections->damaged(sections->only(ChunkData),
                           "chunk " + std::to_string(chunk) + ", " + what);
}

static Status outside(const std::string &thing, uint64_t offset, uint64_t size,
                      uint64_t all) {
  return invalid(
      foundExpected(thing, bytesText(size) + " from " + std::to_string(offset) + " on",
                    "a part of its " + bytesText(all), "ask for what is there"));
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// Assigns the file's chunks, in their order, to the launches' states and the regions.
/// Fails unless these take all of them.
Status CheckpointChunks::layOutExtents(const CheckpointContents &contents,
                                       uint64_t chunkTotal) {
  uint64_t next = 0;
  auto take = [&](uint64_t size) {
    Extent extent{next, size};
    next += size / chunkSize + (size % chunkSize != 0);
    return extent;
  };
  for (const CheckpointLaunch &launch : contents.launches) {
    states.push_back(take(statesBytes(launch)));
    if (next > chunkTotal)
      break;
  }
  for (const CheckpointRegion &region : contents.regions)
    memory.push_back(take(region.size));
  if (next == chunkTotal)
    return Status::success();
  return sections->damaged(sections->only(ChunkTable),
                           "chunks: found " + std::to_string(chunkTotal) +
                               ", expected as many as the states and regions need");
}

/// The limit on how states may expand, which are allocated as a whole.
Status CheckpointChunks::checkStateChunks() const {
  for (const Extent &extent : states)
    for (uint64_t i = 0; i * chunkSize < extent.size; ++i) {
      const Chunk &chunk = chunks[extent.firstChunk + i];
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

/// Where each chunk lies: they follow one another in the section of their data.
Status CheckpointChunks::readEntries(ByteView table) {
  Section data = sections->entry(sections->only(ChunkData));
  uint64_t offset = data.offset, end = data.offset + data.storedSize;
  ByteReader reader(table);
  size_t next = 0;
  for (const std::vector<Extent> *extents : {&states, &memory})
    for (const Extent &extent : *extents)
      for (uint64_t i = 0; i * chunkSize < extent.size; ++i, ++next) {
        Chunk &chunk = chunks[next];
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
    return sections->damaged(sections->only(ChunkData),
                             "stored size: found " + bytesText(data.storedSize) +
                                 ", expected " + bytesText(offset - data.offset));
  return Status::success();
}

Status CheckpointChunks::read(const CheckpointContents &contents) {
  uint32_t table = sections->only(ChunkTable);
  Bytes storage;
  Result<ByteView> view = sections->checked(table, storage);
  if (!view.ok())
    return view.status();
  if (view->size % chunkEntrySize != 0)
    return sections->damaged(table, "size: found " + bytesText(view->size) +
                                        ", expected a multiple of " +
                                        std::to_string(chunkEntrySize));
  uint64_t total = view->size / chunkEntrySize;
  if (Status status = layOutExtents(contents, total); !status.ok())
    return status;
  chunks.resize(static_cast<size_t>(total));
  if (Status status = readEntries(*view); !status.ok())
    return status;
  return checkStateChunks();
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

uint64_t CheckpointChunks::rawSize(const Extent &extent, uint64_t index) const {
  return std::min(chunkSize, extent.size - index * chunkSize);
}

Status CheckpointChunks::loadChunk(uint64_t index, uint8_t *to, uint64_t rawSize) const {
  const Chunk &chunk = chunks[static_cast<size_t>(index)];
  thread_local Bytes storage; // as large as the largest chunk
  Result<ByteView> stored =
      sections->file().read(chunk.offset, chunk.storedSize, storage);
  if (!stored.ok())
    return stored.status();
  Status status = unpackChunk(to, rawSize, *stored, chunk.checksum);
  return status.ok() ? status : damagedChunk(index, status.message);
}

Status CheckpointChunks::readExtent(const Extent &extent, uint64_t offset, uint8_t *to,
                                    uint64_t size) const {
  if (offset > extent.size || size > extent.size - offset)
    return outside(sections->origin(), offset, size, extent.size);
  Bytes whole;
  while (size != 0) {
    uint64_t index = offset / chunkSize, begin = offset % chunkSize;
    uint64_t raw = rawSize(extent, index);
    uint64_t part = std::min(size, raw - begin);
    bool all = part == raw;
    whole.resize(all ? 0 : static_cast<size_t>(raw));
    if (Status status =
            loadChunk(extent.firstChunk + index, all ? to : whole.data(), raw);
        !status.ok())
      return status;
    if (!all)
      std::memcpy(to, whole.data() + begin, static_cast<size_t>(part));
    to += part;
    offset += part;
    size -= part;
  }
  return Status::success();
}

bool CheckpointChunks::isZero(const Extent &extent, uint64_t offset) const {
  if (offset >= extent.size)
    return false;
  uint64_t index = extent.firstChunk + offset / chunkSize;
  return chunks[static_cast<size_t>(index)].storedSize == 0;
}

Status CheckpointChunks::visitMemory(const Checkpoint::Visitor &visitor,
                                     unsigned threads) const {
  uint64_t first = memory.empty() ? chunks.size() : memory[0].firstChunk;
  uint64_t count = chunks.size() - first;
  return inParallel(count, threads, [&](const std::function<uint64_t()> &next) {
    Bytes raw(static_cast<size_t>(chunkSize));
    for (uint64_t i = next(); i != count; i = next()) {
      if (chunks[static_cast<size_t>(first + i)].storedSize == 0)
        continue;
      auto behind = std::upper_bound(
          memory.begin(), memory.end(), first + i,
          [](uint64_t chunk, const Extent &one) { return chunk < one.firstChunk; });
      const Extent &extent = *std::prev(behind);
      uint64_t within = first + i - extent.firstChunk;
      uint64_t size = rawSize(extent, within);
      Status status = loadChunk(first + i, raw.data(), size);
      if (status.ok())
        status = visitor(static_cast<size_t>(&extent - memory.data()), within * chunkSize,
                         {raw.data(), static_cast<size_t>(size)});
      if (!status.ok())
        return status;
    }
    return Status::success();
  });
}

Status CheckpointChunks::verifyStates() const {
  for (const Extent &extent : states) {
    Bytes raw(static_cast<size_t>(std::min(chunkSize, extent.size)));
    for (uint64_t i = 0; i * chunkSize < extent.size; ++i)
      if (Status status =
              loadChunk(extent.firstChunk + i, raw.data(), rawSize(extent, i));
          !status.ok())
        return status;
  }
  return Status::success();
}
