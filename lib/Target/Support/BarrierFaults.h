// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explains the result of a segmented kernel whose threads cannot pass a barrier of their
// block: the numbers of runtime/devicelib/teams.h, HET_BARRIER_….

#ifndef HET_LIB_TARGET_SUPPORT_BARRIERFAULTS_H
#define HET_LIB_TARGET_SUPPORT_BARRIERFAULTS_H

#include <cstdint>
#include <optional>
#include <string>

namespace het::target {

struct BarrierFault {
  uint32_t kind; ///< HET_FAULT_DEADLOCK, or HET_FAULT_TRAP for a wrong use
  std::string text;
};

/// The message of a fault where some blocks of a cluster wait at the cluster's barrier
/// and the others at the grid's.
constexpr const char *deadlockInCluster =
    "blocks of a cluster wait for each other, some at the cluster's barrier and some at "
    "the grid's";

/// Nothing if `result` says something else of the block.
std::optional<BarrierFault> barrierFault(uint32_t result);

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_BARRIERFAULTS_H
