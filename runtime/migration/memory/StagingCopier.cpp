// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All parts, one behind the other, are cut into pieces, which the engine copies, and
// these into slices, which threads copy. Slices are given out in order. A piece has the
// place of its number in the ring, and what is next for a place is put in by whoever
// has done the last slice there.

#include "migration/memory/StagingCopier.h"
#include "het/Base/Parallel.h"
#include "migration/memory/StagingRing.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <utility>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HET_IGNORE_RACES
extern "C" void AnnotateIgnoreReadsBegin(const char *file, int line);
extern "C" void AnnotateIgnoreReadsEnd(const char *file, int line);
#endif
#endif

namespace het::core {

namespace {

/// An engine takes some 5 µs between two pieces: at 55 GB/s large ones cost a
/// hundredth, and a ring of them still lies in a server's cache.
constexpr uint64_t largestPiece = uint64_t(16) << 20, smallestPiece = uint64_t(1) << 20;
constexpr uint64_t sliceBytes = uint64_t(512) << 10;
/// 8 copy as fast as such an engine, more where others use the memory, too.
constexpr uint64_t mostThreads = 12, slicesPerThread = 4;

uint64_t pieceBytesFor(uint64_t bytes) {
  uint64_t size = smallestPiece;
  while (size < largestPiece && size * StagingRing::places * 2 <= bytes)
    size *= 2;
  return size;
}

/// Past the caches: what was there is not read first, and the ring stays in them.
void copyPast(uint8_t *to, const uint8_t *from, uint64_t size) {
#ifdef __SSE2__
  if (reinterpret_cast<uintptr_t>(to) % sizeof(__m128i) == 0) {
    constexpr uint64_t step = 4 * sizeof(__m128i);
    for (; size >= step; size -= step, to += step, from += step) {
      auto *in = reinterpret_cast<const __m128i *>(from);
      auto *out = reinterpret_cast<__m128i *>(to);
      const __m128i a = _mm_loadu_si128(in), b = _mm_loadu_si128(in + 1),
                    c = _mm_loadu_si128(in + 2), d = _mm_loadu_si128(in + 3);
      _mm_stream_si128(out, a);
      _mm_stream_si128(out + 1, b);
      _mm_stream_si128(out + 2, c);
      _mm_stream_si128(out + 3, d);
    }
    _mm_sfence();
  }
#endif
  std::memcpy(to, from, size);
}

/// Memory of this process, which kernels may write meanwhile: then it is sent again.
void copyWritten(uint8_t *to, const uint8_t *from, uint64_t size) {
#ifdef HET_IGNORE_RACES
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
#endif
  std::memcpy(to, from, size);
#ifdef HET_IGNORE_RACES
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
#endif
}

/// Bytes, counted through all parts.
struct Span {
  uint64_t begin = 0, end = 0;
};

uint64_t totalBytes(const std::vector<Carried> &parts) {
  uint64_t total = 0;
  for (const Carried &part : parts)
    total += part.size;
  return total;
}

/// Small ones at the end at which threads work while the engine does not: before the
/// first piece that goes in, behind the last that comes out.
std::vector<Span> cut(uint64_t bytes, uint64_t pieceBytes, bool isOut) {
  std::vector<uint64_t> sizes;
  for (uint64_t size = std::max(pieceBytes / 8, sliceBytes), left = bytes; left;) {
    sizes.push_back(std::min(size, left));
    left -= sizes.back();
    if (size < pieceBytes && sizes.size() > 1)
      size *= 2;
  }
  if (isOut)
    std::reverse(sizes.begin(), sizes.end());
  std::vector<Span> pieces;
  uint64_t at = 0;
  for (uint64_t size : sizes) {
    pieces.push_back({at, at + size});
    at += size;
  }
  return pieces;
}

/// One call of out() or in().
class Transfer {
public:
  Transfer(StagingRing &ring, const std::vector<Carried> &parts, bool isOut);
  Status run();

private:
  /// How far a piece is.
  struct Progress {
    std::atomic<uint64_t> slicesDone{0};
    std::atomic<bool> isPutIn{false};
  };

  Status putIn(uint64_t piece);
  Status copySlice(uint64_t slice);
  Status waitFor(uint64_t piece);
  template <class Use> Status forParts(Span span, Use use) const;

