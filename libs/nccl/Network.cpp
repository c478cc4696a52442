// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What networks share, and what there is without one.

#include "Network.h"

namespace het::nccl {

Outcome wrongSize(int rank, int peer, size_t found, size_t expected) {
  return {ncclInvalidUsage,
          "rank " + std::to_string(rank) + ": found a message of " +
              std::to_string(found) + " bytes from rank " + std::to_string(peer) +
              ", expected " + std::to_string(expected) +
              "; all ranks call the same functions with the same counts"};
}

#ifndef HET_HAS_UCX
Outcome openNetwork(int, std::unique_ptr<Network> &) {
  return {ncclSystemError, "ranks of several processes need UCX, and this library was "
                           "built without its headers (libucx-dev)"};
}
#endif

} // namespace het::nccl
