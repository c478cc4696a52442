// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows, discovery, resets. Which rows of cores are fused off is in the telemetry of
// the chip's management core (ARC): a table of tags, and one of values.

#include "Chip.h"

#include <algorithm>

namespace het::tensix {
namespace {

constexpr uint64_t tlbConfigurations = 0x1FC00000; // in BAR 0
constexpr uint64_t arcMemory = 0x1FE80000, arcPeripherals = 0x1FF00000;
constexpr uint32_t arcMemoryBase = 0x10000000;
constexpr uint32_t telemetryTags = 0x301D0, telemetryValues = 0x301D4;
constexpr uint32_t harvestingTag = 4;

/// Windows of 16 MiB, the last of which is the kernel driver's.
constexpr uint32_t firstWindow = 166, windowBits = 24;
constexpr uint64_t firstWindowOffset = 0xB000000;
constexpr uint32_t coreWindow = 18; // banks have the first ones
constexpr uint64_t strictOrder = 1;

constexpr uint32_t softReset = 0xFFB121B0;
constexpr uint32_t allCores = 0x47800, coreB = 0x800;

const Architecture wormhole = {
    "wormhole",
    0x401E1E52,
    {1, 2, 3, 4, 6, 7, 8, 9},
    {11, 1, 10, 2, 9, 3, 8, 4, 7, 5},
    {nodeAt(0, 0), nodeAt(0, 5), nodeAt(5, 0), nodeAt(5, 2), nodeAt(5, 3), nodeAt(5, 5)},
    uint64_t(2) << 30,
    1464 << 10,
    1000000};

std::string hexadecimal(uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof(text), "0x%08x", value);
  return text;
}

} // namespace

std::unique_ptr<Chip> Chip::open(Provider &provider, HetStatus *status) {
  uint32_t identity = provider.readConfiguration(0);
  if (identity != wormhole.pciIdentity) {
    report(status, HET_UNAVAILABLE,
           "found a PCI device " + hexadecimal(identity) + ", expected " +
               hexadecimal(wormhole.pciIdentity) + " (Wormhole)");
    return nullptr;
  }
  std::unique_ptr<Chip> chip(new Chip(provider, wormhole));
  uint64_t low = provider.readConfiguration(0x10), high = provider.readConfiguration(0x14);
  chip->bar0 = (high << 32 | low) & ~uint64_t(0xF);
  if (!chip->findCores(status))
    return nullptr;
  for (uint32_t node : chip->nodes)
    chip->stop(node);
  return chip;
}

uint32_t Chip::readArc(uint32_t offset) {
  uint32_t value = 0;
  provider.read(bar0 + arcPeripherals + offset, &value, 4);
  return value;
}

bool Chip::findCores(HetStatus *status) {
  auto inMemory = [&](uint32_t address) {
    uint32_t value = 0;
    provider.read(bar0 + arcMemory + (address - arcMemoryBase), &value, 4);
    return value;
  };
  uint32_t tags = readArc(telemetryTags), values = readArc(telemetryValues);
  if (tags < arcMemoryBase || values < arcMemoryBase) {
    report(status, HET_UNAVAILABLE,
           "the chip's firmware has no telemetry (found tables at " + hexadecimal(tags) +
               " and " + hexadecimal(values) + "): update it");
    return false;
  }
  uint32_t count = std::min<uint32_t>(inMemory(tags + 4), 256), harvested = 0;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t entry = inMemory(tags + 8 + 4 * i);
    if ((entry & 0xFFFF) == harvestingTag)
      harvested = inMemory(values + 4 * (entry >> 16));
  }
  std::vector<uint32_t> rows;
  for (uint32_t bit = 0; bit < kind.rows.size(); ++bit)
    if (!(harvested >> bit & 1))
      rows.push_back(kind.rows[bit]);
  std::sort(rows.begin(), rows.end());
  for (uint32_t y : rows)
    for (uint32_t x : kind.columns)
      nodes.push_back(nodeAt(x, y));
  if (nodes.empty())
    report(status, HET_UNAVAILABLE, "the chip has no working cores: rows " +
                                        hexadecimal(harvested) + " are fused off");
  return !nodes.empty();
}

