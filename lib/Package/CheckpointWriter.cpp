// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The writer of .hetckpt. Sections stand in this order: devices, modules,
// launches, memory, packages, chunks, chunk table. All but the last two are
// known before the first chunk is taken, and so is how many there are; the
// header and the section table go to their place at the end.

#include "het/Package/CheckpointWriter.h"

#include "AsideFile.h"
#include "CheckpointFormat.h"
#include "CheckpointRecords.h"
#include "Chunks.h"
#include "Sections.h"
#include "Text.h"
#include "het/Base/Parallel.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

using namespace het;
using namespace het::checkpoint;
using format::Section;

namespace {

/// One chunk before it is taken.
struct Piece {
  bool ofState = false;
  size_t owner = 0; ///< The launch or region.
  uint64_t offset = 0;
  uint64_t size = 0;
};

/// All chunks of a checkpoint, by number: the states', then the memory's.
class Pieces {
public:
  Pieces(const CheckpointContents &contents, uint64_t chunkBytes)
      : chunkBytes(chunkBytes), states(contents.launches.size()) {
    for (const CheckpointLaunch &launch : contents.launches)
      add(statesBytes(launch));
    for (const CheckpointRegion &region : contents.regions)
      add(region.size);
  }

  uint64_t count() const { return total; }

  Piece operator[](uint64_t number) const {
    auto behind = std::upper_bound(first.begin(), first.end(), number);
    size_t owner = static_cast<size_t>(behind - first.begin()) - 1;
    Piece piece;
    piece.ofState = owner < states;
    piece.owner = piece.ofState ? owner : owner - states;
    piece.offset = (number - first[owner]) * chunkBytes;
    piece.size = std::min(chunkBytes, sizes[owner] - piece.offset);
    return piece;
  }

private:
  void add(uint64_t size) {
    first.push_back(total);
    sizes.push_back(size);
    total += size / chunkBytes + (size % chunkBytes != 0);
  }

  const uint64_t chunkBytes;
  const size_t states;
  std::vector<uint64_t> first, sizes; ///< For each launch and region.
  uint64_t total = 0;
};

/// Gives chunks their places in the file, in the order of their numbers,
/// whoever has packed which first; keeps their table.
class Places {
public:
  Places(uint64_t chunks, uint64_t offset) : table(chunks), end(offset) {}

  /// Waits for those before it. False: nobody goes on.
  bool take(uint64_t number, const PackedChunk &chunk, uint64_t &offset) {
    std::unique_lock<std::mutex> lock(mutex);
    turn.wait(lock, [&] { return stopped || next == number; });
    if (stopped)
      return false;
    offset = end;
    end += chunk.stored.size;
    table[static_cast<size_t>(next)] = {static_cast<uint32_t>(chunk.stored.size),
                                        chunk.checksum};
    ++next;
    turn.notify_all();
    return true;
  }

  void stop() {
    std::lock_guard<std::mutex> lock(mutex);
    stopped = true;
    turn.notify_all();
  }

  uint64_t position() const { return end; }

  Bytes writeTable() const {
    ByteWriter writer;
    for (auto [size, checksum] : table) {
      writer.u32(size);
      writer.u64(checksum);
    }
    return writer.take();
  }

private:
  std::mutex mutex;
  std::condition_variable turn;
  std::vector<std::pair<uint32_t, uint64_t>> table; ///< Stored size, checksum.
  uint64_t next = 0, end;
  bool stopped = false;
};

/// Writes one checkpoint.
class Saver {
public:
  Saver(AsideFile file, const CheckpointContents &contents,
        const CheckpointSources &sources, const CheckpointOptions &options)
      : file(std::move(file)), contents(contents), sources(sources), options(options),
        pieces(contents, options.chunkBytes) {}

  Status run();

private:
  Status writeSection(SectionType type, ByteView section);
  Status writeChunks();
  Status packChunks(Places &places, const std::function<uint64_t()> &next);
  Result<ByteView> fetch(const Piece &piece, Bytes &scratch) const;

  AsideFile file;
  const CheckpointContents &contents;
  const CheckpointSources &sources;
  const CheckpointOptions &options;
  const Pieces pieces;
  std::vector<Section> sections;
  uint64_t end = 0; ///< Where the next bytes go.
};

} // namespace

Status Saver::writeSection(SectionType type, ByteView section) {
  Section entry;
  entry.type = type;
  entry.storedSize = entry.rawSize = section.size;
  entry.digest = sha256(section);
  sections.push_back(entry);
  Status status = file.write(end, section);
  end += section.size;
  return status;
}

