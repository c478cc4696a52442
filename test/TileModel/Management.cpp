// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The management core's telemetry: tags and values are tables of their own, and the first
// words of the tags' are a version and their number.

#include "Model.h"

#include <cstdlib>
#include <cstring>
#include <iterator>

namespace tilemodel {
namespace {

constexpr uint32_t memory = 0x10000000, tagsAt = 0x2A40, valuesAt = 0x1300;
constexpr uint32_t niuConfiguration = 0x80050100, translates = 1 << 14;
constexpr uint32_t version = 1 << 16;

/// What is wrong with the firmware, by the setting HET_TILE_MODEL_FIRMWARE.
bool isFirmware(const char *state) {
  const char *text = std::getenv("HET_TILE_MODEL_FIRMWARE");
  return text && !std::strcmp(text, state);
}

} // namespace

uint32_t Chip::readTelemetry(uint32_t address) const {
  constexpr uint16_t rows[] = {14, 1, 4, 2}, columns[] = {14, 1, 34, 36};
  const uint32_t allColumns = (1u << kind.columns.size()) - 1;
  const uint32_t ofWormhole[] = {1000, 0x180, harvested, 1};
  const uint32_t ofBlackhole[] = {1350, 0x400, ~harvested & allColumns, 0xFF};
  constexpr uint32_t count = std::size(rows);
  if (address == tagsAt)
    return isFirmware("new") ? 2 << 16 : version;
  if (address == tagsAt + 4)
    return count;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t place = count - 1 - i;
    if (address == tagsAt + 8 + 4 * i)
      return (kind.isBlackhole ? columns : rows)[i] | place << 16;
    if (address == valuesAt + 4 * place)
      return (kind.isBlackhole ? ofBlackhole : ofWormhole)[i];
  }
  fail("a read of the management core's memory at 0x%x", address);
}

uint32_t Chip::readManagement(uint64_t address) const {
  const uint64_t own = address - kind.managementAddresses;
  if (isFirmware("silent"))
    return ~0u;
  if (own == kind.tagsPointer)
    return isFirmware("old") ? 0 : memory + tagsAt;
  if (own == kind.valuesPointer)
    return isFirmware("old") ? 0 : memory + valuesAt;
  if (own == niuConfiguration && kind.isBlackhole)
    return translates;
  if (own >= memory && own < memory + 0x80000)
    return readTelemetry(own - memory);
  fail("a read at 0x%llx of the management core",
       static_cast<unsigned long long>(address));
}

} // namespace tilemodel
