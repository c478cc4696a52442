// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copying ahead, in rounds: each sends what was written since the one before.

#include "migration/memory/PreCopy.h"
#include "het/Base/Log.h"

#include <algorithm>

namespace het::core {
namespace {

/// Copies of less take as long.
constexpr uint64_t blockBytes = uint64_t(256) << 10;
/// Less is not worth to make writing slower for a while.
constexpr uint64_t leastBytes = uint64_t(64) << 20;
constexpr int mostRounds = 4;
/// Who allocates or frees waits for no longer than these take.
constexpr uint64_t batchBytes = uint64_t(128) << 20;
/// How many moves do not try it where it did not pay.
constexpr unsigned pausesAfterVain = 8;

/// Whole blocks, as far as they lie in the range. Pages are in order.
std::vector<MappedRange> inBlocks(const std::vector<MappedRange> &pages,
                                  MappedRange range) {
  std::vector<MappedRange> blocks;
  for (MappedRange some : pages) {
    const uint64_t first = (some.address - range.address) / blockBytes * blockBytes;
    const uint64_t end =
        std::min(range.size, (some.address + some.size - range.address + blockBytes - 1) /
                                 blockBytes * blockBytes);
    const uint64_t address = range.address + first;
    if (!blocks.empty() && blocks.back().address + blocks.back().size >= address)
      blocks.back().size =
          std::max(blocks.back().size, range.address + end - blocks.back().address);
    else
      blocks.push_back({address, end - first});
  }
  return blocks;
}

/// Bytes to be sent of a range of the device's memory.
struct Waiting {
  MappedRange range, bytes;
};

void append(std::vector<Carried> &parts, MappedRange bytes) {
  parts.push_back(
      {bytes.address, reinterpret_cast<uint8_t *>(bytes.address), bytes.size});
}

uint64_t bytesOf(const std::vector<Carried> &parts) {
  uint64_t bytes = 0;
  for (const Carried &part : parts)
    bytes += part.size;
  return bytes;
}

} // namespace

/// Adds to `waiting` what was written. False: it is not known.
bool PreCopy::takeWritten(const std::vector<MappedRange> &ranges) {
  for (MappedRange range : ranges) {
    auto pages = watch.written(range);
    if (!pages)
      return false;
    waiting[range.address] = inBlocks(*pages, range);
  }
  return true;
}

/// Sends a batch of what was waiting. What has been freed is nobody's to read.
static Status sendBatch(StagingCopier &carrier, const std::vector<Waiting> &batch,
                        const std::vector<MappedRange> &now) {
  std::map<uint64_t, uint64_t> sizes;
  for (MappedRange range : now)
    sizes[range.address] = range.size;
  std::vector<Carried> parts;
  for (const Waiting &some : batch)
    if (auto same = sizes.find(some.range.address);
        same != sizes.end() && same->second == some.range.size)
      append(parts, some.bytes);
  return carrier.in(parts);
}

/// All that is waiting.
bool PreCopy::send(StagingCopier &carrier, MemoryManager &memory) {
  std::vector<Waiting> batch;
  uint64_t bytes = 0;
  Status status;
  auto flush = [&] {
    memory.hold([&](const std::vector<MappedRange> &now, const auto &) {
      if (status.ok())
        status = sendBatch(carrier, batch, now);
    });
    sent += bytes;
    bytes = 0;
    batch.clear();
  };
  for (auto &[address, blocks] : waiting)
    for (MappedRange block : blocks)
      for (uint64_t at = 0; at < block.size; at += batchBytes) {
        const uint64_t size = std::min(batchBytes, block.size - at);
        if (bytes + size > batchBytes)
          flush();
        batch.push_back({{address, known[address]}, {block.address + at, size}});
        bytes += size;
      }
  flush();
  waiting.clear();
  return status.ok();
}

void PreCopy::begin(StagingCopier &carrier, MemoryManager &memory,
                    const std::vector<MappedRange> &ranges) {
  end();
  uint64_t total = 0;
  for (MappedRange range : ranges) {
    known[range.address] = range.size;
    total += range.size;
  }
  if (!isWanted || total < leastBytes)
    return;
  if (pauses) {
    --pauses;
    return;
  }
  if (!watch.start(ranges))
    return;
  uint64_t before = UINT64_MAX;
  for (int round = 0; round < mostRounds; ++round) {
    if (!takeWritten(ranges))
      return end();
    uint64_t bytes = 0;
    for (auto &[address, blocks] : waiting)
      for (MappedRange block : blocks)
        bytes += block.size;
    // The rest is sent as fast later, or it is written as fast as it is sent.
    if (round && (bytes < leastBytes || bytes > before / 2))
      break;
    before = bytes;
    if (!send(carrier, memory))
      return end();
  }
  isWatching = true;
}

std::vector<Carried> PreCopy::rest(const std::vector<MappedRange> &ranges) {
  std::vector<Carried> parts;
  for (MappedRange range : ranges) {
    auto same = known.find(range.address);
    std::optional<std::vector<MappedRange>> pages;
    if (same != known.end() && same->second == range.size)
      pages = isWatching ? watch.written(range) : watch.present(range);
    if (!pages) {
      append(parts, range);
      continue;
    }
    // In order, what was found before and now.
    Blocks &blocks = waiting[range.address];
    blocks.insert(blocks.end(), pages->begin(), pages->end());
    std::sort(blocks.begin(), blocks.end(),
              [](MappedRange a, MappedRange b) { return a.address < b.address; });
    for (MappedRange block : inBlocks(blocks, range))
      append(parts, block);
  }
  if (isWatching) {
    const uint64_t again = bytesOf(parts);
    if (again > sent / 2)
      pauses = pausesAfterVain;
    log(Level::Debug, "%llu bytes were sent before kernels parked, %llu after",
        static_cast<unsigned long long>(sent), static_cast<unsigned long long>(again));
  }
  return parts;
}

void PreCopy::end() {
  watch.stop();
  isWatching = false;
  known.clear();
  waiting.clear();
  sent = 0;
}

} // namespace het::core
