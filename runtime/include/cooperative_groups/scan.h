// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups: inclusive and exclusive scans of tiles and active lanes.

#ifndef HET_COOPERATIVE_GROUPS_SCAN_H
#define HET_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

#if defined(__CUDACC__)
namespace cooperative_groups {
namespace __v1 {

namespace __het_detail {
template <class Group, class T, class Operator>
HET_GROUP T inclusiveScan(const Group &group, T value, Operator op) {
  for (unsigned int by = 1; by < group.size(); by *= 2) {
    T below = group.shfl_up(value, by);
    if (group.thread_rank() >= by)
      value = op(below, value);
  }
  return value;
}
template <unsigned int Size, class T, class Operator>
HET_GROUP T inclusiveScan(const LargeTile<Size> &, T value, Operator op) {
  T ofTeam = inclusiveScan(SmallTile<32>(0, 1), value, op);
  T before = combineTeamsBefore(Size, ofTeam, op);
  return threadInBlock() % Size < teamSize ? ofTeam : op(before, ofTeam);
}

template <class Group, class T, class Operator>
HET_GROUP T exclusiveScan(const Group &group, T value, Operator op) {
  T below = group.shfl_up(inclusiveScan(group, value, op), 1);
  return group.thread_rank() == 0 ? T() : below;
}
template <unsigned int Size, class T, class Operator>
HET_GROUP T exclusiveScan(const LargeTile<Size> &, T value, Operator op) {
  SmallTile<32> team(0, 1);
  T ofTeam = inclusiveScan(team, value, op);
  T before = combineTeamsBefore(Size, ofTeam, op);
  T below = team.shfl_up(ofTeam, 1);
  return lane() == 0                         ? before
         : threadInBlock() % Size < teamSize ? below
                                             : op(before, below);
}
} // namespace __het_detail

template <class Group, class T, class Operator>
HET_GROUP T inclusive_scan(const Group &group, T value, Operator op) {
  return __het_detail::inclusiveScan(group, value, op);
}
template <unsigned int Size, class Parent, class T, class Operator>
HET_GROUP T inclusive_scan(const thread_block_tile<Size, Parent> &group, T value,
                           Operator op) {
  return __het_detail::inclusiveScan(group.__het_base(), value, op);
}
template <class Group, class T> HET_GROUP T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

template <class Group, class T, class Operator>
HET_GROUP T exclusive_scan(const Group &group, T value, Operator op) {
  return __het_detail::exclusiveScan(group, value, op);
}
template <unsigned int Size, class Parent, class T, class Operator>
HET_GROUP T exclusive_scan(const thread_block_tile<Size, Parent> &group, T value,
                           Operator op) {
  return __het_detail::exclusiveScan(group.__het_base(), value, op);
}
template <class Group, class T> HET_GROUP T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif // __CUDACC__
#endif // HET_COOPERATIVE_GROUPS_SCAN_H
