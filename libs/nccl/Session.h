// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank's connection to the hub of its communicator.

#ifndef HET_LIBS_NCCL_SESSION_H
#define HET_LIBS_NCCL_SESSION_H

#include "Wire.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace het::nccl {

class Session {
public:
  /// Joins the communicator of an id.
  static Outcome join(const ncclUniqueId &id, int ranks, int rank,
                      std::unique_ptr<Session> &session);
  ~Session();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  /// Gives a part, and gets those of all who take part, in the order of their ranks; an
  /// empty list means everybody. Waits for them, until `giveUp` says so.
  Outcome gather(const std::vector<int> &takingPart, const std::string &part,
                 std::vector<std::string> &parts, const std::function<bool()> &giveUp);
  /// Whether a rank has been lost, or the hub; says which. Does not wait.
  bool hasLost(std::string &who);
  /// Lets the others hear that this rank's operations have ended, and keeps the
  /// connection.
  void giveUp();
  /// Ends the connection: in order, or so that the others hear that this rank is lost.
  void leave(bool inOrder);

private:
  Session(int socket, int ranks) : socket(socket), ranks(ranks) {}
  bool read(int milliseconds);
  void sort();

  std::mutex mutex; ///< Guards what follows.
  int socket;
  const int ranks;
  std::string arrived;
  bool isEnded = false;
  std::string lost, refused;
  std::vector<std::string> gathered; ///< Frames that nobody has read yet.
};

} // namespace het::nccl

#endif // HET_LIBS_NCCL_SESSION_H
