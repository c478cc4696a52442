// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of plain code and copies under way in a queue of a migratable process: no more
// than end in about the time that a move waits for one. They are counted in two portions,
// with an event behind each: while one is under way, the other one is given.

#ifndef HET_RUNTIME_MIGRATION_INFLIGHTTHROTTLE_H
#define HET_RUNTIME_MIGRATION_INFLIGHTTHROTTLE_H

#include "migration/CodeTiers.h"

namespace het::core {

class InFlightThrottle {
public:
  using Time = CodeTiers::Time;

  /// `most`: to be under way. The queue outlives this.
  InFlightThrottle(Backend &backend, HetQueue *queue, Time most)
      : backend(backend), queue(queue), mostInPortion(most / 2) {}
  ~InFlightThrottle();
  InFlightThrottle(const InFlightThrottle &) = delete;
  InFlightThrottle &operator=(const InFlightThrottle &) = delete;

  /// Waits until there is room for one that takes so long: so many of those given, the
  /// oldest, have ended now.
  size_t makeRoom(Time expected);
  /// Such a one has been given.
  void add(Time expected) {
    ++portions[current].pieces;
    portions[current].time += expected;
  }
  /// The queue's work is done.
  void clear() { portions[0] = portions[1] = {}; }

private:
  struct Portion {
    size_t pieces = 0;
    Time time{0};
  };
  bool signal(unsigned event);
  size_t waitForAll();

  Backend &backend;
  HetQueue *const queue;
  const Time mostInPortion;
  Portion portions[2];
  unsigned current = 0; ///< The portion that is being given.
  HetEvent *events[2] = {};
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_INFLIGHTTHROTTLE_H