/// The bytes of a chunk, from where they lie.
Result<ByteView> Saver::fetch(const Piece &piece, Bytes &scratch) const {
  if (piece.ofState)
    return *sources.states[piece.owner].slice(piece.offset, piece.size);
  Result<ByteView> view =
      sources.memory(piece.owner, piece.offset, piece.size, scratch.data());
  if (view.ok() && view->size != piece.size)
    return internal("memory of region " + std::to_string(piece.owner) + ": found " +
                    bytesText(view->size) + ", expected " + bytesText(piece.size));
  return view;
}

/// One thread's part of the chunks.
Status Saver::packChunks(Places &places, const std::function<uint64_t()> &next) {
  ChunkPacker packer(options.chunkBytes, options.compress);
  Bytes scratch(options.chunkBytes);
  for (uint64_t i = next(); i != pieces.count(); i = next()) {
    Piece piece = pieces[i];
    Result<ByteView> raw = fetch(piece, scratch);
    if (!raw.ok())
      return raw.status();
    PackedChunk chunk = packer.pack(*raw, piece.ofState);
    uint64_t offset;
    if (!places.take(i, chunk, offset))
      return Status::success();
    if (Status status = file.write(offset, chunk.stored); !status.ok())
      return status;
  }
  return Status::success();
}

Status Saver::writeChunks() {
  Places places(pieces.count(), end);
  Status status = inParallel(
      pieces.count(), options.threads,
      [&](const std::function<uint64_t()> &next) { return packChunks(places, next); },
      [&] { places.stop(); });
  if (!status.ok())
    return status;
  Section data;
  data.type = ChunkData;
  data.storedSize = data.rawSize = places.position() - end;
  sections.push_back(data);
  end = places.position();
  return writeSection(ChunkTable, places.writeTable());
}

Status Saver::run() {
  end = format::headerSize +
        (uint64_t(ChunkTable) - 1 + sources.packages.size()) * format::sectionEntrySize;
  Status status = writeSection(Devices, writeDevices(contents.devices));
  if (status.ok())
    status = writeSection(Modules, writeModules(contents.modules));
  if (status.ok())
    status = writeSection(Launches, writeLaunches(contents.launches));
  if (status.ok())
    status = writeSection(Memory, writeRegions(contents.regions, options.chunkBytes));
  for (ByteView package : sources.packages)
    if (status.ok())
      status = writeSection(checkpoint::Package, package);
  if (status.ok())
    status = writeChunks();
  if (status.ok())
    status =
        file.write(0, writeHeaderAndTable(checkpointKind,
                                          headerProducer(options.producer), sections));
  return status.ok() ? file.commit() : status;
}

static Status refused(const Status &problem, const std::string &path) {
  return invalid(problem.message + "; it cannot be put into a checkpoint", path);
}

/// The rules of the format, and that the sources are those of the contents.
static Status checkAll(const CheckpointContents &contents,
                       const CheckpointSources &sources,
                       const CheckpointOptions &options) {
  if (sources.packages.size() > format::maxSections - ChunkTable)
    return invalid("packages: found " + std::to_string(sources.packages.size()) +
                   ", expected at most " +
                   std::to_string(format::maxSections - ChunkTable));
  Status status = checkDevices(contents);
  if (status.ok())
    status = checkModules(contents, static_cast<uint32_t>(sources.packages.size()));
  if (status.ok())
    status = checkLaunches(contents);
  if (status.ok())
    status = checkRegions(contents);
  if (status.ok())
    status = checkChunkBytes(options.chunkBytes);
  if (!status.ok())
    return status;
  if (!contents.regions.empty() && !sources.memory)
    return invalid("source of memory: found none, expected one");
  if (sources.states.size() != contents.launches.size())
    return invalid("states: found " + std::to_string(sources.states.size()) +
                   ", expected one for each launch");
  for (size_t i = 0; i < contents.launches.size(); ++i) {
    uint64_t expected = statesBytes(contents.launches[i]);
    if (sources.states[i].size != expected)
      return invalid("launch " + std::to_string(i) + ", states: found " +
                     bytesText(sources.states[i].size) + ", expected " +
                     bytesText(expected));
  }
  return Status::success();
}

Status het::writeCheckpoint(const std::string &path, const CheckpointContents &contents,
                            const CheckpointSources &sources,
                            const CheckpointOptions &options) {
  if (Status status = checkAll(contents, sources, options); !status.ok())
    return refused(status, path);
  Result<AsideFile> file = AsideFile::create(path);
  if (!file.ok())
    return file.status();
  return Saver(file.take(), contents, sources, options).run().from(path);
}

MemorySource het::memoryIn(std::vector<ByteView> regions) {
  return [regions = std::move(regions)](size_t region, uint64_t offset, uint64_t size,
                                        uint8_t *) -> Result<ByteView> {
    std::optional<ByteView> view;
    if (region < regions.size())
      view = regions[region].slice(offset, size);
    if (!view)
      return invalid("memory of region " + std::to_string(region) +
                     ": found less than the region's size, expected all of it");
    return *view;
  };
}
