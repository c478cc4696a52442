// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a device is where it is, as 'hetrun ps' and messages tell it.

#ifndef HET_RUNTIME_MIGRATION_LASTDECISION_H
#define HET_RUNTIME_MIGRATION_LASTDECISION_H

#include <chrono>
#include <mutex>
#include <string>

namespace het::core {

/// A reason, and since when it holds.
struct Decision {
  std::string why;
  std::chrono::system_clock::time_point since;
};

/// Functions may be called from any thread.
class LastDecision {
public:
  Decision get() const {
    std::lock_guard<std::mutex> lock(mutex);
    return last;
  }
  void set(const std::string &why) {
    std::lock_guard<std::mutex> lock(mutex);
    last = {why, std::chrono::system_clock::now()};
  }

private:
  mutable std::mutex mutex; ///< Guards what follows.
  Decision last;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_LASTDECISION_H
