// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory: DRAM behind the runtime's addresses, and where the host's is mirrored.

#include "TensixDevice.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <sys/mman.h>

using het::target::success;

namespace het::tensix {
namespace {

/// The device's own memory, below the runtime's window.
constexpr uint64_t servicesAddress = 0x0E0000000000;
constexpr uint64_t pageBytes = uint64_t(1) << HET_TENSIX_PAGE_SHIFT;

/// The first place in DRAM where it fits; nothing where there is none.
std::optional<uint64_t> takeDram(HetDevice &device, uint64_t bytes) {
  for (auto it = device.freeDram.begin(); it != device.freeDram.end(); ++it) {
    auto [begin, size] = *it;
    if (size < bytes)
      continue;
    device.freeDram.erase(it);
    if (size > bytes)
      device.freeDram[begin + bytes] = size - bytes;
    return begin;
  }
  return std::nullopt;
}

void giveDram(HetDevice &device, uint64_t begin, uint64_t bytes) {
  auto it = device.freeDram.emplace(begin, bytes).first;
  if (auto next = std::next(it);
      next != device.freeDram.end() && it->first + it->second == next->first) {
    it->second += next->second;
    device.freeDram.erase(next);
  }
  if (it == device.freeDram.begin())
    return;
  auto before = std::prev(it);
  if (before->first + before->second == it->first) {
    before->second += it->second;
    device.freeDram.erase(it);
  }
}

bool overlaps(const HetDevice &device, uint64_t begin, uint64_t end) {
  auto next = device.ranges.lower_bound(begin);
  if (next != device.ranges.end() && next->first < end)
    return true;
  return next != device.ranges.begin() && std::prev(next)->second.end > begin;
}

int32_t addRange(HetDevice &device, uint64_t begin, uint64_t bytes, bool isMirror,
                 bool isOwned, HetStatus *status) {
  std::lock_guard<std::mutex> lock(device.memoryMutex);
  if (overlaps(device, begin, begin + bytes))
    return report(status, HET_UNAVAILABLE, "the addresses are taken");
  std::optional<uint64_t> dram = takeDram(device, bytes);
  if (!dram)
    return report(status, HET_UNAVAILABLE,
                  "the chip's memory: found no " + std::to_string(bytes) +
                      " bytes in one piece");
  device.ranges[begin] = {begin + bytes, *dram, isMirror, isOwned};
  return success(status);
}

int32_t removeRange(HetDevice &device, uint64_t begin, HetStatus *status) {
  std::lock_guard<std::mutex> lock(device.memoryMutex);
  auto it = device.ranges.find(begin);
  if (it == device.ranges.end())
    return report(status, HET_INVALID, "no memory begins at that address");
  giveDram(device, it->second.dram, it->second.end - begin);
  if (it->second.isOwned)
    munmap(reinterpret_cast<void *>(begin), it->second.end - begin);
  device.ranges.erase(it);
  return success(status);
}

int32_t mapMemory(HetDevice *device, uint64_t address, uint64_t size, HetStatus *status) {
  return addRange(*device, address, size, false, false, status);
}

int32_t unmapMemory(HetDevice *device, uint64_t address, uint64_t, HetStatus *status) {
  return removeRange(*device, address, status);
}

uint64_t roundUp(uint64_t size) { return (size + pageBytes - 1) & ~(pageBytes - 1); }

int32_t allocateManaged(HetDevice *device, uint64_t size, uint64_t *address,
                        HetStatus *status) {
  size = roundUp(std::max<uint64_t>(size, 1));
  void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return report(status, HET_UNAVAILABLE, std::strerror(errno));
  *address = reinterpret_cast<uint64_t>(memory);
  if (int32_t code = addRange(*device, *address, size, true, true, status)) {
    munmap(memory, size);
    return code;
  }
  return success(status);
}

int32_t freeManaged(HetDevice *device, uint64_t address, HetStatus *status) {
  return removeRange(*device, address, status);
}

/// Whole pages of it, which are the process's too.
int32_t pinMemory(HetDevice *device, uint64_t address, uint64_t size, HetStatus *status) {
  uint64_t begin = address & ~(pageBytes - 1);
  return addRange(*device, begin, roundUp(address + size) - begin, true, false, status);
}

int32_t unpinMemory(HetDevice *device, uint64_t address, HetStatus *status) {
  return removeRange(*device, address & ~(pageBytes - 1), status);
}

int32_t setLimit(HetDevice *device, uint32_t limit, uint64_t value, HetStatus *status) {
  std::lock_guard<std::mutex> lock(device->memoryMutex);
  constexpr uint64_t mostStack = HET_TENSIX_STACK_TOP - HET_TENSIX_LOWEST_DATA;
  if (limit == HET_LIMIT_STACK && value > mostStack)
    return report(status, HET_INVALID,
                  "stack: found " + std::to_string(value) + " bytes, expected at most " +
                      std::to_string(mostStack));
  if (limit == HET_LIMIT_PRINTF_BUFFER)
    device->outputBytes = roundUp(value);
  return success(status);
}

/// The meaning of an address: memory of the chip, or of the host where `dram` is nothing.
/// Up to `bytes` of it are alike.
struct Piece {
  std::optional<uint64_t> dram;
  size_t bytes;
};

Piece pieceAt(HetDevice &device, uint64_t address, size_t bytes) {
  std::lock_guard<std::mutex> lock(device.memoryMutex);
  auto next = device.ranges.upper_bound(address);
  if (next != device.ranges.begin()) {
    auto [begin, range] = *std::prev(next);
    if (address < range.end) {
      bytes = std::min<uint64_t>(bytes, range.end - address);
      if (range.isMirror)
        return {std::nullopt, bytes};
      return {range.dram + (address - begin), bytes};
    }
  }
  if (next != device.ranges.end())
    bytes = std::min<uint64_t>(bytes, next->first - address);
  return {std::nullopt, bytes};
}

void *hostMemory(uint64_t address) { return reinterpret_cast<void *>(address); }

} // namespace

void copy(HetDevice &device, uint64_t to, uint64_t from, size_t bytes) {
  constexpr size_t most = 1 << 20;
  std::vector<uint8_t> buffer;
  while (bytes) {
    Piece source = pieceAt(device, from, std::min(bytes, most));
    Piece target = pieceAt(device, to, source.bytes);
    const size_t piece = target.bytes;
    std::lock_guard<FairMutex> lock(device.chipMutex);
    if (source.dram && target.dram) {
      buffer.resize(piece);
      device.chip->readDram(*source.dram, buffer.data(), piece);
      device.chip->writeDram(*target.dram, buffer.data(), piece);
    } else if (source.dram) {
      device.chip->readDram(*source.dram, hostMemory(to), piece);
    } else if (target.dram) {
      device.chip->writeDram(*target.dram, hostMemory(from), piece);
    } else {
      std::memmove(hostMemory(to), hostMemory(from), piece);
    }
    if (device.isLost())
      return;
    to += piece;
    from += piece;
    bytes -= piece;
  }
}

void fill(HetDevice &device, uint64_t to, uint32_t pattern, uint32_t patternBytes,
          size_t bytes) {
  constexpr size_t most = 64 << 10;
  std::vector<uint8_t> buffer(std::min(bytes, most));
  for (size_t i = 0; i < buffer.size(); ++i)
    buffer[i] = pattern >> 8 * (i % patternBytes);
  for (size_t at = 0; at < bytes; at += most)
    copy(device, to + at, reinterpret_cast<uint64_t>(buffer.data()),
         std::min(bytes - at, most));
}

int32_t holdConstants(HetDevice &device, uint64_t address, const uint8_t *bytes,
                      uint64_t size, HetStatus *status) {
  if (!size)
    return success(status);
  std::lock_guard<std::mutex> lock(device.constantsMutex);
  auto known = device.constants.find(address);
  if (known == device.constants.end()) {
    if (addRange(device, address, roundUp(size), false, false, status))
      return status->code;
    copy(device, address, reinterpret_cast<uint64_t>(bytes), size);
    device.constants[address] = {1, size};
    return success(status);
  }
  std::vector<uint8_t> there(size);
  if (known->second.bytes == size)
    copy(device, reinterpret_cast<uint64_t>(there.data()), address, size);
  if (known->second.bytes != size || !std::equal(there.begin(), there.end(), bytes))
    return report(status, HET_UNAVAILABLE,
                  "the constants of two kernels have one place; rename one of them");
  ++known->second.holders;
  return success(status);
}

void releaseConstants(HetDevice &device, uint64_t address, uint64_t size) {
  if (!size)
    return;
  std::lock_guard<std::mutex> lock(device.constantsMutex);
  if (--device.constants[address].holders)
    return;
  device.constants.erase(address);
  HetStatus status;
  removeRange(device, address, &status);
}

int32_t takeMemory(HetDevice &device, uint64_t address, uint64_t size,
                   HetStatus *status) {
  return addRange(device, address, roundUp(size), false, false, status);
}

void giveMemory(HetDevice &device, uint64_t address) {
  HetStatus status;
  removeRange(device, address, &status);
}

bool makeServices(HetDevice &device) {
  HetStatus status;
  uint64_t output;
  {
    std::lock_guard<std::mutex> lock(device.memoryMutex);
    output = std::max(device.outputBytes, pageBytes);
  }
  if (device.services && output == device.madeOutputBytes)
    return true;
  if (!device.services) {
    if (addRange(device, servicesAddress, servicesBytes, false, false, &status))
      return false;
    device.services = servicesAddress;
  } else {
    removeRange(device, servicesAddress + servicesBytes, &status);
  }
  if (addRange(device, servicesAddress + servicesBytes, output, false, false, &status))
    return false;
  device.madeOutputBytes = output;
  return true;
}

std::vector<HetTensixRange> rangesForCores(HetDevice &device) {
  std::lock_guard<std::mutex> lock(device.memoryMutex);
  std::vector<HetTensixRange> result;
  for (auto [begin, range] : device.ranges) {
    if (!result.empty() && result.back().end == begin &&
        result.back().dram + (begin - result.back().begin) == range.dram)
      result.back().end = range.end;
    else
      result.push_back({begin, range.end, range.dram});
  }
  return result;
}

void fillInMemory(HetDeviceABI &table) {
  table.mapMemory = mapMemory;
  table.unmapMemory = unmapMemory;
  table.allocateManaged = allocateManaged;
  table.freeManaged = freeManaged;
  table.pinMemory = pinMemory;
  table.unpinMemory = unpinMemory;
  table.setLimit = setLimit;
}

} // namespace het::tensix

bool HetDevice::isLost() {
  const std::string why = chip->lost();
  if (!why.empty())
    fail(HET_FAULT_LOST, chip->place() + ": " + why);
  return !why.empty();
}

void HetDevice::fail(int32_t kind, const std::string &message) {
  std::lock_guard<std::mutex> lock(faultMutex);
  if (faultKind.load())
    return;
  faultMessage = message;
  faultKind = kind;
}
