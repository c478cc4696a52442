// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop whose turns are taken by several threads.

#ifndef HET_BASE_PARALLEL_H
#define HET_BASE_PARALLEL_H

#include "het/Base/Status.h"

#include <cstdint>
#include <functional>

namespace het {

/// One thread's part: takes numbers from `next`, which gives each number once
/// and in order, until it gives `count` or the part fails.
using Worker = std::function<Status(const std::function<uint64_t()> &next)>;

/// Runs `work` on several threads (0: as many as there are processors) over the
/// numbers below `count`. The first failure ends it; `stop` is called then, and
/// the others get no more numbers.
Status inParallel(uint64_t count, unsigned threads, const Worker &work,
                  const std::function<void()> &stop = nullptr);

} // namespace het

#endif // HET_BASE_PARALLEL_H
