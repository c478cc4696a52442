// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks say to the hub of their communicator and it to them, over a socket: frames,
// each a kind, a length and so many bytes. Both sides are of one version, which the id
// of the communicator names.

#ifndef HET_LIBS_NCCL_WIRE_H
#define HET_LIBS_NCCL_WIRE_H

#include "Library.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <sys/socket.h>

namespace het::nccl {

constexpr char wireVersion[8] = {'h', 'e', 't', 'n', 'c', 'c', 'l', '2'};
constexpr int maxRanks = 65536;

/// What is in an ncclUniqueId.
struct IdContent {
  char version[8];
  unsigned char secret[32];
  unsigned char process[16]; ///< A number of the hub's process.
  uint64_t hub;              ///< Which of its hubs.
  uint32_t addressSize;      ///< 0: only this process reaches it.
  unsigned char address[28]; ///< A sockaddr_in or sockaddr_in6.
};
static_assert(sizeof(IdContent) <= NCCL_UNIQUE_ID_BYTES);

/// The first that a rank says. All of it is checked before anything is remembered.
struct Hello {
  char version[8];
  unsigned char secret[32];
  int32_t ranks, rank;
};

enum class FrameKind : uint32_t {
  Gather = 1, ///< A rank's part: ranks that take part, a bit for each, and its bytes.
  Leave,      ///< A rank is done, and may go.
  Gathered,   ///< All parts, in the order of the ranks: of each its length and bytes.
  Refused,    ///< Why a rank is not taken in: a text.
  Lost,       ///< A rank that went without leaving, or gave up: its number, 32 bits.
  GiveUp,     ///< A rank's operations have ended for good; it may still meet others.
};

struct FrameHead {
  FrameKind kind;
  uint32_t length;
};

/// The longest part of a rank, and the longest frame that it sends.
constexpr size_t maxPart = 16384, maxFromRank = maxPart + maxRanks / 8;

inline std::string makeFrame(FrameKind kind, const std::string &content) {
  const FrameHead head = {kind, static_cast<uint32_t>(content.size())};
  std::string frame(reinterpret_cast<const char *>(&head), sizeof(head));
  return frame += content;
}

/// Takes the first frame out of what has arrived. False: it is not all there.
inline bool takeFrame(std::string &arrived, size_t maxLength, FrameKind &kind,
                      std::string &content, bool &isTooLong) {
  FrameHead head;
  if (arrived.size() < sizeof(head))
    return false;
  std::memcpy(&head, arrived.data(), sizeof(head));
  isTooLong = head.length > maxLength;
  if (isTooLong || arrived.size() - sizeof(head) < head.length)
    return false;
  kind = head.kind;
  content = arrived.substr(sizeof(head), head.length);
  arrived.erase(0, sizeof(head) + head.length);
  return true;
}

/// Sends all of it, or fails.
inline bool sendAll(int socket, const std::string &bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t sent =
        ::send(socket, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (sent <= 0 && errno != EINTR)
      return false;
    done += sent > 0 ? sent : 0;
  }
  return true;
}

} // namespace het::nccl

#endif // HET_LIBS_NCCL_WIRE_H
