// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages between ranks of one process: a sender says where its data lies, and the
// receiver copies it, or works on it in its place.

#ifndef HET_LIBS_NCCL_MAILBOXES_H
#define HET_LIBS_NCCL_MAILBOXES_H

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <utility>

namespace het::nccl {

/// Data of a sender's, which stays where it is until it is done with.
struct Posted {
  enum class State { Waiting, Taken, Done };
  const void *data;
  size_t size;
  State state = State::Waiting;
};

/// What ranks of one communicator have for each other, in the order in which they sent
/// it. All functions are called with `mutex` held.
class Mailboxes {
public:
  std::mutex mutex;
  std::condition_variable changed;

  void post(int from, int to, Posted *message) {
    boxes[{from, to}].push_back(message);
    changed.notify_all();
  }
  /// The next message, which is the receiver's until it is done; null if there is none.
  Posted *take(int from, int to) {
    std::deque<Posted *> &box = boxes[{from, to}];
    if (box.empty())
      return nullptr;
    Posted *message = box.front();
    box.pop_front();
    message->state = Posted::State::Taken;
    return message;
  }
  void finish(Posted *message) {
    message->state = Posted::State::Done;
    changed.notify_all();
  }
  /// Takes back what nobody has taken yet.
  void withdraw(int from) {
    for (auto &[ranks, box] : boxes)
      if (ranks.first == from) {
        for (Posted *message : box)
          message->state = Posted::State::Done;
        box.clear();
      }
  }

private:
  std::map<std::pair<int, int>, std::deque<Posted *>> boxes;
};

} // namespace het::nccl

#endif // HET_LIBS_NCCL_MAILBOXES_H
