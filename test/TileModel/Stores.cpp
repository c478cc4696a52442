// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way of stores (WormholeB0 and BlackholeA0, BabyRISCV/MemoryOrdering.md). They wait
// in a queue, from which they go on their way one after the other; a load waits for those
// that begin where it does (Wormhole) or that it overlaps (Blackhole), and overtakes all
// others. On their way, stores to memory are overtaken by all that goes elsewhere.
// Blackhole's cores keep lines of L1 that they have read.

#include "Model.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace tilemodel {

constexpr uint32_t interfaceBase = 0xFFB20000, lineBytes = 16;

void Core::waitForStores(uint32_t address, uint32_t bytes) {
  for (unsigned i = queued; i-- > 0;) {
    const Store &store = queue[i];
    const bool conflicts =
        chip.kind.isBlackhole
            ? store.address < address + bytes && address < store.address + store.bytes
            : store.address == address;
    if (!conflicts)
      continue;
    for (unsigned left = i + 1; left; --left)
      emitStore();
    return;
  }
}

void Core::emitStore() {
  const Store store = queue[0];
  std::copy(queue + 1, queue + queued, queue);
  --queued;
  if (isCoprocessor(store.address, store.bytes)) {
    if (store.address == pushBuffer)
      tile.coprocessor.push(store.value);
    else
      tile.coprocessor.writeConfiguration((store.address - configurationBase) / 4,
                                          store.value);
    return;
  }
  if (!memory(store.address, store.bytes)) {
    tile.interface.write(store.address - interfaceBase, store.value);
    return;
  }
  if (underWayCount == std::size(underWay))
    processStores();
  underWay[underWayCount++] = store;
}

void Core::processStores() {
  for (unsigned i = 0; i < underWayCount; ++i) {
    const Store &store = underWay[i];
    std::memcpy(memory(store.address, store.bytes), &store.value, store.bytes);
    forget(store.address);
  }
  underWayCount = 0;
}

/// What is on its way may be there.
void Core::fence() {
  while (queued)
    emitStore();
  for (Line &line : lines)
    line.address = ~0u;
}

void Core::forget(uint32_t address) {
  for (Line &line : lines)
    if (line.address == address / lineBytes * lineBytes)
      line.address = ~0u;
}

const uint8_t *Core::kept(uint32_t address) {
  const uint32_t first = address / lineBytes * lineBytes;
  for (Line &line : lines)
    if (line.address == first)
      return line.bytes + (address - first);
  Line &line = lines[chip.chance.below(std::size(lines))];
  line.address = first;
  std::memcpy(line.bytes, &tile.memory[first], lineBytes);
  return line.bytes + (address - first);
}

void Core::run(uint32_t instructions) {
  while (instructions-- && isRunning) {
    step();
    tile.coprocessor.step();
  }
  // By the time that the others have had their turns it is there.
  if (!chip.chance.below(2))
    processStores();
}

} // namespace tilemodel
