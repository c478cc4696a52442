// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of nodes and edges as CUDA's functions return them.

#ifndef HET_RUNTIME_CUDA_GRAPHLISTS_H
#define HET_RUNTIME_CUDA_GRAPHLISTS_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace het::cuda {

/// CUDA's manner of returning a list: with no array, only the count is told;
/// with one, at most `count` elements are written and the rest is null.
template <typename Element>
void giveList(const std::vector<Element> &list, Element *array, size_t *count) {
  if (!array) {
    *count = list.size();
    return;
  }
  for (size_t index = 0; index < *count; ++index)
    array[index] = index < list.size() ? list[index] : Element();
  *count = std::min(*count, list.size());
}

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_GRAPHLISTS_H
