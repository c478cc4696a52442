// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend that a migratable device is on, and its name, which outlives it: a reset
// may end the backend while another thread asks where the device is.

#ifndef HET_RUNTIME_MIGRATION_ACTIVEBACKEND_H
#define HET_RUNTIME_MIGRATION_ACTIVEBACKEND_H

#include "core/Backend.h"

#include <atomic>
#include <mutex>
#include <string>

namespace het::core {

/// Functions may be called from any thread.
class ActiveBackend {
public:
  Backend &get() const { return *now.load(std::memory_order_acquire); }
  void set(Backend &backend) {
    std::lock_guard<std::mutex> lock(mutex);
    now = &backend;
    nowName = backend.name();
  }
  std::string name() const {
    std::lock_guard<std::mutex> lock(mutex);
    return nowName;
  }

private:
  std::atomic<Backend *> now{nullptr};
  mutable std::mutex mutex; ///< Guards what follows.
  std::string nowName;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_ACTIVEBACKEND_H
