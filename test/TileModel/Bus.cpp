// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface (tenstorrent/ttsim, docs/libttsim_api.md): the chip's PCI Express tile
// with its windows (WormholeB0/PCIExpressTile/TLBs.md; Blackhole's are the open kernel
// driver's, tt-kmd).

#include "Model.h"

#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace tilemodel;

namespace {

constexpr uint64_t bar0 = 0x4000000000, bar0Bytes = 512 << 20;
constexpr uint64_t windowRegisters = 0x1FC00000;
constexpr unsigned strictOrder = 1;

Chip *chip = nullptr;
/// The registers of all windows.
uint8_t settings[210 * 12];

/// The chip does not answer any more: what is read is ones, what is written goes nowhere.
bool isLost = false;

/// From when the file HET_TILE_MODEL_LOSE is there.
void lookForLoss() {
  const char *file = std::getenv("HET_TILE_MODEL_LOSE");
  isLost |= file && !access(file, F_OK);
}

struct Window {
  uint64_t number, offset; ///< The offset in it.
  unsigned bits;           ///< Of an offset in it.
};

/// The last one of each chip is the kernel driver's.
unsigned windowCount() { return chip->kind.isBlackhole ? 201 : 185; }
unsigned registerBytes() { return chip->kind.isBlackhole ? 12 : 8; }

Window windowAt(uint64_t offset) {
  auto inside = [&](uint64_t first, uint64_t begin, unsigned bits) {
    const uint64_t from = offset - begin;
    return Window{first + (from >> bits), from & ((uint64_t(1) << bits) - 1), bits};
  };
  if (chip->kind.isBlackhole)
    return inside(0, 0, 21);
  if (offset < 0x9C00000)
    return inside(0, 0, 20);
  if (offset < 0xB000000)
    return inside(156, 0x9C00000, 21);
  return inside(166, 0xB000000, 24);
}

struct Place {
  Node node;
  uint64_t address;
};

/// A window's register is its place, in units of its size, and behind it the node, the
/// start of a broadcast, and flags.
Place translate(uint64_t offset, uint32_t bytes) {
  const Window window = windowAt(offset);
  if (window.number >= windowCount())
    fail("an access at 0x%llx of BAR 0", static_cast<unsigned long long>(offset));
  if ((uint64_t(1) << window.bits) - window.offset < bytes)
    fail("an access of %u bytes across the end of window %llu", bytes,
         static_cast<unsigned long long>(window.number));
  unsigned __int128 setting = 0;
  std::memcpy(&setting, settings + window.number * registerBytes(), registerBytes());
  const unsigned placeBits = (chip->kind.isBlackhole ? 64 : 36) - window.bits;
  const uint64_t place = setting & ((uint64_t(1) << placeBits) - 1);
  const unsigned orderBit = chip->kind.isBlackhole ? 27 : 26;
  const uint64_t rest = setting >> placeBits;
  if (rest >> 12 != uint64_t(strictOrder) << (orderBit - 12))
    fail("window %llu: its setting is not modelled",
         static_cast<unsigned long long>(window.number));
  return {chip->translate(rest & 0xFFF), place << window.bits | window.offset};
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
  lookForLoss();
  if (function || isLost)
    return ~0u;
  switch (offset) {
  case 0x00:
    return setting("HET_TILE_MODEL_IDENTITY", chip->kind.identity);
  case 0x10:
    return static_cast<uint32_t>(bar0) | 4;
  case 0x14:
    return bar0 >> 32;
  default:
    fail("a read of the configuration at 0x%x", offset);
  }
}

EXPORT void libttsim_pci_mem_rd_bytes(uint64_t address, void *to, uint32_t bytes) {
  if (isLost)
    return void(std::memset(to, 0xFF, bytes));
  const Place place = translate(offsetOf(address, bytes), bytes);
  chip->read(place.node, place.address, to, bytes);
}

EXPORT void libttsim_pci_mem_wr_bytes(uint64_t address, const void *from,
                                      uint32_t bytes) {
  if (isLost)
    return;
  const uint64_t offset = offsetOf(address, bytes);
  if (offset < windowRegisters) {
    const Place place = translate(offset, bytes);
    chip->write(place.node, place.address, from, bytes);
    return;
  }
  const uint64_t at = offset - windowRegisters;
  const unsigned word = chip->kind.isBlackhole ? 4 : 8;
  if (at >= windowCount() * registerBytes() || bytes != word || at % word)
    fail("a write of %u bytes at 0x%llx of BAR 0", bytes,
         static_cast<unsigned long long>(offset));
  std::memcpy(settings + at, from, bytes);
}

/// Says that tiles have the debug signals that a host needs for a core's pc.
EXPORT void het_tile_model_debug_signals() {}

EXPORT void libttsim_clock(uint32_t clocks) {
  if (!chip)
    fail("the model is not running");
  lookForLoss();
  if (!isLost)
    chip->pass(clocks);
}
