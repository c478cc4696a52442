// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Portions of launches, and how long one takes.

#include "PlainFeed.h"
#include "het/Runtime/Backend.h"

#include <utility>

namespace het::core {

PlainFeed::~PlainFeed() {
  for (HetEvent *event : events)
    if (event)
      backend.abi().destroyEvent(event);
}

bool PlainFeed::signal(unsigned event) {
  HetStatus status = {};
  return (events[event] || backend.abi().createEvent(backend.handle(), &events[event],
                                                     &status) == HET_OK) &&
         backend.abi().enqueueSignal(queue, events[event], &status) == HET_OK;
}

size_t PlainFeed::waitForAll() {
  backend.abi().synchronize(queue);
  const size_t ended = portions[0].launches + portions[1].launches;
  clear();
  return ended;
}

size_t PlainFeed::makeRoom(Time expected) {
  const Portion &given = portions[current];
  if (!given.launches || given.time + expected <= mostInPortion)
    return 0;
  if (!signal(current))
    return waitForAll();
  current ^= 1;
  if (portions[current].launches)
    backend.abi().waitEvent(events[current]);
  return std::exchange(portions[current], {}).launches;
}

void PlainFeed::begin() { signal(0); }

std::optional<PlainFeed::Time> PlainFeed::end() {
  const bool isSignalled = events[0] && signal(1);
  backend.abi().synchronize(queue);
  int64_t nanoseconds = 0;
  HetStatus status = {};
  if (!isSignalled || backend.abi().eventElapsed(events[0], events[1], &nanoseconds,
                                                 &status) != HET_OK)
    return std::nullopt;
  return Time(nanoseconds);
}

} // namespace het::core
