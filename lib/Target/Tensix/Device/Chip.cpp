// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes a chip's memory through its windows, and resets cores.

#include "Chip.h"

#include <algorithm>

namespace het::tensix {
namespace {

/// Banks have the first windows, cores' memory and their registers one each.
constexpr unsigned coreWindow = 8, registerWindow = 9;
static_assert(registerWindow < Provider::windowCount);

constexpr uint32_t registers = 0xFF000000; ///< A tile's, and behind.
constexpr uint32_t softReset = 0xFFB121B0;
constexpr uint32_t allCores = 0x47800, coreB = 0x800;

unsigned windowFor(uint32_t address) {
  return address < registers ? coreWindow : registerWindow;
}

} // namespace

std::unique_ptr<Chip> Chip::open(std::shared_ptr<Provider> provider, HetStatus *status) {
  const Architecture *kind = findArchitecture(provider->identity());
  if (!kind) {
    reportUnknownChip(provider->place(), provider->identity(), status);
    return nullptr;
  }
  std::unique_ptr<Chip> chip(new Chip(std::move(provider), *kind));
  if (!chip->findTiles(status) || !chip->stopAll(status))
    return nullptr;
  return chip;
}

bool Chip::stopAll(HetStatus *status) {
  for (uint32_t node : nodes) {
    stop(node);
    const uint32_t found = readWord(node, softReset);
    if (const std::string why = lost(); !why.empty()) {
      report(status, HET_UNAVAILABLE, place() + ": " + why);
      return false;
    }
    if (found & coreB && found != ~0u)
      continue;
    report(status, HET_UNAVAILABLE,
           place() + ": the core at " + nameOf(node) +
               " does not answer: found its reset register to be " + hexadecimal(found) +
               ", expected " + hexadecimal(allCores) + "; reset the chip");
    return false;
  }
  return true;
}

uint32_t Chip::readManagement(uint32_t address) {
  uint32_t value = 0;
  reach(registerWindow, kind.managementNode, kind.managementAddresses + address, 4,
        [&](uint32_t offset, size_t piece) {
          provider->read(registerWindow, offset, &value, piece);
        });
  return value;
}

template <class Access>
void Chip::reach(unsigned window, uint32_t node, uint64_t address, size_t bytes,
                 Access access) {
  const uint64_t size = uint64_t(1) << provider->windowBits();
  while (bytes) {
    const uint64_t offset = address % size;
    const Aim wanted = {node, address - offset};
    if (!(aims[window] == wanted)) {
      provider->aim(window, node, wanted.place);
      aims[window] = wanted;
    }
    const size_t piece = std::min<uint64_t>(bytes, size - offset);
    access(offset, piece);
    address += piece;
    bytes -= piece;
  }
}

void Chip::readCore(uint32_t node, uint32_t address, void *to, size_t bytes) {
  auto *place = static_cast<uint8_t *>(to);
  const unsigned window = windowFor(address);
  reach(window, node, address, bytes, [&](uint32_t offset, size_t piece) {
    provider->read(window, offset, place, piece);
    place += piece;
  });
}

void Chip::writeCore(uint32_t node, uint32_t address, const void *from, size_t bytes) {
  auto *place = static_cast<const uint8_t *>(from);
  const unsigned window = windowFor(address);
  reach(window, node, address, bytes, [&](uint32_t offset, size_t piece) {
    provider->write(window, offset, place, piece);
    place += piece;
  });
}

uint32_t Chip::readWord(uint32_t node, uint32_t address) {
  uint32_t value = 0;
  readCore(node, address, &value, sizeof(value));
  return value;
}

template <class Access>
void Chip::reachDram(uint64_t address, size_t bytes, Access access) {
  constexpr uint64_t page = uint64_t(1) << HET_TENSIX_PAGE_SHIFT;
  const uint64_t banks = bankNodes.size();
  while (bytes) {
    const uint64_t number = address / page, offset = address % page;
    const size_t piece = std::min<uint64_t>(bytes, page - offset);
    const unsigned bank = number % banks;
    reach(bank, bankNodes[bank], number / banks * page + offset, piece,
          [&](uint32_t at, size_t size) { access(bank, at, size); });
    address += piece;
    bytes -= piece;
  }
}

void Chip::readDram(uint64_t address, void *to, size_t bytes) {
  auto *place = static_cast<uint8_t *>(to);
  reachDram(address, bytes, [&](unsigned window, uint32_t offset, size_t piece) {
    provider->read(window, offset, place, piece);
    place += piece;
  });
}

void Chip::writeDram(uint64_t address, const void *from, size_t bytes) {
  auto *place = static_cast<const uint8_t *>(from);
  reachDram(address, bytes, [&](unsigned window, uint32_t offset, size_t piece) {
    provider->write(window, offset, place, piece);
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
  if (kind.pciIdentity != wormholeIdentity || !provider->hasDebugSignals())
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
