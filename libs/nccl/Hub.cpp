// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hub's thread: sockets of ranks, and what they say.

#include "Hub.h"
#include "Interfaces.h"

#include "het/Base/Log.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace het::nccl {
namespace {

using Clock = std::chrono::steady_clock;

/// How long a connection may take to say who it is, and how many may be about to.
constexpr auto helloTime = std::chrono::seconds(20);
constexpr size_t maxUnknown = 1024;

struct Connection {
  int socket = -1;
  int rank = -1; ///< Not known yet.
  std::string arrived;
  Clock::time_point since = Clock::now();
  bool isClosed = false, hasGivenUp = false;
};

bool isSameSecret(const unsigned char *a, const unsigned char *b) {
  unsigned char difference = 0;
  for (size_t i = 0; i < sizeof(Hello::secret); ++i)
    difference |= a[i] ^ b[i];
  return !difference;
}

class Hub {
public:
  explicit Hub(const IdContent &id, int listener) : id(id), listener(listener) {
    wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  }
  ~Hub() {
    for (const Connection &connection : connections)
      close(connection.socket);
    if (listener >= 0)
      close(listener);
    if (wake >= 0)
      close(wake);
  }

  bool isValid() const { return wake >= 0; }
  int connect();
  void run();

private:
  void poll();
  void add(int socket);
  void read(Connection &connection);
  void greet(Connection &connection);
  void handle(Connection &connection, FrameKind kind, const std::string &content);
  void gather(Connection &connection, const std::string &content);
  void endRounds(int rank);
  void giveUp(Connection &connection);
  void tellLost(int rank);
  void lose(Connection &connection);
  void refuse(Connection &connection, const std::string &why);
  void send(Connection &connection, const std::string &frame);
  Connection *find(int rank);

  const IdContent id;
  const int listener; ///< -1: there is no network.
  int wake = -1;
  std::mutex mutex; ///< Guards `added`.
  std::vector<int> added;

  std::vector<Connection> connections;
  int ranks = 0;      ///< 0: the first has not come yet.
  std::string broken; ///< Why the ranks can not meet.
  std::vector<bool> isGone, hasJoined;
  int gone = 0;
  /// Parts of what is being gathered, by who takes part.
  std::map<std::string, std::map<int, std::string>> rounds;
};

std::mutex hubsMutex;
std::map<uint64_t, std::shared_ptr<Hub>> &hubs() {
  static auto &all = *new std::map<uint64_t, std::shared_ptr<Hub>>;
  return all;
}

int Hub::connect() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
    return -1;
  {
    std::lock_guard<std::mutex> lock(mutex);
    added.push_back(ends[0]);
  }
  const uint64_t one = 1;
  (void)!write(wake, &one, sizeof(one));
  return ends[1];
}

void Hub::run() {
  while (!ranks || gone < ranks)
    poll();
}

void Hub::add(int socket) {
  size_t unknown = 0;
  for (const Connection &connection : connections)
    unknown += connection.rank < 0;
  if (unknown >= maxUnknown) {
    close(socket);
    return;
  }
  // Who does not read what it asked for does not hold up others for ever.
  const timeval patience = {20, 0};
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
  connections.emplace_back();
  connections.back().socket = socket;
}

void Hub::poll() {
  std::vector<pollfd> waiting = {{wake, POLLIN, 0}, {listener, POLLIN, 0}};
  for (const Connection &connection : connections)
    waiting.push_back({connection.socket, POLLIN, 0});
  ::poll(waiting.data(), waiting.size(), 1000);
  for (size_t i = 2; i < waiting.size(); ++i)
    if (waiting[i].revents)
      read(connections[i - 2]);
  for (Connection &connection : connections)
    if (connection.rank < 0 && Clock::now() - connection.since > helloTime)
      connection.isClosed = true;
  for (size_t i = connections.size(); i--;)
    if (connections[i].isClosed) {
      close(connections[i].socket);
      connections.erase(connections.begin() + static_cast<ptrdiff_t>(i));
    }
  if (waiting[0].revents) {
    uint64_t count;
    (void)!::read(wake, &count, sizeof(count));
    std::lock_guard<std::mutex> lock(mutex);
    for (int socket : added)
      add(socket);
    added.clear();
  }
  if (waiting[1].revents)
    if (const int socket = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC); socket >= 0)
      add(socket);
}

