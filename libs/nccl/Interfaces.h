// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The network addresses at which a hub is reached.

#ifndef HET_LIBS_NCCL_INTERFACES_H
#define HET_LIBS_NCCL_INTERFACES_H

#include "Wire.h"

namespace het::nccl {

/// A socket that listens at an address of this machine's, which is written to the id.
/// -1: there is none, and the id is for ranks of this process alone.
int listenForRanks(IdContent &id);

/// A socket to the address of an id.
Outcome connectToHub(const IdContent &id, int &socket);

} // namespace het::nccl

#endif // HET_LIBS_NCCL_INTERFACES_H
