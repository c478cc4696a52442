// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests (WormholeB0 and BlackholeA0, NoC/MemoryMap.md, Ordering.md, Atomics.md,
// Counters.md). Those that
// name their virtual channel keep their order on the way to one node; all others, and all
// answers, come when chance has it.

#include "Model.h"

#include <cstring>

namespace tilemodel {
namespace {

/// Indices of registers; the data's and the command's differ between chips. Of a place:
/// its address, the address's upper half, and on Blackhole the node. On Wormhole the node
/// follows four bits of the upper half.
enum { target = 0, answer = 3, packetTag = 6, control = 7, length = 8 };

constexpr uint32_t kindMask = 3, kindRead = 0, kindAtomic = 1, kindWrite = 2;
constexpr uint32_t hasAnswer = 0x10, isStatic = 0x80, channelBits = 0xE000;
constexpr uint32_t slowest = 60; ///< Clocks of one part of the way.

constexpr uint32_t countersAt = 0x200;

} // namespace

Node Interface::nodeOf(const uint32_t *request, unsigned low) const {
  const uint32_t node = chip.kind.isBlackhole ? request[low + 2] : request[low + 1] >> 4;
  if (node > 0xFFF)
    fail("a request to the node 0x%x", node);
  return chip.translate(node);
}

uint64_t Interface::addressOf(const uint32_t *request, unsigned low) const {
  const uint32_t high = request[low + 1];
  return uint64_t(chip.kind.isBlackhole ? high : high & 0xF) << 32 | request[low];
}

/// The index of an initiator's register; `initiator` is which one.
uint32_t Interface::registerAt(uint32_t offset, uint32_t &initiator) const {
  initiator = offset / chip.kind.initiatorBytes;
  const uint32_t inside = offset % chip.kind.initiatorBytes, field = inside / 4;
  const bool isThere =
      initiator < initiators && offset % 4 == 0 &&
      (inside <= chip.kind.data || inside == chip.kind.command) &&
      (chip.kind.isBlackhole || (field != target + 2 && field != answer + 2));
  return isThere ? field : fields;
}

uint32_t Interface::read(uint32_t offset) const {
  const uint32_t counters[] = {atomicsAnswered, writesAnswered, readsAnswered};
  if (offset >= countersAt && offset < countersAt + sizeof(counters))
    return counters[(offset - countersAt) / 4];
  if (offset == (chip.kind.isBlackhole ? 0x44u : 0x2Cu))
    return tile.node | (chip.kind.isBlackhole ? 17 : 10) << 12 | 12 << 19 | 1 << 28;
  uint32_t initiator;
  const uint32_t field = registerAt(offset, initiator);
  if (field == fields)
    fail("tile (%u, %u): read of interface register 0x%x", tile.node & 63, tile.node >> 6,
         offset);
  if (field * 4 == chip.kind.command)
    return chip.now < busyUntil[initiator];
  return registers[initiator][field];
}

void Interface::write(uint32_t offset, uint32_t value) {
  uint32_t initiator;
  const uint32_t field = registerAt(offset, initiator);
  if (field == fields)
    fail("tile (%u, %u): write of interface register 0x%x", tile.node & 63,
         tile.node >> 6, offset);
  if (chip.now < busyUntil[initiator])
    fail("tile (%u, %u): write of register 0x%x of an initiator that is busy",
         tile.node & 63, tile.node >> 6, offset);
  registers[initiator][field] = value;
  if (field * 4 == chip.kind.command && (value & 1))
    issue(initiator);
}

void Interface::checkControl(uint32_t given) const {
  if (given & ~(kindMask | hasAnswer | isStatic | channelBits))
    fail("NOC_CTRL 0x%x is not modelled", given);
  if (!(given & hasAnswer))
    fail("a request without an answer is not modelled");
  if ((given & isStatic) && (given & 0xC000) > 0x4000)
    fail("NOC_CTRL 0x%x: a channel that is not for unicast requests", given);
}

/// This end of a request is in the tile's own memory.
void Interface::checkOwn(Node node, uint32_t address, uint32_t bytes) const {
  if (node != tile.node)
    fail("tile (%u, %u): a request whose own end is at (%u, %u)", tile.node & 63,
         tile.node >> 6, node & 63, node >> 6);
  if (address >= chip.kind.l1Bytes || chip.kind.l1Bytes - address < bytes)
    fail("a request of %u bytes at 0x%x of its own tile", bytes, address);
}

/// When a request is done at its other end, if that may be at `time`.
uint64_t Interface::inOrder(const uint32_t *request, Node other, uint64_t time) {
  if (!(request[control] & isStatic))
    return time;
  uint64_t &last = streams[uint64_t(request[control] & channelBits) << 32 | other];
  last = std::max(last, time);
  return last;
}

void Interface::issue(uint32_t initiator) {
  const uint32_t *request = registers[initiator];
  checkControl(request[control]);
  if (request[packetTag] & ~(15u << 10))
    fail("NOC_PACKET_TAG 0x%x is not modelled", request[packetTag]);
  if (chip.kind.isBlackhole && request[length + 1])
    fail("a request with an upper half 0x%x of its length", request[length + 1]);
  busyUntil[initiator] = chip.now + chip.chance.below(8);
  switch (request[control] & kindMask) {
  case kindRead:
    return issueRead(request);
  case kindAtomic:
    return issueAtomic(request);
  case kindWrite:
    return issueWrite(request);
  default:
    fail("NOC_CTRL 0x%x: a request of no kind", request[control]);
  }
}

void Interface::issueRead(const uint32_t *request) {
  const Node other = nodeOf(request, target);
  const uint64_t from = addressOf(request, target);
  const uint32_t to = request[answer], bytes = request[length];
  checkOwn(nodeOf(request, answer), to, bytes);
  if (!bytes || bytes > chip.kind.mostBytes)
    fail("a read of %u bytes", bytes);
  const uint32_t alignment = chip.isDram(other) ? chip.kind.dramAlignment : 16;
  if ((from ^ to) % alignment)
    fail("a read from 0x%llx to 0x%x: they differ modulo %u",
         static_cast<unsigned long long>(from), to, alignment);
  std::memset(&tile.memory[to], poison, bytes);
  const uint64_t sampled = inOrder(request, other, chip.now + chip.chance.below(slowest));
  const uint64_t landed = sampled + chip.chance.below(slowest);
  chip.later(sampled, [this, other, from, to, bytes, landed] {
    auto bytesRead = std::make_shared<std::vector<uint8_t>>(bytes);
    chip.read(other, from, bytesRead->data(), bytes);
    chip.later(landed, [this, to, bytes, bytesRead] {
      std::memcpy(&tile.memory[to], bytesRead->data(), bytes);
      ++readsAnswered;
    });
  });
}

void Interface::issueWrite(const uint32_t *request) {
  const Node other = nodeOf(request, answer);
  const uint64_t to = addressOf(request, answer);
  const uint32_t from = request[target], bytes = request[length];
  checkOwn(nodeOf(request, target), from, bytes);
  if (!bytes || bytes > chip.kind.mostBytes)
    fail("a write of %u bytes", bytes);
  if ((from ^ to) % 16)
    fail("a write from 0x%x to 0x%llx: they differ modulo 16", from,
         static_cast<unsigned long long>(to));
  const uint64_t taken = chip.now + chip.chance.below(slowest);
  const uint64_t done = inOrder(request, other, taken + chip.chance.below(slowest));
  chip.later(taken, [this, other, from, to, bytes, done] {
    auto sent = std::make_shared<std::vector<uint8_t>>(
        tile.memory.begin() + from, tile.memory.begin() + from + bytes);
    chip.later(done, [this, other, to, bytes, done, sent] {
      chip.write(other, to, sent->data(), bytes);
      chip.later(done + chip.chance.below(slowest), [this] { ++writesAnswered; });
    });
  });
}

/// Counting up only.
void Interface::issueAtomic(const uint32_t *request) {
  const Node other = nodeOf(request, target);
  const uint64_t at = addressOf(request, target);
  const uint32_t to = request[answer], added = request[chip.kind.data / 4];
  checkOwn(nodeOf(request, answer), to, 4);
  if (request[length] != (1u << 12 | 31u << 2) || at % 16 || to % 4)
    fail("an atomic 0x%x at 0x%llx is not modelled", request[length],
         static_cast<unsigned long long>(at));
  if (!chip.tileAt(other) || at + 4 > chip.kind.l1Bytes)
    fail("an atomic at 0x%llx of (%u, %u), which is no core's memory",
         static_cast<unsigned long long>(at), other & 63, other >> 6);
  std::memset(&tile.memory[to], poison, 4);
  const uint64_t done = inOrder(request, other, chip.now + chip.chance.below(slowest));
  const uint64_t landed = done + chip.chance.below(slowest);
  chip.later(done, [this, other, at, to, added, landed] {
    uint32_t old = 0;
    chip.read(other, at, &old, 4);
    const uint32_t sum = old + added;
    chip.write(other, at, &sum, 4);
    chip.later(landed, [this, to, old] {
      std::memcpy(&tile.memory[to], &old, 4);
      ++atomicsAnswered;
    });
  });
}

} // namespace tilemodel
