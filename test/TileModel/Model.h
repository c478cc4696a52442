// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model of a Wormhole or Blackhole chip for tests, after Tenstorrent's documents
// (tt-isa-documentation, WormholeB0 and BlackholeA0): Tensix tiles with one core and
// their memory (L1), DRAM, and NoC 0 between them. It is a library with the C interface
// of Tenstorrent's simulator, and harsher than that: requests take and change their turns
// by chance, which is seeded; what they are to bring is poison until it is there; stores
// wait in the core's queue, and Blackhole's cores keep what they have read of L1; what
// the documents do not allow ends the process with a message.

#ifndef HET_TEST_TILEMODEL_MODEL_H
#define HET_TEST_TILEMODEL_MODEL_H

#include "Coprocessor.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <vector>

namespace tilemodel {

constexpr uint8_t poison = 0xDB;

/// Ends the process: something was done that the documents do not allow.
[[noreturn]] void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// A number from the environment.
uint64_t setting(const char *name, uint64_t otherwise);

/// A coordinate of NoC 0: y << 6 | x.
using Node = uint32_t;
constexpr Node at(uint32_t x, uint32_t y) { return y << 6 | x; }

/// What differs between chips.
struct Kind {
  const char *name;
  bool isBlackhole;
  uint32_t identity; ///< PCI: the vendor in the lower half, the device in the upper.
  uint32_t l1Bytes;
  uint64_t bankBytes;
  /// Of Tensix tiles. The bits of what is fused off count rows (Wormhole) or columns
  /// (Blackhole) in this order.
  std::vector<uint32_t> columns, rows;
  std::vector<std::vector<Node>> banks;
  Node management;
  uint64_t managementAddresses; ///< Where the management core's own begin there.
  uint32_t tagsPointer, valuesPointer;
  uint32_t initiatorBytes, data, command; ///< Offsets of an initiator's registers.
  uint32_t dramAlignment, mostBytes;      ///< Of a request.
};
/// By the setting HET_TILE_MODEL_CHIP; Wormhole where there is none.
const Kind &chosenKind();

/// Chance, the same for the same seed.
class Chance {
public:
  explicit Chance(uint64_t seed) : state(seed * 2 + 1) {}
  /// In [0, bound).
  uint32_t below(uint32_t bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % bound;
  }

private:
  uint64_t state;
};

class Chip;
struct Tile;

/// A core; RV32I and M, without misaligned accesses, on Blackhole Zba, Zbb and fences,
/// and the coprocessor's instructions, which it pushes.
class Core {
public:
  Core(Chip &chip, Tile &tile);
  void reset();
  void run(uint32_t instructions);
  bool isRunning = false;
  uint32_t programCounter() const { return pc; }
  uint64_t executed = 0; ///< Without `j .`.

private:
  [[noreturn]] void fault(const char *what, uint32_t detail) const;
  uint32_t load(uint32_t address, uint32_t bytes);
  void store(uint32_t address, uint32_t bytes, uint32_t value);
  static constexpr uint32_t pushBuffer = 0xFFE40000, configurationBase = 0xFFEF0000,
                            configurationBytes = 0x400;
  bool isCoprocessor(uint32_t address, uint32_t bytes) const;
  uint8_t *memory(uint32_t address, uint32_t bytes);
  // Stores.cpp
  void waitForStores(uint32_t address, uint32_t bytes);
  void emitStore();
  void processStores();
  void fence();
  const uint8_t *kept(uint32_t address);
  void forget(uint32_t address);
  /// Blackhole's. False: it is none of them.
  bool executeBits(uint32_t word);
  uint32_t fetch() const;
  void pushInstruction(uint32_t word);
  void executeLoad(uint32_t word, uint32_t address);
  void executeArithmetic(uint32_t word);
  void step();
  uint32_t compute(uint32_t function, bool isOther, uint32_t a, uint32_t b) const;
  uint32_t multiply(uint32_t function, uint32_t a, uint32_t b) const;
  bool compare(uint32_t function, uint32_t a, uint32_t b) const;
  void write(uint32_t index, uint32_t value) {
    if (index)
      registers[index] = value;
  }

