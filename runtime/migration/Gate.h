// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gate: what uses a device's active backend is inside; a move closes it and waits
// until everything has left. Nobody waits for another one's work while inside.

#ifndef HET_RUNTIME_MIGRATION_GATE_H
#define HET_RUNTIME_MIGRATION_GATE_H

#include <condition_variable>
#include <mutex>

namespace het::core {

class Gate {
public:
  /// Waits while it is closed. No thread enters the same gate twice.
  void enter() {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return !closed; });
    ++inside;
  }
  void leave() {
    std::lock_guard<std::mutex> lock(mutex);
    if (--inside == 0)
      changed.notify_all();
  }

  /// Lets nobody in, and waits for those who are. By one thread at a time.
  void close() {
    std::unique_lock<std::mutex> lock(mutex);
    closed = true;
    changed.wait(lock, [&] { return inside == 0; });
  }
  void open() {
    std::lock_guard<std::mutex> lock(mutex);
    closed = false;
    changed.notify_all();
  }

  /// Is inside for its scope.
  class Inside {
  public:
    explicit Inside(Gate &gate) : gate(gate) { gate.enter(); }
    ~Inside() { gate.leave(); }
    Inside(const Inside &) = delete;
    Inside &operator=(const Inside &) = delete;

  private:
    Gate &gate;
  };

private:
  std::mutex mutex; ///< Guards what follows.
  std::condition_variable changed;
  unsigned inside = 0;
  bool closed = false;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_GATE_H
