// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages of one rank to and from the others: by mailboxes to those of its process,
// by a network to those of other ones. Between two ranks messages arrive in the order in
// which they are sent.

#ifndef HET_LIBS_NCCL_LINKS_H
#define HET_LIBS_NCCL_LINKS_H

#include "Library.h"
#include "Mailboxes.h"
#include "Network.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace het::nccl {

/// A message that is to be sent.
struct Outgoing {
  int peer;
  const void *data;
  size_t size;
};

/// A message that is expected, of exactly this size.
struct Incoming {
  int peer;
  void *buffer;
  size_t size;
  /// The message need not be copied: it may stay the sender's until finish().
  bool mayStay = false;
  const void *data = nullptr; ///< Where it is then.
};

class Links {
public:
  /// `isLocal` says of each rank whether it is one of this process.
  Links(int rank, std::vector<bool> isLocal, std::shared_ptr<Mailboxes> mailboxes);
  void setNetwork(std::unique_ptr<Network> own) { network = std::move(own); }
  /// Is asked now and then while a rank waits: why it is to give up.
  void setWatch(std::function<Outcome()> own) { watch = std::move(own); }

  int rank() const { return me; }
  int size() const { return static_cast<int>(isLocal.size()); }
  bool isAllLocal() const { return !network; }
  bool isOfProcess(int peer) const { return isLocal[peer]; }

  /// Sends messages, and returns when those expected are there. What is sent stays where
  /// it is until finish(). Messages of no bytes are left out on both sides.
  Outcome exchange(const std::vector<Outgoing> &outgoing,
                   std::vector<Incoming> &incoming);
  /// Lets go of what was not copied.
  void release();
  /// Lets go, and returns when others have what was sent to them.
  Outcome finish();
  /// Lets the network go on while this rank waits for something else.
  void progress();
  /// After a failure: takes back what was sent; nothing is used of it afterwards.
  void withdraw();

private:
  void receive(Incoming &incoming, Posted *message, Outcome &outcome);
  bool receiveLocal(std::vector<Incoming *> &pending, std::unique_lock<std::mutex> &lock,
                    Outcome &outcome);
  Outcome wait(std::unique_lock<std::mutex> &lock);

  const int me;
  const std::vector<bool> isLocal;
  std::shared_ptr<Mailboxes> mailboxes;
  std::unique_ptr<Network> network; ///< Null: all ranks are of this process.
  std::function<Outcome()> watch;
  std::deque<Posted> sent;    ///< To ranks of this process.
  std::vector<Posted *> kept; ///< Of others, not copied.
  std::chrono::steady_clock::time_point lastLook;
};

} // namespace het::nccl

#endif // HET_LIBS_NCCL_LINKS_H
