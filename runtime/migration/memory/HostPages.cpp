// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes pages of this process aside and puts them back by its page tables (Linux).

#include "migration/memory/HostPages.h"
#include "het/Base/Parallel.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <thread>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace het::core {

/// Between addresses that are multiples of it, large pages move as a whole.
static constexpr uint64_t largePage = uint64_t(2) << 20;

static uint64_t alignUp(uint64_t value, uint64_t to) {
  return (value + to - 1) / to * to;
}

void populate(const std::vector<MappedRange> &ranges) {
  constexpr uint64_t part = uint64_t(32) << 20;
  /// More wait for each other in the kernel.
  constexpr unsigned mostThreads = 4;
  std::vector<MappedRange> parts;
  for (MappedRange range : ranges)
    for (uint64_t at = 0; at < range.size; at += part)
      parts.push_back({range.address + at, std::min(part, range.size - at)});
  const unsigned threads =
      std::clamp(std::thread::hardware_concurrency(), 1u, mostThreads);
  (void)inParallel(parts.size(), threads, [&](const std::function<uint64_t()> &next) {
    for (uint64_t i = next(); i != parts.size(); i = next())
      madvise(reinterpret_cast<void *>(parts[i].address), parts[i].size,
              MADV_POPULATE_WRITE);
    return Status::success();
  });
}

/// Memory without pages, or null.
static uint8_t *reserve(uint64_t size) {
  const uint64_t whole = size + largePage;
  void *mapped = mmap(nullptr, whole, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    return nullptr;
  const auto begin = reinterpret_cast<uint64_t>(mapped),
             first = alignUp(begin, largePage);
  if (first != begin)
    munmap(mapped, first - begin);
  if (const uint64_t rest = begin + whole - (first + size))
    munmap(reinterpret_cast<void *>(first + size), rest);
  auto *memory = reinterpret_cast<uint8_t *>(first);
  madvise(memory, size, MADV_HUGEPAGE);
  return memory;
}

static bool movePages(void *from, void *to, uint64_t size) {
  return mremap(from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to) != MAP_FAILED;
}

static Status failure(const char *what) {
  return unavailable(std::string(what) + ": " + std::strerror(errno));
}

AsidePages::~AsidePages() {
  for (size_t i = 0; i < places.size(); ++i)
    if (places[i])
      munmap(places[i], ranges[i].size);
}

Status AsidePages::map() {
  for (MappedRange range : ranges) {
    places.push_back(reserve(range.size));
    if (!places.back())
      return failure("no memory to keep contents aside");
  }
  return Status::success();
}

/// Over memory that is reserved, for at a place that was left something else may lie.
bool AsidePages::bring(size_t number) {
  const uint64_t size = ranges[number].size;
  uint8_t *place = reserve(size);
  if (!place)
    return false;
  if (movePages(reinterpret_cast<void *>(ranges[number].address), place, size)) {
    places[number] = place;
    return true;
  }
  const int error = errno;
  munmap(place, size);
  errno = error;
  return false;
}

bool AsidePages::returnOne(size_t number) {
  auto *own = reinterpret_cast<void *>(ranges[number].address);
  if (!movePages(places[number], own, ranges[number].size))
    return false;
  places[number] = nullptr;
  return true;
}

Status AsidePages::take() {
  places.assign(ranges.size(), nullptr);
  for (size_t i = 0; i < ranges.size(); ++i)
    if (!bring(i)) {
      Status status = failure("pages of memory can not be moved");
      while (i-- > 0)
        (void)returnOne(i);
      return status;
    }
  return Status::success();
}

Status AsidePages::giveBack() {
  for (size_t i = 0; i < ranges.size(); ++i)
    if (!returnOne(i)) {
      Status status = failure("pages of memory can not be moved");
      while (i-- > 0)
        (void)bring(i);
      return status;
    }
  return Status::success();
}

} // namespace het::core
