// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where ranks of a communicator meet: a thread of the process that made the id. It
// gathers what ranks tell each other when they set out, and says when one is lost. Data
// of operations does not come here.

#ifndef HET_LIBS_NCCL_HUB_H
#define HET_LIBS_NCCL_HUB_H

#include "Wire.h"

#include <array>

namespace het::nccl {

/// Starts a hub, and makes the id by which ranks find it.
Outcome startHub(ncclUniqueId &id);

/// A number of this process, which no other one has.
std::array<unsigned char, 16> processNumber();

/// A socket to a hub of this process; -1 if it is not (any more) there.
int connectWithinProcess(const IdContent &id);

} // namespace het::nccl

#endif // HET_LIBS_NCCL_HUB_H
