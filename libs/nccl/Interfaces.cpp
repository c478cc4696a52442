// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the interface that other machines reach, and connects to it.

#include "Interfaces.h"

#include "het/Base/Environment.h"

#include <arpa/inet.h>
#include <chrono>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <thread>
#include <unistd.h>

namespace het::nccl {
namespace {

struct Address {
  sockaddr_storage bytes = {};
  socklen_t size = 0;
};

/// Whether an interface is one of NCCL_SOCKET_IFNAME: beginnings of names, or with '='
/// whole ones, behind '^' those that are not to be used.
bool isNamed(const std::string &name, const std::string &list) {
  bool isExcluding = !list.empty() && list[0] == '^';
  size_t begin = isExcluding ? 1 : 0;
  const bool isWhole = begin < list.size() && list[begin] == '=';
  begin += isWhole;
  bool found = false;
  while (begin <= list.size()) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string one = list.substr(begin, end - begin);
    found |= isWhole ? name == one : !one.empty() && name.rfind(one, 0) == 0;
    begin = end + 1;
  }
  return found != isExcluding;
}

/// How good an interface is; none that is not up, or of another kind.
int rate(const ifaddrs &one, const std::optional<std::string> &wanted) {
  if (!one.ifa_addr || !(one.ifa_flags & IFF_UP))
    return 0;
  const int family = one.ifa_addr->sa_family;
  if (family != AF_INET && family != AF_INET6)
    return 0;
  if (wanted && !isNamed(one.ifa_name, *wanted))
    return 0;
  if (family == AF_INET6 &&
      IN6_IS_ADDR_LINKLOCAL(
          &reinterpret_cast<const sockaddr_in6 *>(one.ifa_addr)->sin6_addr))
    return 0;
  const bool isLoopback = one.ifa_flags & IFF_LOOPBACK;
  // Bridges of containers are not reached from outside.
  const bool isBridge = std::strncmp(one.ifa_name, "docker", 6) == 0;
  return (isLoopback ? 1 : isBridge ? 3 : 5) + (family == AF_INET);
}

Address chooseAddress() {
  Address best;
  ifaddrs *all = nullptr;
  if (getifaddrs(&all))
    return best;
  const std::optional<std::string> wanted =
      environment::text(Variable::NcclSocketInterface);
  int bestRate = 0;
  for (const ifaddrs *one = all; one; one = one->ifa_next) {
    const int own = rate(*one, wanted);
    if (own <= bestRate)
      continue;
    bestRate = own;
    best.size =
        one->ifa_addr->sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    std::memcpy(&best.bytes, one->ifa_addr, best.size);
  }
  freeifaddrs(all);
  return best;
}

} // namespace

int listenForRanks(IdContent &id) {
  Address address = chooseAddress();
  if (!address.size)
    return -1;
  const int listener =
      socket(address.bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0)
    return -1;
  auto *bytes = reinterpret_cast<sockaddr *>(&address.bytes);
  if (bind(listener, bytes, address.size) || listen(listener, SOMAXCONN) ||
      getsockname(listener, bytes, &address.size) || address.size > sizeof(id.address)) {
    close(listener);
    return -1;
  }
  id.addressSize = address.size;
  std::memcpy(id.address, &address.bytes, address.size);
  return listener;
}

Outcome connectToHub(const IdContent &id, int &socket) {
  const std::string subject = "the communicator's id";
  if (!id.addressSize)
    return {ncclSystemError,
            subject + ": found no address, for its process had no network"};
  sockaddr_storage address = {};
  std::memcpy(&address, id.address, id.addressSize);
  // Its process may be about to listen again after it was busy.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (;;) {
    socket = ::socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0)
      return systemFailure(subject);
    if (!connect(socket, reinterpret_cast<const sockaddr *>(&address), id.addressSize))
      break;
    Outcome outcome = systemFailure(subject + ": connecting to the process that made it");
    close(socket);
    socket = -1;
    if (std::chrono::steady_clock::now() > end)
      return outcome;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  return {};
}

} // namespace het::nccl