  Chip &chip;
  Tile &tile;
  uint32_t pc = 0;
  uint32_t registers[32] = {};
  std::vector<uint8_t> local;
  struct Store {
    uint32_t address, bytes, value;
  };
  Store queue[4]; ///< Not on their way yet.
  unsigned queued = 0;
  Store underWay[8]; ///< To L1 and local memory.
  unsigned underWayCount = 0;
  /// Blackhole's cache of L1, which nothing keeps up to date. Lines have 16 bytes.
  struct Line {
    uint32_t address = ~0u;
    uint8_t bytes[16];
  };
  Line lines[4];
  uint64_t latched = 0; ///< The clock, when its lower half was read.
};

/// A tile's interface to NoC 0: registers from 0xFFB20000, by their offset.
class Interface {
public:
  Interface(Chip &chip, Tile &tile) : chip(chip), tile(tile) {}
  uint32_t read(uint32_t offset) const;
  void write(uint32_t offset, uint32_t value);

private:
  static constexpr uint32_t initiators = 4, fields = 17;
  void issue(uint32_t initiator);
  void issueRead(const uint32_t *request);
  void issueWrite(const uint32_t *request);
  void issueAtomic(const uint32_t *request);
  void checkControl(uint32_t control) const;
  void checkOwn(Node node, uint32_t address, uint32_t bytes) const;
  /// Of the place whose address is in that register.
  Node nodeOf(const uint32_t *request, unsigned low) const;
  uint64_t addressOf(const uint32_t *request, unsigned low) const;
  uint32_t registerAt(uint32_t offset, uint32_t &initiator) const;

  Chip &chip;
  Tile &tile;
  uint32_t registers[initiators][fields] = {};
  uint64_t busyUntil[initiators] = {};
  uint32_t atomicsAnswered = 0, writesAnswered = 0, readsAnswered = 0;
  /// When requests of a stream were done last, by their other end.
  std::map<uint64_t, uint64_t> streams;
  uint64_t inOrder(const uint32_t *request, Node other, uint64_t time);
};

struct Tile {
  Tile(Chip &chip, Node node);
  const Node node;
  std::vector<uint8_t> memory;
  Core core;
  Interface interface;
  Coprocessor coprocessor;
  uint32_t softReset = 0x47800;
  uint32_t debugControl = 0;
  uint64_t debugSince = 0; ///< When that was written.
};

class Chip {
public:
  Chip();
  /// Appends how many instructions there were.
  void writeCounts(const char *name) const;
  /// What a host or a request reaches at a node.
  void read(Node node, uint64_t address, void *to, uint32_t bytes);
  void write(Node node, uint64_t address, const void *from, uint32_t bytes);
  bool isDram(Node node) const { return banks.count(node) != 0; }
  Tile *tileAt(Node node);
  void pass(uint32_t clocks);
  /// What a request's or a window's coordinate stands for, as the firmware has set the
  /// network's tables: on Blackhole the working columns come first.
  Node translate(Node node) const;

  /// Does it at that time, after what was to be done before.
  template <class Work> void later(uint64_t time, Work work) {
    events.push({time, number++, std::move(work)});
  }

  const Kind &kind = chosenKind();
  uint64_t now = 0;
  Chance chance;
  uint32_t harvested; ///< Bits of rows or columns.

private:
  struct Event {
    uint64_t time, number;
    std::function<void()> work;
    bool operator<(const Event &other) const {
      return time != other.time ? time > other.time : number > other.number;
    }
  };
  uint32_t readDebugSignals(const Tile &tile) const;
  uint8_t *dram(Node node, uint64_t address, uint32_t bytes);
  uint32_t readManagement(uint64_t address) const;
  uint32_t readTelemetry(uint32_t address) const;

  std::map<Node, std::unique_ptr<Tile>> tiles;
  std::vector<uint32_t> columnNumbers; ///< By coordinate, what column it stands for.
  std::map<Node, uint32_t> banks;      ///< Nodes of each.
  std::vector<uint8_t *> bankMemory;
  std::priority_queue<Event> events;
  uint64_t number = 0;
};

} // namespace tilemodel

#endif // HET_TEST_TILEMODEL_MODEL_H
