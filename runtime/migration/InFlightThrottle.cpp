// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two portions of launches and copies are under way: one is given while the other runs.

#include "migration/InFlightThrottle.h"
#include "core/Backend.h"

#include <utility>

namespace het::core {

InFlightThrottle::~InFlightThrottle() {
  for (HetEvent *event : events)
    if (event)
      backend.abi().destroyEvent(event);
}

bool InFlightThrottle::signal(unsigned event) {
  HetStatus status = {};
  return (events[event] || backend.abi().createEvent(backend.handle(), &events[event],
                                                     &status) == HET_OK) &&
         backend.abi().enqueueSignal(queue, events[event], &status) == HET_OK;
}

size_t InFlightThrottle::waitForAll() {
  backend.abi().synchronize(queue);
  const size_t ended = portions[0].pieces + portions[1].pieces;
  clear();
  return ended;
}

size_t InFlightThrottle::makeRoom(Time expected) {
  const Portion &given = portions[current];
  if (!given.pieces || given.time + expected <= mostInPortion)
    return 0;
  if (!signal(current))
    return waitForAll();
  current ^= 1;
  if (portions[current].pieces)
    backend.abi().waitEvent(events[current]);
  return std::exchange(portions[current], {}).pieces;
}

} // namespace het::core
