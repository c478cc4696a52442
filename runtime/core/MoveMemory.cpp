// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where both backends share the host's memory, mapped memory just changes hands. Else it
// is copied aside first, all of it: a driver that has addresses reserved keeps others out,
// so both can not have a range at once. From and to devices that have memory of their own
// it goes through a small piece that is pinned, since pinning takes longer than copying.

#include "MoveMemory.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace het::core {

namespace {

constexpr uint64_t pieceBytes = uint64_t(32) << 20;

/// Memory of the host, for a scope.
class HostMemory {
public:
  explicit HostMemory(uint64_t wanted) : size(wanted) {
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED)
      bytes = static_cast<uint8_t *>(memory);
  }
  ~HostMemory() {
    if (bytes)
      munmap(bytes, size);
  }
  HostMemory(const HostMemory &) = delete;
  HostMemory &operator=(const HostMemory &) = delete;

  uint8_t *bytes = nullptr;
  const uint64_t size;
};

/// Copies between a backend's memory and the host's.
class Carrier {
public:
  explicit Carrier(Backend &backend) : backend(backend) {}
  ~Carrier() {
    if (queue)
      backend.abi().destroyQueue(queue);
    if (isPinned)
      (void)backend.unpin(reinterpret_cast<uint64_t>(piece->bytes));
  }

  Status out(uint8_t *to, MappedRange range) {
    if (backend.sharesHostMemory()) {
      std::memcpy(to, reinterpret_cast<const void *>(range.address), range.size);
      return Status::success();
    }
    return inPieces(range, [&](uint64_t at, uint64_t size) {
      Status status = copy(address(), range.address + at, size);
      if (status.ok())
        std::memcpy(to + at, piece->bytes, size);
      return status;
    });
  }

  Status in(MappedRange range, const uint8_t *from) {
    if (backend.sharesHostMemory()) {
      std::memcpy(reinterpret_cast<void *>(range.address), from, range.size);
      return Status::success();
    }
    return inPieces(range, [&](uint64_t at, uint64_t size) {
      std::memcpy(piece->bytes, from + at, size);
      return copy(range.address + at, address(), size);
    });
  }

private:
  template <class Use> Status inPieces(MappedRange range, Use use) {
    if (Status status = prepare(); !status.ok())
      return status;
    for (uint64_t at = 0; at < range.size; at += pieceBytes)
      if (Status status = use(at, std::min(pieceBytes, range.size - at)); !status.ok())
        return status;
    return Status::success();
  }

  Status prepare() {
    if (queue)
      return Status::success();
    piece = std::make_unique<HostMemory>(pieceBytes);
    if (!piece->bytes)
      return unavailable("no memory to copy through");
    isPinned = backend.pin(address(), pieceBytes).ok(); // else it is slower
    HetStatus status = {};
    backend.abi().createQueue(backend.handle(), &queue, &status);
    return toStatus(status, backend.name());
  }

  uint64_t address() const { return reinterpret_cast<uint64_t>(piece->bytes); }

  Status copy(uint64_t to, uint64_t from, uint64_t size) {
    HetStatus status = {};
    if (backend.abi().enqueueCopy(queue, to, from, size, &status) != HET_OK)
      return toStatus(status, backend.name());
    backend.abi().synchronize(queue);
    Fault fault = backend.fault();
    return fault.kind ? unavailable(fault.message, backend.name()) : Status::success();
  }

  Backend &backend;
  HetQueue *queue = nullptr;
  std::unique_ptr<HostMemory> piece;
  bool isPinned = false;
};

/// The ranges that a backend has now; those that it could not be given stay out.
class Mapping {
public:
  explicit Mapping(Backend &backend) : backend(backend) {}

  Status map(const std::vector<MappedRange> &ranges) {
    HetStatus status = {};
    for (size_t at = 0; at < ranges.size(); ++at)
      if (backend.abi().mapMemory(backend.handle(), ranges[at].address, ranges[at].size,
                                  &status) != HET_OK) {
        (void)unmap({ranges.begin(), ranges.begin() + at});
        return toStatus(status, backend.name());
      }
    return Status::success();
  }

  /// All that it can; the first failure.
  Status unmap(const std::vector<MappedRange> &ranges) {
    Status first;
    HetStatus status = {};
    for (MappedRange range : ranges)
      if (backend.abi().unmapMemory(backend.handle(), range.address, range.size,
                                    &status) != HET_OK &&
          first.ok())
        first = toStatus(status, backend.name());
    return first;
  }

private:
  Backend &backend;
};

/// Maps all ranges on a backend and puts their contents there, or does nothing.
Status give(Backend &to, const std::vector<MappedRange> &ranges, const uint8_t *aside) {
  Mapping mapping(to);
  if (Status status = mapping.map(ranges); !status.ok())
    return status;
  Carrier carrier(to);
  for (MappedRange range : ranges) {
    if (Status status = carrier.in(range, aside); !status.ok()) {
      (void)mapping.unmap(ranges);
      return status;
    }
    aside += range.size;
  }
  return Status::success();
}

} // namespace

Status moveMemory(Backend &from, Backend &to, const std::vector<MappedRange> &ranges,
                  uint64_t &copiedBytes, bool &lost) {
  if ((from.sharesHostMemory() && to.sharesHostMemory()) || ranges.empty())
    return Status::success();
  uint64_t size = 0;
  for (MappedRange range : ranges)
    size += range.size;
  HostMemory aside(size);
  if (!aside.bytes)
    return unavailable("no memory to keep " + std::to_string(size) + " bytes aside");
  {
    Carrier carrier(from);
    uint8_t *at = aside.bytes;
    for (MappedRange range : ranges) {
      if (Status status = carrier.out(at, range); !status.ok())
        return status;
      at += range.size;
    }
  }
  // From here on the contents are aside only.
  Status status = Mapping(from).unmap(ranges);
  if (status.ok())
    status = give(to, ranges, aside.bytes);
  if (!status.ok()) {
    lost = !give(from, ranges, aside.bytes).ok();
    return status;
  }
  copiedBytes += size;
  return Status::success();
}

} // namespace het::core
