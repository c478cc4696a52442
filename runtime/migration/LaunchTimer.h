// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long launches take: events around them in their queue, so that what is before and
// behind them goes on as ever.

#ifndef HET_RUNTIME_MIGRATION_LAUNCHTIMER_H
#define HET_RUNTIME_MIGRATION_LAUNCHTIMER_H

#include "migration/CodeTiers.h"

#include <deque>
#include <vector>

namespace het::core {

class LaunchTimer {
public:
  /// The queue outlives this.
  LaunchTimer(Backend &backend, HetQueue *queue) : backend(backend), queue(queue) {}
  ~LaunchTimer();
  LaunchTimer(const LaunchTimer &) = delete;
  LaunchTimer &operator=(const LaunchTimer &) = delete;

  /// Before a launch is given. False where it is not to be timed: the backend
  /// has no event to spare.
  bool begin();
  /// Behind it. The kernel's launches are told when it has ended.
  void end(CodeTiers &launches, const CodeTiers::Choice &choice);

  /// Tells of those that have ended, and waits until no more than so many have
  /// not.
  void tell(size_t most);
  /// Nobody is told of those that have not ended.
  void forget();
  bool isIdle() const { return timed.empty(); }

private:
  struct Events {
    HetEvent *begin = nullptr, *end = nullptr;
  };
  struct Timed {
    Events events;
    CodeTiers *launches;
    CodeTiers::Choice choice;
  };
  bool create(HetEvent *&event);
  void destroy(const Events &events);

  Backend &backend;
  HetQueue *const queue;
  std::deque<Timed> timed; ///< In their order.
  std::vector<Events> spare;
  Events current; ///< For the launch that is given, or the next one.
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_LAUNCHTIMER_H
