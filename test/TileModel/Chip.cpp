// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chip: which tiles there are, their memory and DRAM, and time.

#include "Model.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace tilemodel {
namespace {

constexpr uint32_t debugControl = 0xFFB12054, debugData = 0xFFB1205C;
constexpr uint32_t softReset = 0xFFB121B0, resetBits = 0x47800, resetOfB = 0x800;

} // namespace

uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text && *text ? std::strtoull(text, nullptr, 0) : otherwise;
}

Tile::Tile(Chip &chip, Node node)
    : node(node), memory(chip.kind.l1Bytes, poison), core(chip, *this),
      interface(chip, *this), coprocessor(chip, *this) {}

Chip::Chip()
    : chance(setting("HET_TILE_MODEL_SEED", 1)),
      harvested(setting("HET_TILE_MODEL_HARVESTED", 0x12)) {
  std::vector<uint32_t> columns, fused, sorted = kind.columns;
  for (uint32_t bit = 0; bit < kind.columns.size(); ++bit) {
    const bool isFused = kind.isBlackhole && harvested >> bit & 1;
    (isFused ? fused : columns).push_back(kind.columns[bit]);
  }
  for (uint32_t bit = 0; bit < kind.rows.size(); ++bit)
    for (uint32_t x : columns)
      if (kind.isBlackhole || !(harvested >> bit & 1))
        tiles[at(x, kind.rows[bit])] =
            std::make_unique<Tile>(*this, at(x, kind.rows[bit]));
  std::sort(columns.begin(), columns.end());
  std::sort(sorted.begin(), sorted.end());
  for (uint32_t x = 0; x < 64; ++x)
    columnNumbers.push_back(x);
  columns.insert(columns.end(), fused.begin(), fused.end());
  for (uint32_t i = 0; kind.isBlackhole && i < sorted.size(); ++i)
    columnNumbers[sorted[i]] = columns[i];
  for (const std::vector<Node> &ofBank : kind.banks) {
    for (Node node : ofBank)
      banks[node] = bankMemory.size();
    void *memory = mmap(nullptr, kind.bankBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      fail("no memory for DRAM");
    bankMemory.push_back(static_cast<uint8_t *>(memory));
  }
}

void Chip::writeCounts(const char *name) const {
  std::FILE *file = std::fopen(name, "a");
  if (!file)
    fail("HET_TILE_MODEL_COUNTS: '%s' can not be written", name);
  uint64_t cores = 0, pushed = 0, vectors = 0;
  for (auto &[node, tile] : tiles) {
    cores += tile->core.executed;
    pushed += tile->coprocessor.executed;
    vectors += tile->coprocessor.vectors.executed;
  }
  std::fprintf(file, "cores %llu, coprocessors %llu, of which vector units %llu\n",
               static_cast<unsigned long long>(cores),
               static_cast<unsigned long long>(pushed),
               static_cast<unsigned long long>(vectors));
  std::fclose(file);
}

/// Rows 0 and 1 are left as they are; banks are at (17 or 18, 12 and on) too.
Node Chip::translate(Node node) const {
  const uint32_t x = node & 63, y = node >> 6;
  if (kind.isBlackhole && (x == 17 || x == 18) && y >= 12 && y < 24)
    return kind.banks[(x - 17) * 4 + (y - 12) / 3][(y - 12) % 3];
  return y < 2 ? node : at(columnNumbers[x], y);
}

Tile *Chip::tileAt(Node node) {
  auto it = tiles.find(node);
  return it == tiles.end() ? nullptr : it->second.get();
}

uint8_t *Chip::dram(Node node, uint64_t address, uint32_t bytes) {
  if (address >= kind.bankBytes || kind.bankBytes - address < bytes)
    fail("%u bytes at 0x%llx of the DRAM tile (%u, %u)", bytes,
         static_cast<unsigned long long>(address), node & 63, node >> 6);
  return bankMemory[banks[node]] + address;
}

/// The debug daisychain, as far as it shows RISC-V B's pc.
uint32_t Chip::readDebugSignals(const Tile &tile) const {
  constexpr uint32_t enabled = 1 << 29, stateOfB = 7 << 16 | 10;
  if (tile.debugControl != (enabled | stateOfB))
    fail("debug signals 0x%x are not modelled", tile.debugControl);
  if (now < tile.debugSince + 5)
    fail("debug signals are read %llu clocks after they were chosen, expected 5",
         static_cast<unsigned long long>(now - tile.debugSince));
  return tile.core.programCounter() | 1u << 31;
}

void Chip::read(Node node, uint64_t address, void *to, uint32_t bytes) {
  if (isDram(node)) {
    std::memcpy(to, dram(node, address, bytes), bytes);
    return;
  }
  if (node == kind.management && bytes == 4) {
    const uint32_t value = readManagement(address);
    std::memcpy(to, &value, 4);
    return;
  }
  const uint32_t l1Bytes = kind.l1Bytes;
  Tile *tile = tileAt(node);
  if (!tile)
    fail("a read at (%u, %u), where nothing is", node & 63, node >> 6);
  if (address < l1Bytes && l1Bytes - address >= bytes)
    std::memcpy(to, &tile->memory[address], bytes);
  else if (address == softReset && bytes == 4)
    std::memcpy(to, &tile->softReset, 4);
  else if (address == debugData && bytes == 4) {
    const uint32_t word = readDebugSignals(*tile);
    std::memcpy(to, &word, 4);
  } else
    fail("a read of %u bytes at 0x%llx of the tile (%u, %u)", bytes,
         static_cast<unsigned long long>(address), node & 63, node >> 6);
}

void Chip::write(Node node, uint64_t address, const void *from, uint32_t bytes) {
  if (isDram(node)) {
    std::memcpy(dram(node, address, bytes), from, bytes);
    return;
  }
  const uint32_t l1Bytes = kind.l1Bytes;
  Tile *tile = tileAt(node);
  if (!tile)
    fail("a write at (%u, %u), where nothing is", node & 63, node >> 6);
  if (address < l1Bytes && l1Bytes - address >= bytes) {
    std::memcpy(&tile->memory[address], from, bytes);
    return;
  }
  if (address == debugControl && bytes == 4) {
    std::memcpy(&tile->debugControl, from, 4);
    tile->debugSince = now;
    return;
  }
  if (address != softReset || bytes != 4)
    fail("a write of %u bytes at 0x%llx of the tile (%u, %u)", bytes,
         static_cast<unsigned long long>(address), node & 63, node >> 6);
  uint32_t value;
  std::memcpy(&value, from, 4);
  if ((value & resetBits & ~resetOfB) != (resetBits & ~resetOfB))
    fail("only RISC-V B is modelled: soft reset 0x%x", value);
  const bool runs = !(value & resetOfB);
  if (runs && !tile->core.isRunning) {
    if (tile->coprocessor.isBusy())
      fail("the core at (%u, %u) begins while its coprocessor works", node & 63,
           node >> 6);
    tile->core.reset();
  }
  tile->core.isRunning = runs;
  tile->softReset = value;
}

/// Cores take turns of a few instructions, as chance has it.
void Chip::pass(uint32_t clocks) {
  std::vector<Tile *> running;
  for (auto &[node, tile] : tiles)
    if (tile->core.isRunning)
      running.push_back(tile.get());
  const uint64_t end = now + clocks;
  while (now < end) {
    const uint64_t turn = std::min<uint64_t>(end - now, 1 + chance.below(24));
    for (Tile *tile : running)
      tile->core.run(turn);
    now += turn;
    while (!events.empty() && events.top().time <= now) {
      auto work = events.top().work;
      events.pop();
      work();
    }
  }
}

} // namespace tilemodel
