// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Talks with the hub.

#include "Session.h"
#include "Hub.h"
#include "Interfaces.h"

#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace het::nccl {

Outcome Session::join(const ncclUniqueId &id, int ranks, int rank,
                      std::unique_ptr<Session> &session) {
  IdContent content;
  std::memcpy(&content, &id, sizeof(content));
  if (std::memcmp(content.version, wireVersion, sizeof(wireVersion)) != 0 ||
      content.addressSize > sizeof(content.address))
    return {ncclInvalidArgument,
            "the communicator's id: found one that ncclGetUniqueId of this library has "
            "not made"};
  int socket = connectWithinProcess(content);
  if (socket < 0)
    if (Outcome outcome = connectToHub(content, socket); !outcome.ok())
      return outcome;
  session.reset(new Session(socket, ranks));
  Hello hello = {};
  std::memcpy(hello.version, content.version, sizeof(hello.version));
  std::memcpy(hello.secret, content.secret, sizeof(hello.secret));
  hello.ranks = ranks;
  hello.rank = rank;
  return sendAll(socket, std::string(reinterpret_cast<char *>(&hello), sizeof(hello)))
             ? Outcome()
             : systemFailure("a communicator's first message");
}

Session::~Session() { leave(true); }

/// Reads what there is, after waiting so long for it. False: the hub is gone.
bool Session::read(int milliseconds) {
  if (socket < 0)
    return false;
  pollfd waiting = {socket, POLLIN, 0};
  if (::poll(&waiting, 1, milliseconds) <= 0)
    return true;
  char bytes[16384];
  const ssize_t length = recv(socket, bytes, sizeof(bytes), MSG_DONTWAIT);
  if (length < 0 && (errno == EAGAIN || errno == EINTR))
    return true;
  if (length <= 0) {
    isEnded = true;
    return false;
  }
  arrived.append(bytes, length);
  sort();
  return true;
}

void Session::sort() {
  FrameKind kind;
  std::string content;
  bool isTooLong = false;
  const size_t maxLength = static_cast<size_t>(ranks) * (maxPart + sizeof(uint32_t));
  while (takeFrame(arrived, maxLength, kind, content, isTooLong)) {
    if (kind == FrameKind::Gathered) {
      gathered.push_back(content);
    } else if (kind == FrameKind::Refused) {
      refused = content;
    } else if (kind == FrameKind::Lost && lost.empty() &&
               content.size() == sizeof(int32_t)) {
      int32_t rank;
      std::memcpy(&rank, content.data(), sizeof(rank));
      lost = "rank " + std::to_string(rank) + " has ended or given up";
    }
  }
  isEnded |= isTooLong;
}

Outcome Session::gather(const std::vector<int> &takingPart, const std::string &part,
                        std::vector<std::string> &parts,
                        const std::function<bool()> &giveUp) {
  if (part.size() > maxPart)
    return {ncclInternalError, "a rank's part is too long"};
  std::string content((ranks + 7) / 8, '\0');
  for (int rank = 0; takingPart.empty() && rank < ranks; ++rank)
    content[rank / 8] |= 1 << rank % 8;
  for (int rank : takingPart)
    content[rank / 8] |= 1 << rank % 8;
  const size_t expected = takingPart.empty() ? ranks : takingPart.size();
  std::lock_guard<std::mutex> lock(mutex);
  if (socket < 0)
    return {ncclRemoteError, "the process that made the communicator's id is gone"};
  if (!takingPart.empty()) { // of a round of all that has ended
    (void)read(0);
    refused.clear();
  }
  // After a failure the hub's refusal may still be there to be read.
  isEnded |= !sendAll(socket, makeFrame(FrameKind::Gather, content + part));
  while (gathered.empty()) {
    if (!lost.empty() && takingPart.empty())
      return {ncclRemoteError, lost};
    if (!refused.empty())
      return {ncclInvalidUsage, std::exchange(refused, {})};
    if (giveUp())
      return {ncclInvalidUsage, "the communicator was aborted"};
    if (!read(10) || isEnded)
      return {ncclRemoteError, refused.empty()
                                   ? "the process that made the communicator's id is gone"
                                   : refused};
  }
  const std::string all = std::move(gathered.front());
  gathered.erase(gathered.begin());
  parts.clear();
  for (size_t at = 0; parts.size() < expected && all.size() - at >= sizeof(uint32_t);) {
    uint32_t length;
    std::memcpy(&length, all.data() + at, sizeof(length));
    at += sizeof(length);
    if (length > all.size() - at)
      break;
    parts.push_back(all.substr(at, length));
    at += length;
  }
  return parts.size() == expected
             ? Outcome()
             : Outcome{ncclInternalError, "the hub's answer is not one"};
}

bool Session::hasLost(std::string &who) {
  const std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
  if (!lock.owns_lock())
    return false;
  if (!read(0) && lost.empty())
    lost = "the process that made the communicator's id is gone";
  who = lost;
  return !lost.empty();
}

void Session::giveUp() {
  std::lock_guard<std::mutex> lock(mutex);
  if (socket >= 0)
    isEnded |= !sendAll(socket, makeFrame(FrameKind::GiveUp, ""));
}

void Session::leave(bool inOrder) {
  std::lock_guard<std::mutex> lock(mutex);
  if (socket < 0)
    return;
  if (inOrder)
    sendAll(socket, makeFrame(FrameKind::Leave, ""));
  close(socket);
  socket = -1;
}

} // namespace het::nccl