template <class Access>
void Chip::reach(uint32_t window, uint32_t node, uint64_t address, size_t bytes,
                 Access access) {
  constexpr uint64_t size = uint64_t(1) << windowBits;
  while (bytes) {
    uint64_t place = address >> windowBits, offset = address % size;
    constexpr unsigned placeBits = 36 - windowBits;
    uint64_t wanted = place | uint64_t(node & 63) << placeBits |
                      uint64_t(node >> 6) << (placeBits + 6) |
                      strictOrder << (placeBits + 26);
    if (windows[window] != wanted) {
      provider.write(bar0 + tlbConfigurations + 8 * (firstWindow + window), &wanted, 8);
      windows[window] = wanted;
    }
    size_t piece = std::min<uint64_t>(bytes, size - offset);
    access(bar0 + firstWindowOffset + window * size + offset, piece);
    address += piece;
    bytes -= piece;
  }
}

void Chip::readCore(uint32_t node, uint32_t address, void *to, size_t bytes) {
  auto *place = static_cast<uint8_t *>(to);
  reach(coreWindow, node, address, bytes, [&](uint64_t physical, size_t piece) {
    provider.read(physical, place, piece);
    place += piece;
  });
}

void Chip::writeCore(uint32_t node, uint32_t address, const void *from, size_t bytes) {
  auto *place = static_cast<const uint8_t *>(from);
  reach(coreWindow, node, address, bytes, [&](uint64_t physical, size_t piece) {
    provider.write(physical, place, piece);
    place += piece;
  });
}

uint32_t Chip::readWord(uint32_t node, uint32_t address) {
  uint32_t value = 0;
  readCore(node, address, &value, 4);
  return value;
}

template <class Access>
void Chip::reachDram(uint64_t address, size_t bytes, Access access) {
  constexpr uint64_t page = uint64_t(1) << HET_TENSIX_PAGE_SHIFT;
  const uint64_t banks = kind.banks.size();
  while (bytes) {
    uint64_t number = address / page, offset = address % page;
    size_t piece = std::min<uint64_t>(bytes, page - offset);
    uint32_t bank = number % banks;
    reach(bank, kind.banks[bank], number / banks * page + offset, piece, access);
    address += piece;
    bytes -= piece;
  }
}

void Chip::readDram(uint64_t address, void *to, size_t bytes) {
  auto *place = static_cast<uint8_t *>(to);
  reachDram(address, bytes, [&](uint64_t physical, size_t piece) {
    provider.read(physical, place, piece);
    place += piece;
  });
}

void Chip::writeDram(uint64_t address, const void *from, size_t bytes) {
  auto *place = static_cast<const uint8_t *>(from);
  reachDram(address, bytes, [&](uint64_t physical, size_t piece) {
    provider.write(physical, place, piece);
    place += piece;
  });
}

void Chip::reset(uint32_t node, uint32_t bits) {
  writeCore(node, softReset, &bits, sizeof(bits));
}

/// The debug daisychain: of RISC-V B the instruction that retires next
/// (WormholeB0/TensixTile/DebugDaisychain.md).
std::optional<uint32_t> Chip::programCounter(uint32_t node) {
  constexpr uint32_t control = 0xFFB12054, data = 0xFFB1205C;
  constexpr uint32_t enabled = 1 << 29, state = 7 << 16, groupA = 10, clocks = 16;
  if (!provider.hasDebugSignals())
    return std::nullopt;
  const uint32_t on = enabled | state | groupA, off = 0;
  writeCore(node, control, &on, sizeof(on));
  pass(clocks); // what is read is at least five clocks old
  const uint32_t found = readWord(node, data);
  writeCore(node, control, &off, sizeof(off));
  return found & 0x7FFFFFFF;
}

void Chip::start(uint32_t node) { reset(node, allCores & ~coreB); }
void Chip::stop(uint32_t node) { reset(node, allCores); }

} // namespace het::tensix
