// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resealing and exercising checkpoints. The offsets are those of
// docs/spec/hetckpt.md, written again on purpose.

#include "ResealCheckpoint.h"

#include "Checksum.h"
#include "Reseal.h"

#include "het/Package/Checkpoint.h"

#include <algorithm>
#include <cstring>

using namespace het;

namespace {
struct Entry {
  size_t at = 0; ///< Of the entry.
  uint64_t offset = 0, size = 0;
};
} // namespace

/// The last section of a type; at 0: there is none.
static Entry find(ByteView file, uint32_t wanted) {
  Entry found;
  ByteReader header(*file.slice(0, 160));
  header.bytes(24);
  uint32_t sections = header.u32();
  for (uint64_t i = 0; i < sections; ++i) {
    std::optional<ByteView> entry = file.slice(160 + i * 64, 64);
    if (!entry)
      break;
    ByteReader reader(*entry);
    uint32_t type = reader.u32();
    reader.u32();
    uint64_t offset = reader.u64(), size = reader.u64();
    if (type == wanted)
      found = {static_cast<size_t>(160 + i * 64), offset, size};
  }
  return found;
}

static void resealChunks(Bytes &file, const Entry &chunks, const Entry &table) {
  uint64_t at = chunks.offset;
  for (uint64_t i = 0; i + 12 <= table.size; i += 12) {
    std::optional<ByteView> entry = ByteView(file).slice(table.offset + i, 12);
    if (!entry)
      return;
    uint32_t size = ByteReader(*entry).u32();
    std::optional<ByteView> stored = ByteView(file).slice(at, size);
    if (!stored)
      return;
    uint64_t checksum = size ? xxh64(*stored) : 0;
    std::memcpy(file.data() + table.offset + i + 4, &checksum, 8);
    at += size;
  }
}

void test::resealCheckpoint(Bytes &file) {
  if (file.size() < 160)
    return;
  Entry chunks = find(file, 6), table = find(file, 7);
  if (chunks.at && table.at)
    resealChunks(file, chunks, table);
  reseal(file);
  if (!chunks.at)
    return;
  std::memset(file.data() + chunks.at + 32, 0, 32);
  // The table has changed: its digest and the header's again.
  uint32_t sections = ByteReader(*ByteView(file).slice(24, 4)).u32();
  if (auto entries = ByteView(file).slice(160, uint64_t(sections) * 64)) {
    Digest digest = sha256(*entries);
    std::memcpy(file.data() + 96, digest.data(), 32);
    digest = sha256(*ByteView(file).slice(0, 128));
    std::memcpy(file.data() + 128, digest.data(), 32);
  }
}

bool test::exerciseCheckpoint(ByteView bytes) {
  Result<Checkpoint> read = Checkpoint::open(bytes, "input");
  if (!read.ok())
    return false;
  (void)read->producer();
  const CheckpointContents &contents = read->contents();
  for (size_t i = 0; i < contents.launches.size(); ++i) {
    // What the file may ask for is bounded by its own size.
    uint64_t size = read->statesSize(i);
    if (size > 1024 * (read->totalSize() + 1))
      __builtin_trap();
    Bytes states(static_cast<size_t>(size));
    (void)read->readStates(i, 0, states.data(), size).ok();
  }
  Bytes part(10000);
  for (size_t i = 0; i < contents.regions.size() && i < 64; ++i) {
    uint64_t size = std::min<uint64_t>(contents.regions[i].size, part.size());
    (void)read->isZero(i, 0);
    (void)read->readMemory(i, contents.regions[i].size - size, part.data(), size).ok();
  }
  for (uint32_t i = 0; i < read->packageCount() && i < 64; ++i)
    (void)read->package(i).ok();
  return read->verify(1).ok();
}