  StagingRing &ring;
  const std::vector<Carried> &parts;
  const bool isOut;
  std::vector<uint64_t> starts = {0}; ///< Where each part starts; then the end.
  const std::vector<Span> pieces;
  std::vector<uint64_t> firstSlices = {
      0};                         ///< The first slice of each piece; then their number.
  std::vector<Progress> progress; ///< One for each piece.
  std::atomic<bool> hasStopped{false};
};

Transfer::Transfer(StagingRing &ring, const std::vector<Carried> &parts, bool isOut)
    : ring(ring), parts(parts), isOut(isOut),
      pieces(cut(totalBytes(parts), ring.pieceBytes, isOut)), progress(pieces.size()) {
  for (const Carried &part : parts)
    starts.push_back(starts.back() + part.size);
  for (Span piece : pieces)
    firstSlices.push_back(firstSlices.back() +
                          (piece.end - piece.begin + sliceBytes - 1) / sliceBytes);
}

/// Calls `use(part, offset in it, size)` for what lies in a span.
template <class Use> Status Transfer::forParts(Span span, Use use) const {
  auto [begin, end] = span;
  size_t number = std::upper_bound(starts.begin(), starts.end(), begin) - starts.begin();
  for (; begin < end; ++number) {
    const uint64_t size = std::min(end, starts[number]) - begin;
    if (size)
      if (Status status = use(parts[number - 1], begin - starts[number - 1], size);
          !status.ok())
        return status;
    begin += size;
  }
  return Status::success();
}

/// Has the engine copy a piece.
Status Transfer::putIn(uint64_t piece) {
  auto at = reinterpret_cast<uint64_t>(ring.place(piece % StagingRing::places));
  Status status =
      forParts(pieces[piece], [&](const Carried &part, uint64_t offset, uint64_t size) {
        const uint64_t here = std::exchange(at, at + size);
        return isOut ? ring.copy(here, part.device + offset, size)
                     : ring.copy(part.device + offset, here, size);
      });
  if (status.ok())
    status = ring.signal(piece % StagingRing::places);
  progress[piece].isPutIn.store(true, std::memory_order_release);
  return status;
}

/// Until the engine has done it. It may not have been put in: who is at the last slice
/// before it is still at it.
Status Transfer::waitFor(uint64_t piece) {
  while (!progress[piece].isPutIn.load(std::memory_order_acquire)) {
    if (hasStopped)
      return Status::success();
    std::this_thread::yield();
  }
  return ring.wait(piece % StagingRing::places);
}

Status Transfer::copySlice(uint64_t slice) {
  const uint64_t piece = std::upper_bound(firstSlices.begin(), firstSlices.end(), slice) -
                         firstSlices.begin() - 1;
  // Out: for its contents. In: for its place.
  if (isOut || piece >= StagingRing::places)
    if (Status status = waitFor(isOut ? piece : piece - StagingRing::places);
        !status.ok())
      return status;
  if (hasStopped)
    return Status::success();
  const uint64_t offset = (slice - firstSlices[piece]) * sliceBytes;
  uint8_t *at = ring.place(piece % StagingRing::places) + offset;
  Span span = {pieces[piece].begin + offset, pieces[piece].end};
  span.end = std::min(span.end, span.begin + sliceBytes);
  (void)forParts(span, [&](const Carried &part, uint64_t inPart, uint64_t size) {
    if (isOut)
      copyPast(part.host + inPart, at, size);
    else
      copyWritten(at, part.host + inPart, size);
    at += size;
    return Status::success();
  });
  const uint64_t done = progress[piece].slicesDone.fetch_add(1) + 1;
  const uint64_t next = isOut ? piece + StagingRing::places : piece;
  if (done < firstSlices[piece + 1] - firstSlices[piece] || next >= pieces.size())
    return Status::success();
  return putIn(next);
}

Status Transfer::run() {
  Status status;
  for (uint64_t piece = 0;
       isOut && status.ok() && piece < pieces.size() && piece < StagingRing::places;
       ++piece)
    status = putIn(piece);
  const uint64_t count = firstSlices.back();
  const auto threads = static_cast<unsigned>(std::clamp<uint64_t>(
      std::min<uint64_t>(std::thread::hardware_concurrency(), count / slicesPerThread), 1,
      mostThreads));
  if (status.ok())
    status = inParallel(
        count, threads,
        [&](const std::function<uint64_t()> &next) {
          Status part;
          for (uint64_t slice = next(); part.ok() && slice != count; slice = next())
            part = copySlice(slice);
          return part;
        },
        [&] { hasStopped = true; });
  // Also after a failure: what is under way uses memory.
  Status finished = ring.finish();
  return status.ok() ? finished : status;
}

} // namespace

StagingCopier::StagingCopier(Backend &backend) : backend(backend) {}
StagingCopier::~StagingCopier() = default;

Status StagingCopier::prepare(uint64_t bytes) {
  const uint64_t pieceBytes = pieceBytesFor(bytes);
  if (ring && ring->pieceBytes >= pieceBytes)
    return Status::success();
  ring.reset();
  Result<std::unique_ptr<StagingRing>> made = StagingRing::create(backend, pieceBytes);
  if (!made.ok())
    return made.status();
  ring = made.take();
  return Status::success();
}

Status StagingCopier::touch(const std::vector<MappedRange> &ranges) {
  if (Status status = prepare(0); !status.ok())
    return status;
  Status status;
  for (MappedRange range : ranges)
    if (status.ok())
      status = ring->fill(range.address, range.size);
  Status finished = ring->finish();
  return status.ok() ? finished : status;
}

Status StagingCopier::carry(const std::vector<Carried> &parts, bool isOut) {
  const uint64_t bytes = totalBytes(parts);
  if (bytes == 0)
    return Status::success();
  if (Status status = prepare(bytes); !status.ok())
    return status;
  return Transfer(*ring, parts, isOut).run();
}

Status StagingCopier::out(const std::vector<Carried> &parts) {
  return carry(parts, true);
}
Status StagingCopier::in(const std::vector<Carried> &parts) {
  return carry(parts, false);
}

} // namespace het::core
