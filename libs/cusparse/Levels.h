// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which rows of a triangle are solved: levels, of which each depends on
// earlier ones alone. Found once, and used by each solution.

#ifndef HET_LIBS_CUSPARSE_LEVELS_H
#define HET_LIBS_CUSPARSE_LEVELS_H

#include "Library.h"

namespace het::sparse {

class LevelPlan {
public:
  /// Finds the levels, for which it waits.
  cudaError_t find(const Triangle &triangle, cudaStream_t stream);
  bool isFound() const { return found; }

  /// Calls `launch(levels, first, last, rows)` for one level after another: several at
  /// once where each has few rows. `columns` is how many right sides a row has.
  template <class Launch> cudaError_t run(Index columns, const Launch &launch) const {
    const Levels levels = {order.get(), order.get() + rows};
    const auto rowsOf = [&](size_t level) { return starts[level + 1] - starts[level]; };
    const size_t count = starts.empty() ? 0 : starts.size() - 1;
    for (size_t first = 0, last = 0; first < count; first = last) {
      last = first + 1;
      if (rowsOf(first) * columns <= fewItems)
        while (last < count && rowsOf(last) * columns <= fewItems)
          ++last;
      const cudaError_t error = launch(levels, static_cast<Index>(first),
                                       static_cast<Index>(last), rowsOf(first));
      if (error != cudaSuccess)
        return error;
    }
    return cudaSuccess;
  }

private:
  /// What one block does in one go.
  static constexpr Index fewItems = 256;
  Index rows = 0;
  Kept order; ///< Rows by levels, and behind them where levels begin.
  std::vector<Index> starts;
  bool found = false;
};

} // namespace het::sparse

#endif // HET_LIBS_CUSPARSE_LEVELS_H
