// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Mirrors.h"
#include "TensixDevice.h"

#include <cstring>

namespace het::tensix {

constexpr size_t wordBytes = sizeof(uint64_t);

static uint64_t *hostWords(uint64_t address) {
  return reinterpret_cast<uint64_t *>(address);
}

Mirrors::Mirrors(HetDevice &device) : device(device) {
  std::scoped_lock lock(device.memoryMutex, device.chipMutex);
  for (auto [begin, range] : device.ranges) {
    if (!range.isMirror)
      continue;
    const uint64_t *memory = hostWords(begin);
    Words &known = agreed[begin];
    known.assign(memory, memory + (range.end - begin) / wordBytes);
    device.chip->writeDram(range.dram, known.data(), known.size() * wordBytes);
  }
}

/// Writes the bytes of `value` that differ from `old`, and as few others as that takes:
/// the smallest piece that has all of them and is aligned to its size, at once.
static void writeChanged(uint64_t *word, uint64_t old, uint64_t value) {
  auto *bytes = reinterpret_cast<uint8_t *>(word);
  const unsigned first = __builtin_ctzll(old ^ value) / 8;
  const unsigned last = 7 - __builtin_clzll(old ^ value) / 8;
  unsigned size = 1;
  while (first / size != last / size)
    size *= 2;
  const unsigned at = first / size * size;
  auto write = [&](auto piece) {
    std::memcpy(&piece, reinterpret_cast<uint8_t *>(&value) + at, sizeof(piece));
    __atomic_store_n(reinterpret_cast<decltype(piece) *>(bytes + at), piece,
                     __ATOMIC_RELEASE);
  };
  if (size == 1)
    write(uint8_t());
  else if (size == 2)
    write(uint16_t());
  else if (size == 4)
    write(uint32_t());
  else
    write(uint64_t());
}

/// `known` has the host's words there.
void Mirrors::toChip(const Range &range, const Words &known,
                     const std::vector<size_t> &changed) {
  for (size_t i = 0; i < changed.size();) {
    size_t end = i + 1;
    while (end < changed.size() && changed[end] == changed[end - 1] + 1)
      ++end;
    device.chip->writeDram(range.dram + changed[i] * wordBytes, &known[changed[i]],
                           (end - i) * wordBytes);
    i = end;
  }
}

void Mirrors::exchange(const Range &range, uint64_t address, Words &known) {
  Words chip(known.size());
  device.chip->readDram(range.dram, chip.data(), chip.size() * wordBytes);
  if (device.isLost())
    return;
  uint64_t *host = hostWords(address);
  std::vector<size_t> changed;
  for (size_t i = 0; i < known.size(); ++i) {
    if (chip[i] != known[i]) {
      writeChanged(host + i, known[i], chip[i]);
      known[i] = chip[i];
    }
    const uint64_t own = __atomic_load_n(host + i, __ATOMIC_ACQUIRE);
    if (own != known[i]) {
      known[i] = own;
      changed.push_back(i);
    }
  }
  toChip(range, known, changed);
}

void Mirrors::exchange() {
  if (!any())
    return;
  std::scoped_lock lock(device.memoryMutex, device.chipMutex);
  const Clock::time_point begin = Clock::now();
  for (auto &[address, known] : agreed)
    // Words that are not mirrored any more nobody wants.
    if (auto range = device.ranges.find(address);
        range != device.ranges.end() && range->second.isMirror &&
        range->second.end - address == known.size() * wordBytes)
      exchange(range->second, address, known);
  const Clock::time_point end = Clock::now();
  due = end + 10 * (end - begin);
}

void Mirrors::exchangeIfDue() {
  if (any() && Clock::now() >= due)
    exchange();
}

} // namespace het::tensix
