// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening a driver's library once for the process.

#ifndef HET_LIB_TARGET_SUPPORT_OPENONCE_H
#define HET_LIB_TARGET_SUPPORT_OPENONCE_H

#include "het/Target/TargetABI.h"
#include <atomic>
#include <memory>

namespace het::target {

/// The process's one driver of this kind, by `load(status)` where there is none yet;
/// null, with `status` set, where that fails. It is never destroyed: objects that die
/// after main use it. No lock is held while it loads, for who waits for it may hold the
/// loader's; of several that load at once the first counts.
template <typename Driver, typename Load>
const Driver *openOnce(HetStatus *status, Load load) {
  static std::atomic<const Driver *> opened{nullptr};
  if (const Driver *known = opened.load(std::memory_order_acquire))
    return known;
  std::unique_ptr<const Driver> loaded = load(status);
  const Driver *first = nullptr;
  if (!loaded || opened.compare_exchange_strong(first, loaded.get()))
    return loaded.release();
  return first;
}

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_OPENONCE_H
