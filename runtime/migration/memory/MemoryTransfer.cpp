// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where both backends share the host's memory, mapped memory just changes hands. Else
// it is copied. If it can be, the one that it goes to has it mapped beside the other: a
// GPU's driver keeps its memory apart from the host's at the same addresses; and most
// of it may have been copied before kernels are suspended. Else the contents are aside in
// this process's memory between the one's mapping and the other's; from and to memory of
// this process that is a matter of page tables.

#include "migration/memory/MemoryTransfer.h"
#include "het/Base/Log.h"

#include <algorithm>
#include <string>

namespace het::core {

namespace {

uint64_t totalBytes(const std::vector<MappedRange> &ranges) {
  uint64_t total = 0;
  for (MappedRange range : ranges)
    total += range.size;
  return total;
}

Status map(Backend &backend, MappedRange range) {
  HetStatus status = {};
  backend.abi().mapMemory(backend.handle(), range.address, range.size, &status);
  return toStatus(status, backend.name());
}

/// All that it can; the first failure.
Status unmap(Backend &backend, const std::vector<MappedRange> &ranges) {
  Status first;
  for (MappedRange range : ranges) {
    HetStatus status = {};
    if (backend.abi().unmapMemory(backend.handle(), range.address, range.size, &status) !=
            HET_OK &&
        first.ok())
      first = toStatus(status, backend.name());
  }
  return first;
}

/// Where the device can go on without: what is wrong is for the log.
void unmapLater(Backend &backend, const std::vector<MappedRange> &ranges) {
  if (Status status = unmap(backend, ranges); !status.ok() && !backend.hasFault())
    log(Level::Warn, "memory that has moved is not given back: %s",
        status.text().c_str());
}

} // namespace

StagingCopier &MemoryTransfer::carrierOf(Backend &backend) {
  std::unique_ptr<StagingCopier> &carrier = carriers[&backend];
  if (!carrier)
    carrier = std::make_unique<StagingCopier>(backend);
  return *carrier;
}

/// So that `beside` is what `to` has mapped: these ranges, or as far as that could be.
Status MemoryTransfer::mapBeside(Backend &to, const std::vector<MappedRange> &ranges) {
  if (destination != &to)
    unmapBeside();
  destination = &to;
  std::map<uint64_t, uint64_t> wanted;
  for (MappedRange range : ranges)
    wanted[range.address] = range.size;
  // First what is no more, for other ranges may lie there now.
  for (auto range = beside.begin(); range != beside.end();) {
    auto [address, size] = *range;
    auto same = wanted.find(address);
    if (same != wanted.end() && same->second == size) {
      wanted.erase(same);
      ++range;
      continue;
    }
    if (Status status = unmap(to, {{address, size}}); !status.ok())
      return status;
    range = beside.erase(range);
  }
  for (auto [address, size] : wanted) {
    if (Status status = map(to, {address, size}); !status.ok())
      return status;
    beside[address] = size;
  }
  return Status::success();
}

void MemoryTransfer::unmapBeside() {
  std::vector<MappedRange> ranges;
  for (auto [address, size] : beside)
    ranges.push_back({address, size});
  if (destination)
    unmapLater(*destination, ranges);
  beside.clear();
  destination = nullptr;
}

void MemoryTransfer::prepare(Backend &from, Backend &to, MemoryManager &memory) {
  const std::vector<MappedRange> ranges = memory.ranges();
  if ((from.sharesHostMemory() && to.sharesHostMemory()) || ranges.empty())
    return;
  for (Backend *backend : {&from, &to})
    if (!backend->sharesHostMemory())
      (void)carrierOf(*backend).prepare(totalBytes(ranges));
  if (!mapBeside(to, ranges).ok())
    unmapBeside(); // a part of it is of no use
  else if (to.sharesHostMemory())
    populate(ranges);
  else if (carrierOf(to).touch(ranges).ok() && from.sharesHostMemory())
    precopy.begin(carrierOf(to), memory, ranges);
}

/// Where neither is this process's.
Status MemoryTransfer::copyThrough(Backend &from, Backend &to, MappedRange range) {
  constexpr uint64_t most = uint64_t(64) << 20;
  AsidePages pages({{0, std::min(most, range.size)}});
  if (Status status = pages.map(); !status.ok())
    return status;
  for (uint64_t at = 0; at < range.size; at += most) {
    const std::vector<Carried> part = {
        {range.address + at, pages.of(0), std::min(most, range.size - at)}};
    Status status = carrierOf(from).out(part);
    if (status.ok())
      status = carrierOf(to).in(part);
    if (!status.ok())
      return status;
  }
  return Status::success();
}

Status MemoryTransfer::copyBeside(Backend &from, Backend &to,
                                  const std::vector<MappedRange> &ranges) {
  if (from.sharesHostMemory())
    return carrierOf(to).in(precopy.rest(ranges));
  if (to.sharesHostMemory()) {
    std::vector<Carried> parts;
    for (MappedRange range : ranges)
      parts.push_back(
          {range.address, reinterpret_cast<uint8_t *>(range.address), range.size});
    return carrierOf(from).out(parts);
  }
  for (MappedRange range : ranges)
    if (Status status = copyThrough(from, to, range); !status.ok())
      return status;
  return Status::success();
}

/// Maps all ranges on a backend and puts their contents there, or does nothing.
Status MemoryTransfer::give(Backend &to, const std::vector<MappedRange> &ranges,
                            AsidePages &pages) {
  std::vector<Carried> parts;
  Status status;
  for (size_t i = 0; status.ok() && i < ranges.size(); ++i) {
    status = map(to, ranges[i]);
    if (status.ok())
      parts.push_back({ranges[i].address, pages.of(i), ranges[i].size});
  }
  if (status.ok())
    status = to.sharesHostMemory() ? pages.giveBack() : carrierOf(to).in(parts);
  if (!status.ok())
    (void)unmap(to, {ranges.begin(), ranges.begin() + parts.size()});
  return status;
}

Status MemoryTransfer::carryAside(Backend &from, Backend &to,
                                  const std::vector<MappedRange> &ranges, bool &lost) {
  aside = std::make_unique<AsidePages>(ranges);
  Status status;
  if (from.sharesHostMemory()) {
    status = aside->take();
  } else {
    status = aside->map();
    std::vector<Carried> parts;
    for (size_t i = 0; status.ok() && i < ranges.size(); ++i)
      parts.push_back({ranges[i].address, aside->of(i), ranges[i].size});
    if (status.ok())
      status = carrierOf(from).out(parts);
  }
  if (!status.ok())
    return status;
  // From here on the contents are aside only.
  status = unmap(from, ranges);
  if (status.ok())
    status = give(to, ranges, *aside);
  if (!status.ok())
    lost = !give(from, ranges, *aside).ok();
  return status;
}

Status MemoryTransfer::carry(Backend &from, Backend &to,
                             const std::vector<MappedRange> &ranges,
                             uint64_t &copiedBytes, bool &lost) {
  if ((from.sharesHostMemory() && to.sharesHostMemory()) || ranges.empty())
    return Status::success();
  Status status = mapBeside(to, ranges);
  const bool isBeside = status.ok();
  if (isBeside) {
    status = copyBeside(from, to, ranges);
  } else {
    unmapBeside();
    status = carryAside(from, to, ranges, lost);
  }
  if (!status.ok())
    return status;
  if (isBeside) {
    source = &from;
    left = ranges;
    beside.clear();
    destination = nullptr;
  }
  copiedBytes += totalBytes(ranges);
  return Status::success();
}

void MemoryTransfer::finish() {
  precopy.end();
  if (source)
    unmapLater(*source, left);
  source = nullptr;
  left.clear();
  unmapBeside();
  aside.reset();
}

void MemoryTransfer::forget() {
  finish();
  carriers.clear();
}

} // namespace het::core
