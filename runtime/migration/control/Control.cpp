// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder of the sockets, and asking through one.

#include "migration/control/Control.h"
#include "het/Base/Environment.h"
#include "het/Base/File.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace het::core::control {

/// The longest answer; a process may only send so much.
static constexpr size_t longestAnswer = 1 << 20;
/// How long to wait for the next word of an answer. A move may take long: kernels are
/// compiled for where it goes. A status is there at once, unless a move is under way.
static constexpr std::chrono::seconds timeToAnswer(600), timeForStatus(30);
/// How often to look whether the process can answer at all.
static constexpr std::chrono::milliseconds timeToLook(200);

static constexpr std::string_view suffix = ".sock";

static Status failure(const std::string &what) {
  return unavailable(std::strerror(errno), what);
}

std::string folder() {
  if (auto own = environment::text(Variable::RuntimeFolder))
    return *own + "/het";
  return "/tmp/het-" + std::to_string(getuid());
}

Result<std::string> openFolder() {
  const std::string path = folder();
  if (mkdir(path.c_str(), 0700) && errno != EEXIST)
    return failure(path);
  struct stat info;
  if (lstat(path.c_str(), &info))
    return failure(path);
  if (!S_ISDIR(info.st_mode) || info.st_uid != getuid() || (info.st_mode & 077))
    return invalid("found something that others can change, expected a folder of this "
                   "user's with mode 0700; remove it",
                   path);
  return path;
}

std::string socketOf(const std::string &folder, pid_t process) {
  return folder + "/" + std::to_string(process) + std::string(suffix);
}

std::vector<std::string> entries() {
  // Files in a folder that others can change are nobody's.
  struct stat info;
  if (lstat(folder().c_str(), &info) || !openFolder().ok())
    return {};
  Result<std::vector<std::string>> names = listFolder(folder());
  return names.ok() ? names.take() : std::vector<std::string>();
}

std::vector<pid_t> processes() {
  std::vector<pid_t> list;
  for (const std::string &name : entries()) {
    const size_t digits = name.find_first_not_of("0123456789");
    if (digits && digits < 10 && name.substr(digits) == suffix)
      list.push_back(static_cast<pid_t>(std::stoul(name.substr(0, digits))));
  }
  std::sort(list.begin(), list.end());
  return list;
}

namespace {

/// A socket, closed at the end of its scope.
struct Socket {
  int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  ~Socket() {
    if (file >= 0)
      close(file);
  }
};

} // namespace

/// Whether the process was stopped by a signal or a debugger.
static bool isStopped(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const size_t name = text.rfind(") "); // may itself hold anything
  if (name == std::string::npos || name + 2 >= text.size())
    return false;
  return text[name + 2] == 'T' || text[name + 2] == 't';
}

static bool hasEnded(pid_t process) { return kill(process, 0) != 0 && errno == ESRCH; }

namespace {

/// Waiting for a process, for a while that begins anew with each word of it.
class Patience {
public:
  Patience(pid_t process, std::chrono::seconds longest)
      : process(process), longest(longest) {}

  void restart() { since = Clock::now(); }

  /// Waits until the socket has something to read. Fails if the process can not answer.
  Status waitToRead(int file) {
    for (;;) {
      pollfd wanted = {file, POLLIN, 0};
      const int ready = poll(&wanted, 1, static_cast<int>(timeToLook.count()));
      if (ready > 0)
        return Status::success();
      if (ready < 0 && errno != EINTR)
        return failure("the answer");
      if (Status status = look(); !status.ok())
        return status;
    }
  }

  Status look() const {
    if (hasEnded(process))
      return unavailable("it has ended");
    if (isStopped(process))
      return unavailable("it is stopped; it answers when it goes on (kill -CONT " +
                         std::to_string(process) + ")");
    if (Clock::now() - since > longest)
      return unavailable("it has not answered for " + std::to_string(longest.count()) +
                         " s; it may be busy with another request");
    return Status::success();
  }

private:
  using Clock = std::chrono::steady_clock;

  const pid_t process;
  const std::chrono::seconds longest;
  Clock::time_point since = Clock::now();
};

} // namespace

/// Removes the socket of a process that has ended.
static Status removeLeft(const std::string &path) {
  unlink(path.c_str());
  errno = ENOENT;
  return failure(path);
}

static Status connectTo(const Socket &socket, pid_t process, const std::string &path,
                        const Patience &patience) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path))
    return invalid("the path is too long for a socket", path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  // A child of it may still hold the socket.
  if (hasEnded(process))
    return removeLeft(path);
  while (connect(socket.file, reinterpret_cast<sockaddr *>(&address), sizeof(address))) {
    if (errno == ECONNREFUSED)
      return removeLeft(path);
    if (errno != EAGAIN && errno != EINTR)
      return failure(path);
    // Others wait for it, too.
    if (Status status = patience.look(); !status.ok())
      return status;
    std::this_thread::sleep_for(timeToLook);
  }
  return Status::success();
}

/// Takes the lines about progress from the beginning of what has come so far.
static void takeProgress(std::string &answer, const ProgressFunction &progress) {
  constexpr std::string_view word = "progress ";
  size_t end;
  while (answer.compare(0, word.size(), word) == 0 &&
         (end = answer.find('\n')) != std::string::npos) {
    unsigned long long done = 0, total = 0;
    if (std::sscanf(answer.c_str() + word.size(), "%llu %llu\n", &done, &total) == 2 &&
        progress)
      progress(done, total);
    answer.erase(0, end + 1);
  }
}

static Result<std::string> sendAndReceive(const Socket &socket, const std::string &line,
                                          Patience &patience,
                                          const ProgressFunction &progress) {
  const std::string sent = line + "\n";
  if (send(socket.file, sent.data(), sent.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(sent.size()))
    return failure("asking");
  std::string answer;
  char piece[4096];
  for (;;) {
    if (Status status = patience.waitToRead(socket.file); !status.ok())
      return status;
    const ssize_t size = recv(socket.file, piece, sizeof(piece), 0);
    if (size < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (size < 0)
      return failure("the answer");
    if (size == 0)
      return answer;
    patience.restart();
    answer.append(piece, size);
    takeProgress(answer, progress);
    if (answer.size() > longestAnswer)
      return invalid("the answer: it has no end");
  }
}

Result<std::string> ask(pid_t process, const std::string &line,
                        const ProgressFunction &progress) {
  const std::string name = "process " + std::to_string(process);
  Result<std::string> place = openFolder();
  if (!place.ok())
    return place.status();
  Socket socket;
  if (socket.file < 0)
    return failure("socket");
  Patience patience(process, line == "status" ? timeForStatus : timeToAnswer);
  if (Status status = connectTo(socket, process, socketOf(*place, process), patience);
      !status.ok())
    return unavailable("can not be reached (" + status.text() +
                           "); it must run under hetrun --control or with HET_CONTROL=1",
                       name);
  Result<std::string> answer = sendAndReceive(socket, line, patience, progress);
  if (!answer.ok())
    return unavailable(answer.status().text(), name);
  constexpr std::string_view good = "ok\n", bad = "error: ";
  if (answer->compare(0, good.size(), good) == 0)
    return answer->substr(good.size());
  if (answer->compare(0, bad.size(), bad) == 0)
    return unavailable(answer->substr(bad.size(), answer->find('\n') - bad.size()), name);
  return invalid("it ended before it answered", name);
}

} // namespace het::core::control
