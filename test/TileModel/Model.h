// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model of a Wormhole chip for tests, after Tenstorrent's documents (tt-isa-documentation,
// WormholeB0): Tensix tiles with one rv32im core and their memory (L1), DRAM, and NoC 0
// between them. It is a library with the C interface of Tenstorrent's simulator, and
// harsher than that: requests take and change their turns by chance, which is seeded; what
// they are to bring is poison until it is there; what the documents do not allow ends the
// process with a message.

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

constexpr uint32_t l1Bytes = 1464 << 10;
constexpr uint64_t bankBytes = uint64_t(2) << 30;
constexpr uint8_t poison = 0xDB;

/// Ends the process: something was done that the documents do not allow.
[[noreturn]] void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// A coordinate of NoC 0: y << 6 | x.
using Node = uint32_t;

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

/// A core; RV32I and M, without CSRs, fences and misaligned accesses. It also pushes the
/// coprocessor's instructions.
class Core {
public:
  Core(Chip &chip, Tile &tile) : chip(chip), tile(tile) {}
  void reset();
  void run(uint32_t instructions);
  bool isRunning = false;
  uint64_t executed = 0; ///< Without `j .`.

private:
  [[noreturn]] void fault(const char *what, uint32_t detail) const;
  uint32_t load(uint32_t address, uint32_t bytes);
  void store(uint32_t address, uint32_t bytes, uint32_t value);
  uint8_t *memory(uint32_t address, uint32_t bytes);
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
  std::vector<uint8_t> local = std::vector<uint8_t>(4 << 10, poison);
  uint64_t latched = 0; ///< The clock, when its lower half was read.
};

/// A tile's interface to NoC 0: registers from 0xFFB20000, by their offset.
class Interface {
public:
  Interface(Chip &chip, Tile &tile) : chip(chip), tile(tile) {}
  uint32_t read(uint32_t offset) const;
  void write(uint32_t offset, uint32_t value);

private:
  static constexpr uint32_t initiators = 4, fields = 11;
  void issue(uint32_t initiator);
  void issueRead(const uint32_t *request);
  void issueWrite(const uint32_t *request);
  void issueAtomic(const uint32_t *request);
  void checkControl(uint32_t control) const;
  void checkOwn(Node node, uint32_t address, uint32_t bytes) const;

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

  /// Does it at that time, after what was to be done before.
  template <class Work> void later(uint64_t time, Work work) {
    events.push({time, number++, std::move(work)});
  }

  uint64_t now = 0;
  Chance chance;
  uint32_t harvested; ///< As in the telemetry.

private:
  struct Event {
    uint64_t time, number;
    std::function<void()> work;
    bool operator<(const Event &other) const {
      return time != other.time ? time > other.time : number > other.number;
    }
  };
  uint8_t *dram(Node node, uint64_t address, uint32_t bytes);

  std::map<Node, std::unique_ptr<Tile>> tiles;
  std::map<Node, uint32_t> banks; ///< Nodes of each.
  std::vector<uint8_t *> bankMemory;
  std::priority_queue<Event> events;
  uint64_t number = 0;
};

} // namespace tilemodel

#endif // HET_TEST_TILEMODEL_MODEL_H
