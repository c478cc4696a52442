// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages between processes, as an engine carries them.

#ifndef HET_LIBS_NCCL_NETWORK_H
#define HET_LIBS_NCCL_NETWORK_H

#include "Library.h"

#include <memory>
#include <string>
#include <vector>

namespace het::nccl {

/// One rank's end. One thread uses it at a time.
class Network {
public:
  virtual ~Network() = default;
  /// By which others reach this end.
  virtual std::string address() const = 0;
  /// Opens the way to other ranks; empty addresses are of ranks that need none.
  virtual Outcome connect(const std::vector<std::string> &addresses) = 0;

  /// Begins to send or to receive the next message to or from a rank, which stays in use
  /// until it is done.
  virtual Outcome send(int peer, const void *data, size_t size) = 0;
  virtual Outcome receive(int peer, void *buffer, size_t size) = 0;
  /// Goes on with what has begun; a failure is of any of it.
  virtual Outcome progress() = 0;
  virtual bool isReceived() const = 0; ///< All that was begun to be received.
  virtual bool isSent() const = 0;
  /// Returns when there may be something to go on with, or after `milliseconds`.
  virtual void wait(int milliseconds) = 0;
  /// Gives up what has begun.
  virtual void cancel() = 0;
};

/// The failure of a rank that got a message of another size.
Outcome wrongSize(int rank, int peer, size_t found, size_t expected);

/// An end of UCX's for rank `rank`.
Outcome openNetwork(int rank, std::unique_ptr<Network> &network);

} // namespace het::nccl

#endif // HET_LIBS_NCCL_NETWORK_H
