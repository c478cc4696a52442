// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds what of a chip is there: some rows or columns of cores are fused off, and on
// Blackhole a bank of DRAM may be. The management core's telemetry says which: a table of
// tags (a version, a count, and for each entry the tag and the value's place), and one of
// values.

#include "Chip.h"

#include <algorithm>

namespace het::tensix {
namespace {

constexpr uint32_t managementMemory = 0x10000000, managementMemoryBytes = 512 << 10;
constexpr uint32_t mostTags = 256, mostVersion = 1;
constexpr uint32_t niuConfiguration = 0x80050100; ///< In the management core's tile.
constexpr uint32_t translates = 1 << 14;

enum Tag : uint32_t {
  harvestedRows = 4,   ///< Wormhole: a bit for each that is fused off.
  enabledColumns = 34, ///< Blackhole: a bit for each that is there.
  enabledBanks = 36
};

bool isInMemory(uint32_t address) {
  return address >= managementMemory &&
         address - managementMemory < managementMemoryBytes;
}

/// Those of `all` whose bit is set.
std::vector<uint32_t> chosen(const std::vector<uint32_t> &all, uint32_t bits) {
  std::vector<uint32_t> result;
  for (uint32_t bit = 0; bit < all.size(); ++bit)
    if (bits >> bit & 1)
      result.push_back(all[bit]);
  return result;
}

std::vector<uint32_t> firstOf(std::vector<uint32_t> all, size_t count) {
  all.resize(count);
  return all;
}

uint32_t valueOr(const std::map<uint32_t, uint32_t> &telemetry, uint32_t tag,
                 uint32_t otherwise) {
  auto it = telemetry.find(tag);
  return it == telemetry.end() ? otherwise : it->second;
}

} // namespace

bool Chip::readTelemetry(Telemetry &telemetry, HetStatus *status) {
  auto refuse = [&](const std::string &found) {
    report(status, HET_UNAVAILABLE, place() + ": " + found);
    return false;
  };
  const uint32_t tags = readManagement(kind.telemetryTags);
  const uint32_t values = readManagement(kind.telemetryValues);
  if (std::string why = lost(); !why.empty())
    return refuse(why);
  if (tags == ~0u && values == ~0u)
    return refuse("the chip does not answer (its management core reads as " +
                  hexadecimal(tags) + "); reset it");
  if (!isInMemory(tags) || !isInMemory(values))
    return refuse("the chip's firmware has no telemetry (found tables at " +
                  hexadecimal(tags) + " and " + hexadecimal(values) +
                  ", expected them in the management core's memory at " +
                  hexadecimal(managementMemory) + "); update the firmware");
  const uint32_t version = readManagement(tags) >> 16 & 0xFF;
  const uint32_t count = readManagement(tags + 4);
  if (version > mostVersion || count > mostTags)
    return refuse("found telemetry of version " + std::to_string(version) + " with " +
                  std::to_string(count) + " entries, expected version " +
                  std::to_string(mostVersion) + " and at most " +
                  std::to_string(mostTags) + "; use a newer hetcc");
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t entry = readManagement(tags + 8 + 4 * i);
    telemetry[entry & 0xFFFF] = readManagement(values + 4 * (entry >> 16));
  }
  return true;
}

bool Chip::areNumberedAnew() { return readManagement(niuConfiguration) & translates; }

bool Chip::findTiles(HetStatus *status) {
  Telemetry telemetry;
  if (!readTelemetry(telemetry, status))
    return false;
  std::vector<uint32_t> columns = kind.columns, rows = kind.rows;
  std::string fused;
  bankNodes = kind.banks;
  if (kind.pciIdentity == blackholeIdentity) {
    const uint32_t enabled = valueOr(telemetry, enabledColumns, ~0u);
    fused = "columns " + hexadecimal(~enabled & ((1u << columns.size()) - 1));
    columns = chosen(columns, enabled);
    bankNodes = chosen(bankNodes, valueOr(telemetry, enabledBanks, ~0u));
    if (areNumberedAnew()) {
      const size_t count = columns.size();
      columns = kind.columns;
      std::sort(columns.begin(), columns.end());
      columns = firstOf(columns, count);
      bankNodes = firstOf(kind.numberedBanks, bankNodes.size());
    }
  } else {
    const uint32_t harvested = valueOr(telemetry, harvestedRows, 0);
    fused = "rows " + hexadecimal(harvested);
    rows = chosen(rows, ~harvested);
  }
  std::sort(columns.begin(), columns.end());
  std::sort(rows.begin(), rows.end());
  for (uint32_t y : rows)
    for (uint32_t x : columns)
      nodes.push_back(nodeAt(x, y));
  if (nodes.empty())
    report(status, HET_UNAVAILABLE,
           place() + ": found no working cores (" + fused +
               " are fused off), expected at least one");
  else if (bankNodes.size() + 1 < kind.banks.size())
    report(status, HET_UNAVAILABLE,
           place() + ": found " + std::to_string(bankNodes.size()) +
               " banks of DRAM, expected " + std::to_string(kind.banks.size()) +
               " or one less");
  else
    return true;
  return false;
}

} // namespace het::tensix
