// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface (tenstorrent/ttsim, docs/libttsim_api.md): the chip's PCI Express tile
// with its windows (WormholeB0/PCIExpressTile/TLBs.md), and the telemetry of its
// management core.

#include "Model.h"

#include <cstdlib>
#include <cstring>

using namespace tilemodel;

namespace {

constexpr uint64_t bar0 = 0x4000000000, bar0Bytes = 512 << 20;
constexpr uint64_t windowConfigurations = 0x1FC00000, windowCount = 186;
constexpr uint64_t arcMemory = 0x1FE80000, arcPeripherals = 0x1FF00000;
constexpr uint32_t arcBase = 0x10000000, tagsAt = 0x2A40, valuesAt = 0x1300;

Chip *chip = nullptr;
uint64_t windows[windowCount];

struct Window {
  uint64_t number, offset;
  unsigned bits; ///< Of an offset in it.
};

Window windowAt(uint64_t offset) {
  if (offset < 0x9C00000)
    return {offset >> 20, offset, 20};
  if (offset < 0xB000000)
    return {156 + ((offset - 0x9C00000) >> 21), offset - 0x9C00000, 21};
  return {166 + ((offset - 0xB000000) >> 24), offset - 0xB000000, 24};
}

struct Place {
  Node node;
  uint64_t address;
};

Place translate(uint64_t offset, uint32_t bytes) {
  Window window = windowAt(offset);
  const uint64_t size = uint64_t(1) << window.bits, inside = window.offset % size;
  if (size - inside < bytes)
    fail("an access of %u bytes across the end of window %llu", bytes,
         static_cast<unsigned long long>(window.number));
  const unsigned placeBits = 36 - window.bits;
  const uint64_t place = windows[window.number] & ((uint64_t(1) << placeBits) - 1);
  const uint64_t rest = windows[window.number] >> placeBits;
  if (rest & ~uint64_t(0xC000FFF))
    fail("window %llu: its configuration is not modelled",
         static_cast<unsigned long long>(window.number));
  return {static_cast<Node>(rest & 0xFFF), place << window.bits | inside};
}

/// Tags and values are tables of their own; the first words of the tags' are a version
/// and their number.
uint32_t readTelemetry(uint32_t address) {
  constexpr uint16_t tags[] = {14, 1, 4, 2};
  const uint32_t values[] = {1000, 0x180, chip->harvested, 1};
  if (address == tagsAt)
    return 1;
  if (address == tagsAt + 4)
    return std::size(tags);
  for (uint32_t i = 0; i < std::size(tags); ++i) {
    if (address == tagsAt + 8 + 4 * i)
      return tags[i] | (std::size(tags) - 1 - i) << 16;
    if (address == valuesAt + 4 * (std::size(tags) - 1 - i))
      return values[i];
  }
  fail("a read of the management core's memory at 0x%x", address);
}

uint32_t readManagement(uint64_t offset) {
  if (offset >= arcMemory && offset < arcPeripherals)
    return readTelemetry(offset - arcMemory);
  if (offset == arcPeripherals + 0x301D0)
    return arcBase + tagsAt;
  if (offset == arcPeripherals + 0x301D4)
    return arcBase + valuesAt;
  fail("a read at 0x%llx of BAR 0", static_cast<unsigned long long>(offset));
}

uint64_t offsetOf(uint64_t address, uint32_t bytes) {
  if (!chip)
    fail("the model is not running");
  if (address < bar0 || address - bar0 >= bar0Bytes || !bytes)
    fail("an access of %u bytes at 0x%llx, which is in no BAR", bytes,
         static_cast<unsigned long long>(address));
  return address - bar0;
}

} // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT void libttsim_exit() {
  delete chip;
  chip = nullptr;
}

EXPORT void libttsim_init() {
  if (chip)
    fail("the model is already running");
  chip = new Chip;
  if (std::getenv("HET_TILE_MODEL_COUNTS"))
    std::atexit([] { // nobody has to call libttsim_exit
      if (chip)
        chip->writeCounts(std::getenv("HET_TILE_MODEL_COUNTS"));
    });
}

EXPORT uint32_t libttsim_pci_config_rd32(uint32_t function, uint32_t offset) {
  if (function)
    return ~0u;
  switch (offset) {
  case 0x00:
    return 0x1E52 | 0x401E << 16;
  case 0x10:
    return static_cast<uint32_t>(bar0) | 4;
  case 0x14:
    return bar0 >> 32;
  default:
    fail("a read of the configuration at 0x%x", offset);
  }
}

EXPORT void libttsim_pci_mem_rd_bytes(uint64_t address, void *to, uint32_t bytes) {
  const uint64_t offset = offsetOf(address, bytes);
  if (offset < windowConfigurations) {
    Place place = translate(offset, bytes);
    chip->read(place.node, place.address, to, bytes);
    return;
  }
  if (bytes != 4 || offset % 4)
    fail("a read of %u bytes at 0x%llx of BAR 0", bytes,
         static_cast<unsigned long long>(offset));
  const uint32_t value = readManagement(offset);
  std::memcpy(to, &value, 4);
}

EXPORT void libttsim_pci_mem_wr_bytes(uint64_t address, const void *from,
                                      uint32_t bytes) {
  const uint64_t offset = offsetOf(address, bytes);
  if (offset < windowConfigurations) {
    Place place = translate(offset, bytes);
    chip->write(place.node, place.address, from, bytes);
    return;
  }
  const uint64_t index = (offset - windowConfigurations) / 8;
  if (index >= windowCount - 1 || bytes != 8 || offset % 8)
    fail("a write of %u bytes at 0x%llx of BAR 0", bytes,
         static_cast<unsigned long long>(offset));
  std::memcpy(&windows[index], from, 8);
}

EXPORT void libttsim_clock(uint32_t clocks) {
  if (!chip)
    fail("the model is not running");
  chip->pass(clocks);
}