void Hub::read(Connection &connection) {
  if (connection.isClosed)
    return;
  char bytes[16384];
  const ssize_t length = recv(connection.socket, bytes, sizeof(bytes), MSG_DONTWAIT);
  if (length < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if (length <= 0)
    return lose(connection);
  connection.arrived.append(bytes, length);
  if (connection.rank < 0)
    greet(connection);
  FrameKind kind;
  std::string content;
  bool isTooLong = false;
  while (connection.rank >= 0 && !connection.isClosed &&
         takeFrame(connection.arrived, maxFromRank, kind, content, isTooLong))
    handle(connection, kind, content);
  if (isTooLong)
    lose(connection);
}

void Hub::greet(Connection &connection) {
  Hello hello;
  if (connection.arrived.size() < sizeof(hello))
    return;
  std::memcpy(&hello, connection.arrived.data(), sizeof(hello));
  connection.arrived.erase(0, sizeof(hello));
  // Who does not know the secret is not told anything.
  if (std::memcmp(hello.version, id.version, sizeof(id.version)) != 0 ||
      !isSameSecret(hello.secret, id.secret)) {
    connection.isClosed = true;
    return;
  }
  if (!broken.empty())
    return refuse(connection, broken);
  const std::string rank = "rank " + std::to_string(hello.rank);
  if (hello.ranks < 1 || hello.ranks > maxRanks || hello.rank < 0 ||
      hello.rank >= hello.ranks)
    return refuse(connection, rank + ": found a communicator of " +
                                  std::to_string(hello.ranks) + " ranks");
  if (ranks && hello.ranks != ranks)
    return refuse(connection, rank + ": found a communicator of " +
                                  std::to_string(hello.ranks) + " ranks, expected " +
                                  std::to_string(ranks) + ", as another rank said");
  if (ranks && hasJoined[hello.rank])
    return refuse(connection, rank + ": found a second one in the communicator");
  ranks = hello.ranks;
  isGone.resize(ranks);
  hasJoined.resize(ranks);
  hasJoined[hello.rank] = true;
  connection.rank = hello.rank;
}

void Hub::handle(Connection &connection, FrameKind kind, const std::string &content) {
  if (kind == FrameKind::Gather)
    return gather(connection, content);
  if (kind == FrameKind::GiveUp)
    return giveUp(connection);
  if (kind != FrameKind::Leave)
    return lose(connection);
  isGone[connection.rank] = true;
  ++gone;
  connection.isClosed = true;
  endRounds(connection.rank);
}

/// A part of a round; the last one of a round lets it go to all who take part.
void Hub::gather(Connection &connection, const std::string &content) {
  const size_t width = (ranks + 7) / 8;
  const auto takesPart = [&](int rank) {
    return static_cast<unsigned char>(content[rank / 8]) >> rank % 8 & 1;
  };
  if (content.size() < width || content.size() - width > maxPart ||
      !takesPart(connection.rank))
    return lose(connection);
  std::string all;
  int expected = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    if (!takesPart(rank))
      continue;
    ++expected;
    if (isGone[rank])
      return refuse(connection, "rank " + std::to_string(rank) + " has left");
  }
  const std::string who = content.substr(0, width);
  std::map<int, std::string> &parts = rounds[who];
  if (!parts.emplace(connection.rank, content.substr(width)).second)
    return lose(connection);
  if (static_cast<int>(parts.size()) < expected)
    return;
  for (const auto &[rank, part] : parts) {
    const uint32_t length = part.size();
    all.append(reinterpret_cast<const char *>(&length), sizeof(length)).append(part);
  }
  const std::string frame = makeFrame(FrameKind::Gathered, all);
  for (const auto &[rank, part] : parts)
    if (Connection *other = find(rank))
      send(*other, frame);
  rounds.erase(who);
}

/// Ends the rounds that wait for a rank which has gone.
void Hub::endRounds(int rank) {
  for (auto round = rounds.begin(); round != rounds.end();) {
    if (!(static_cast<unsigned char>(round->first[rank / 8]) >> rank % 8 & 1)) {
      ++round;
      continue;
    }
    for (const auto &[other, part] : round->second)
      if (Connection *waiting = find(other))
        refuse(*waiting, "rank " + std::to_string(rank) + " has left");
    round = rounds.erase(round);
  }
}

