// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparing memory by its addresses, however it is cut into regions and chunks.
// Data that is not zero in the first file is held against the second, then what is
// not zero in the second against the zeros of the first.

#include "Diff.h"

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>

namespace het {

namespace {

struct Span {
  uint64_t begin = 0, end = 0;
};

/// Differences in one region of the first file.
struct Difference {
  uint64_t address = 0; ///< The lowest.
  uint8_t a = 0, b = 0; ///< The bytes there.
  uint64_t count = 0;
};

/// Collects differences; safe to use from several threads.
class Collector {
public:
  /// Two pieces of memory at one address, in a region of the first file.
  void compare(size_t region, uint64_t address, ByteView a, ByteView b) {
    if (sameBytes(a, b))
      return;
    Difference found;
    for (size_t i = 0; i < a.size; ++i)
      if (a.data[i] != b.data[i] && found.count++ == 0)
        found = {address + i, a.data[i], b.data[i], 1};
    std::lock_guard<std::mutex> lock(mutex);
    Difference &known = differences[region];
    uint64_t count = known.count + found.count;
    if (known.count == 0 || found.address < known.address)
      known = found;
    known.count = count;
  }

  const std::map<size_t, Difference> &all() const { return differences; }

private:
  std::mutex mutex;
  std::map<size_t, Difference> differences; ///< By region.
};

} // namespace

/// All memory, with regions that touch as one.
static std::vector<Span> spansOf(const Checkpoint &checkpoint) {
  std::vector<Span> spans;
  for (const CheckpointRegion &region : checkpoint.contents().regions) {
    if (!spans.empty() && spans.back().end == region.address)
      spans.back().end += region.size;
    else
      spans.push_back({region.address, region.address + region.size});
  }
  return spans;
}

/// Memory that only one of them has.
static void diffSpans(const std::vector<Span> &ours, const std::vector<Span> &theirs,
                      const char *whose, Findings &findings) {
  auto other = theirs.begin();
  for (const Span &span : ours) {
    uint64_t at = span.begin;
    auto missing = [&](uint64_t end) {
      if (at < end)
        findings.add("memory from " + addressText(at) + " to " + addressText(end) +
                     ": only in the " + whose);
    };
    while (other != theirs.end() && other->end <= at)
      ++other;
    for (auto next = other; next != theirs.end() && next->begin < span.end; ++next) {
      missing(next->begin);
      at = std::max(at, next->end);
    }
    missing(span.end);
  }
}

/// Calls `use` for each region that a span overlaps: its number, and what they
/// have in common.
static Status eachOverlap(const Checkpoint &checkpoint, Span span,
                          const std::function<Status(size_t region, Span common)> &use) {
  const std::vector<CheckpointRegion> &regions = checkpoint.contents().regions;
  auto first = std::partition_point(regions.begin(), regions.end(),
                                    [&](const CheckpointRegion &region) {
                                      return region.address + region.size <= span.begin;
                                    });
  for (auto it = first; it != regions.end() && it->address < span.end; ++it) {
    Span common = {std::max(span.begin, it->address),
                   std::min(span.end, it->address + it->size)};
    Status status = use(static_cast<size_t>(it - regions.begin()), common);
    if (!status.ok())
      return status;
  }
  return Status::success();
}

/// Compares what is not zero in `a` with all that it stands against in `b`.
static Status compareStored(const Checkpoint &a, const Checkpoint &b,
                            Collector &collector) {
  return a.visitMemory([&](size_t region, uint64_t offset, ByteView piece) -> Status {
    uint64_t begin = a.contents().regions[region].address + offset;
    return eachOverlap(b, {begin, begin + piece.size}, [&](size_t other, Span common) {
      Bytes bytes(static_cast<size_t>(common.end - common.begin));
      uint64_t from = common.begin - b.contents().regions[other].address;
      Status status = b.readMemory(other, from, bytes.data(), bytes.size());
      if (status.ok())
        collector.compare(region, common.begin,
                          {piece.data + (common.begin - begin), bytes.size()}, bytes);
      return status;
    });
  });
}

/// Compares what is not zero in `b` where `a` keeps nothing but zeros.
static Status compareZeros(const Checkpoint &a, const Checkpoint &b,
                           Collector &collector) {
  return b.visitMemory([&](size_t region, uint64_t offset, ByteView piece) -> Status {
    uint64_t begin = b.contents().regions[region].address + offset;
    return eachOverlap(a, {begin, begin + piece.size}, [&](size_t other, Span common) {
      uint64_t base = a.contents().regions[other].address;
      uint64_t at = common.begin;
      while (at < common.end) {
        uint64_t chunk = (at - base) / a.chunkBytes() * a.chunkBytes();
        uint64_t end = std::min(common.end, base + chunk + a.chunkBytes());
        Bytes zeros(static_cast<size_t>(end - at));
        if (a.isZero(other, chunk))
          collector.compare(other, at, zeros, {piece.data + (at - begin), zeros.size()});
        at = end;
      }
      return Status::success();
    });
  });
}

Status diffMemory(const Checkpoint &a, const Checkpoint &b, Findings &findings) {
  diffSpans(spansOf(a), spansOf(b), "first", findings);
  diffSpans(spansOf(b), spansOf(a), "second", findings);
  Collector collector;
  if (Status status = compareStored(a, b, collector); !status.ok())
    return status;
  if (Status status = compareZeros(a, b, collector); !status.ok())
    return status;
  for (const auto &[number, found] : collector.all()) {
    const CheckpointRegion &region = a.contents().regions[number];
    findings.add("memory from " + addressText(region.address) + " to " +
                 addressText(region.address + region.size) + ": first differs at " +
                 addressText(found.address) + ": " + std::to_string(found.a) + ", " +
                 std::to_string(found.b) +
                 "; bytes that differ: " + std::to_string(found.count));
  }
  return Status::success();
}

} // namespace het
