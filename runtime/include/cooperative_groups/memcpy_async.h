// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups: copies by all threads of a group, and waiting for them.
//
// A copy is made at once by the group's threads; waiting is the group's
// barrier.

#ifndef HET_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define HET_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

#if defined(__CUDACC__)
namespace cooperative_groups {
namespace __v1 {

template <class Group, class T>
HET_GROUP void memcpy_async(const Group &group, T *to, const T *from, size_t bytes) {
  for (size_t i = group.thread_rank(); i < bytes / sizeof(T); i += group.size())
    to[i] = from[i];
}
// The lengths of both sides, in elements; the shorter one counts.
template <class Group, class T>
HET_GROUP void memcpy_async(const Group &group, T *to, size_t toCount, const T *from,
                            size_t fromCount) {
  memcpy_async(group, to, from, (toCount < fromCount ? toCount : fromCount) * sizeof(T));
}

template <class Group> HET_GROUP void wait(const Group &group) { group.sync(); }
// Waiting for all but the last n copies waits for all.
template <unsigned int n, class Group> HET_GROUP void wait_prior(const Group &group) {
  group.sync();
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif // __CUDACC__
#endif // HET_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
