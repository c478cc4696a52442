// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thread that sets the clock of kernels.

#include "Clock.h"
#include "het/Base/Thread.h"

#include <chrono>

namespace het::spirv {

Clock::Clock(uint64_t &nanoseconds) : nanoseconds(nanoseconds) {
  setForward();
  Result<std::thread> started = startThread([this] {
    while (!stops.load(std::memory_order_relaxed)) {
      setForward();
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  });
  if (started.ok())
    thread = started.take();
}

Clock::~Clock() {
  stops = true;
  if (thread.joinable())
    thread.join();
}

void Clock::setForward() {
  using namespace std::chrono;
  uint64_t now =
      duration_cast<std::chrono::nanoseconds>(system_clock::now().time_since_epoch())
          .count();
  uint64_t seen = __atomic_load_n(&nanoseconds, __ATOMIC_RELAXED);
  while (seen < now && !__atomic_compare_exchange_n(&nanoseconds, &seen, now, true,
                                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

} // namespace het::spirv
