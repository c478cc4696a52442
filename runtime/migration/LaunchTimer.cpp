// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures launches by events of the target in front of them and behind.

#include "migration/LaunchTimer.h"
#include "core/Backend.h"

#include <utility>

namespace het::core {

LaunchTimer::~LaunchTimer() {
  forget();
  spare.push_back(current);
  for (const Events &events : spare)
    destroy(events);
}

bool LaunchTimer::create(HetEvent *&event) {
  HetStatus status = {};
  return backend.abi().createEvent(backend.handle(), &event, &status) == HET_OK;
}

void LaunchTimer::destroy(const Events &events) {
  for (HetEvent *event : {events.begin, events.end})
    if (event)
      backend.abi().destroyEvent(event);
}

bool LaunchTimer::begin() {
  if (!current.begin && !spare.empty()) {
    current = spare.back();
    spare.pop_back();
  } else if (!current.begin && (!create(current.begin) || !create(current.end))) {
    destroy(std::exchange(current, {}));
    return false;
  }
  HetStatus status = {};
  return backend.abi().enqueueSignal(queue, current.begin, &status) == HET_OK;
}

void LaunchTimer::end(CodeTiers &launches, const CodeTiers::Choice &choice) {
  HetStatus status = {};
  if (backend.abi().enqueueSignal(queue, current.end, &status) == HET_OK)
    timed.push_back({std::exchange(current, {}), &launches, choice});
}

void LaunchTimer::tell(size_t most) {
  const HetDeviceABI &abi = backend.abi();
  while (!timed.empty()) {
    const Timed &first = timed.front();
    if (timed.size() > most)
      abi.waitEvent(first.events.end);
    else if (!abi.isEventDone(first.events.end))
      return;
    int64_t nanoseconds = 0;
    HetStatus status = {};
    if (abi.eventElapsed(first.events.begin, first.events.end, &nanoseconds, &status) ==
        HET_OK)
      first.launches->noteTime(first.choice, CodeTiers::Time(nanoseconds));
    spare.push_back(first.events);
    timed.pop_front();
  }
}

void LaunchTimer::forget() {
  for (const Timed &one : timed)
    spare.push_back(one.events);
  timed.clear();
}

} // namespace het::core
