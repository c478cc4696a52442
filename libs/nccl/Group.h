// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of calls of one thread: what is called between ncclGroupStart and ncclGroupEnd
// begins when the outermost group ends.

#ifndef HET_LIBS_NCCL_GROUP_H
#define HET_LIBS_NCCL_GROUP_H

#include "Communicator.h"

#include <functional>

namespace het::nccl {

/// Making a communicator, which waits for other ranks.
struct Job {
  ncclComm_t comm;   ///< Deleted if it fails; null if it makes none.
  ncclComm_t *place; ///< Of the program's, set to null then.
  std::function<Outcome()> work;
};

/// Does it now, or when the thread's group ends. A failure counts for the group as well.
ncclResult_t give(Job job);
ncclResult_t give(const std::vector<Call> &calls);
/// A call that was refused: the group fails, too.
ncclResult_t refuseInGroup(const Outcome &outcome);

} // namespace het::nccl

#endif // HET_LIBS_NCCL_GROUP_H
