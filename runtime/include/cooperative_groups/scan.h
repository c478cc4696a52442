// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups: inclusive and exclusive scans of tiles and active lanes.

#ifndef HET_COOPERATIVE_GROUPS_SCAN_H
#define HET_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Operator>
HET_GROUP T inclusive_scan(const Group &group, T value, Operator op) {
  for (unsigned int by = 1; by < group.size(); by *= 2) {
    T below = group.shfl_up(value, by);
    if (group.thread_rank() >= by)
      value = op(below, value);
  }
  return value;
}
template <class Group, class T>
HET_GROUP T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

template <class Group, class T, class Operator>
HET_GROUP T exclusive_scan(const Group &group, T value, Operator op) {
  T below = group.shfl_up(inclusive_scan(group, value, op), 1);
  return group.thread_rank() == 0 ? T() : below;
}
template <class Group, class T>
HET_GROUP T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif // HET_COOPERATIVE_GROUPS_SCAN_H
