// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile's coprocessor, of which one thread, unpacker 0 and packer 0 are modelled, and
// these only for words of 32 bits between memory and Dst, after Tenstorrent's documents
// (WormholeB0 and BlackholeA0/TensixTile/TensixCoprocessor: README.md, STALLWAIT.md,
// UNPACR_Regular.md, PACR.md, Packers/, ADCs.md, BackendConfiguration.md). Work takes as
// long as chance has it; until it is done what it writes is poison, and who touches it
// without having waited ends the process.

#ifndef HET_TEST_TILEMODEL_COPROCESSOR_H
#define HET_TEST_TILEMODEL_COPROCESSOR_H

#include "VectorUnit.h"

#include <deque>
#include <utility>

namespace tilemodel {

class Chip;
struct Tile;

/// What differs between chips: numbers of words of configuration (cfg_defines.h), and
/// conditions of STALLWAIT.
struct CoprocessorKind {
  uint32_t computes; ///< STALLWAIT: while the vector unit works.
  uint32_t packStrides, strideBit, packReads, edges, edgeCount, packOffset;
  /// Of the packer, and where its own words begin.
  uint32_t packer, packLimit;
  /// Fields that must be 0 in the packer's third word.
  uint32_t unusedOutput;
  uint32_t unpackBase, unpackBaseBit, unpackStrides, tile, format, address, destination,
      width, offset;
  /// Settings of the thread.
  uint32_t sourceSet, packMode, contexts;
};
const CoprocessorKind &coprocessorOf(bool isBlackhole);

class Coprocessor {
public:
  Coprocessor(Chip &chip, Tile &tile);
  bool isFull() const { return queue.size() >= 16; }
  bool isBusy() const { return !queue.empty() || isUnpacking || isPacking; }
  void push(uint32_t word) { queue.push_back(word); }
  /// One cycle.
  void step();
  /// The core's accesses to configuration, by its word's number.
  uint32_t readConfiguration(uint32_t index);
  void writeConfiguration(uint32_t index, uint32_t value);

  VectorUnit vectors;
  uint64_t executed = 0;

private:
  static constexpr uint32_t configurationWords = 224, settings = 57;
  /// Counters of an unpacker or the packers: of two channels X, Y, Z and W.
  struct Counters {
    uint32_t of[2][4];
  };

  [[noreturn]] void refuse(uint32_t word, const char *why) const;
  uint32_t blockOf(uint32_t word) const;
  bool isWaiting() const;
  void execute(uint32_t word);
  void setCounter(uint32_t word);
  void setExtent(uint32_t word);
  void clearCounters(uint32_t word);
  void change(uint32_t word);
  void unpack(uint32_t word);
  void pack(uint32_t word);
  void movePacked(uint32_t row, uint32_t count, uint64_t to);
  void checkUnpacker(uint32_t word) const;
  void checkPacker(uint32_t word) const;
  /// Bits [first, first + count) of a word of configuration.
  uint32_t field(uint32_t index, uint32_t first, uint32_t count) const {
    return configuration[index] >> first & ((count == 32 ? 0 : 1u << count) - 1);
  }
  void settle(bool all);

  Chip &chip;
  Tile &tile;
  const bool isBlackhole;
  const CoprocessorKind &kind;
  std::deque<uint32_t> queue;
  std::deque<std::pair<uint32_t, uint32_t>> written; ///< By the core, not yet there.
  uint32_t configuration[configurationWords] = {};
  uint32_t setting[settings]; ///< Of thread 0.
  Counters unpacker, packers;
  uint32_t waitsFor = 0, blocks = 0; ///< Of the last STALLWAIT.
  bool isUnpacking = false, isPacking = false;
  uint64_t computesUntil = 0;
  uint64_t packsTo = 0; ///< Where an output that has not been ended goes on; 0: none has.
};

} // namespace tilemodel

#endif // HET_TEST_TILEMODEL_COPROCESSOR_H