void Hub::tellLost(int rank) {
  const int32_t number = rank;
  const std::string frame =
      makeFrame(FrameKind::Lost,
                std::string(reinterpret_cast<const char *>(&number), sizeof(number)));
  for (Connection &other : connections)
    if (other.rank >= 0 && other.rank != rank && !other.isClosed)
      send(other, frame);
}

/// A rank's operations have ended: so will those of the others, which leave rounds of all
/// ranks when they hear of it. Rounds of some go on.
void Hub::giveUp(Connection &connection) {
  if (std::exchange(connection.hasGivenUp, true))
    return;
  tellLost(connection.rank);
  std::string all((ranks + 7) / 8, '\0');
  for (int rank = 0; rank < ranks; ++rank)
    all[rank / 8] |= 1 << rank % 8;
  rounds.erase(all);
}

/// A rank went without a word: the others hear of it.
void Hub::lose(Connection &connection) {
  connection.isClosed = true;
  const int rank = connection.rank;
  if (rank < 0 || isGone[rank])
    return;
  isGone[rank] = true;
  ++gone;
  tellLost(rank);
  endRounds(rank);
}

/// Ranks that disagree do not wait for each other, unless all are there without this one.
void Hub::refuse(Connection &connection, const std::string &why) {
  const std::string frame = makeFrame(FrameKind::Refused, why);
  const bool isComplete =
      ranks && std::find(hasJoined.begin(), hasJoined.end(), false) == hasJoined.end();
  if (connection.rank < 0 && !isComplete) {
    broken = why;
    for (Connection &other : connections)
      if (other.rank >= 0)
        send(other, frame);
  }
  send(connection, frame);
  if (connection.rank < 0)
    connection.isClosed = true;
}

void Hub::send(Connection &connection, const std::string &frame) {
  if (!connection.isClosed && !sendAll(connection.socket, frame))
    shutdown(connection.socket, SHUT_RDWR); // it is lost when it is next read
}

Connection *Hub::find(int rank) {
  for (Connection &connection : connections)
    if (connection.rank == rank && !connection.isClosed)
      return &connection;
  return nullptr;
}

Outcome fillRandom(void *bytes, size_t size) {
  return getrandom(bytes, size, 0) == static_cast<ssize_t>(size)
             ? Outcome()
             : systemFailure("random numbers");
}

} // namespace

std::array<unsigned char, 16> processNumber() {
  static std::mutex mutex;
  static std::array<unsigned char, 16> number;
  static pid_t owner = 0;
  std::lock_guard<std::mutex> lock(mutex);
  if (owner != getpid()) { // also in a child that fork() made
    (void)!getrandom(number.data(), number.size(), 0);
    owner = getpid();
  }
  return number;
}

Outcome startHub(ncclUniqueId &id) {
  IdContent content = {};
  std::memcpy(content.version, wireVersion, sizeof(content.version));
  if (Outcome outcome = fillRandom(content.secret, sizeof(content.secret)); !outcome.ok())
    return outcome;
  std::memcpy(content.process, processNumber().data(), sizeof(content.process));
  static uint64_t latest = 0;
  std::lock_guard<std::mutex> lock(hubsMutex);
  content.hub = ++latest;
  const int listener = listenForRanks(content);
  auto hub = std::make_shared<Hub>(content, listener);
  if (!hub->isValid())
    return systemFailure("a communicator's id");
  try {
    std::thread([hub, number = content.hub] {
      hub->run();
      std::lock_guard<std::mutex> lock(hubsMutex);
      hubs().erase(number);
    }).detach();
  } catch (const std::system_error &error) {
    return {ncclSystemError, std::string("a communicator's id: ") + error.what()};
  }
  hubs()[content.hub] = hub;
  std::memset(&id, 0, sizeof(id));
  std::memcpy(&id, &content, sizeof(content));
  return {};
}

int connectWithinProcess(const IdContent &id) {
  const std::array<unsigned char, 16> number = processNumber();
  if (std::memcmp(id.process, number.data(), number.size()) != 0)
    return -1;
  std::lock_guard<std::mutex> lock(hubsMutex);
  const auto found = hubs().find(id.hub);
  return found == hubs().end() ? -1 : found->second->connect();
}

} // namespace het::nccl
