// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder of the sockets, and asking through one.

#include "migration/control/Control.h"
#include "het/Base/Environment.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

namespace het::core::control {

/// Of an answer; a process may only send so much.
static constexpr size_t longestAnswer = 1 << 20;
/// A move may take long: kernels are compiled for where it goes.
static constexpr time_t secondsToAnswer = 600;

static constexpr std::string_view suffix = ".sock";

static Status failure(const std::string &what) {
  return unavailable(std::strerror(errno), what);
}

std::string folder() {
  if (auto own = environment::text("XDG_RUNTIME_DIR"))
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

std::vector<pid_t> processes() {
  std::vector<pid_t> list;
  std::error_code error; // without the folder there are none
  for (const auto &entry : std::filesystem::directory_iterator(folder(), error)) {
    const std::string name = entry.path().filename().string();
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
  int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ~Socket() {
    if (file >= 0)
      close(file);
  }
};

} // namespace

static Status connectTo(const Socket &socket, const std::string &path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path))
    return invalid("the path is too long for a socket", path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const timeval limit = {secondsToAnswer, 0};
  setsockopt(socket.file, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  setsockopt(socket.file, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
  if (connect(socket.file, reinterpret_cast<sockaddr *>(&address), sizeof(address)) == 0)
    return Status::success();
  // What a process has left that was killed.
  if (errno == ECONNREFUSED) {
    unlink(path.c_str());
    errno = ENOENT;
  }
  return failure(path);
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
                                          const ProgressFunction &progress) {
  const std::string sent = line + "\n";
  if (send(socket.file, sent.data(), sent.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(sent.size()))
    return failure("asking");
  std::string answer;
  char piece[4096];
  for (;;) {
    const ssize_t size = recv(socket.file, piece, sizeof(piece), 0);
    if (size < 0 && errno == EINTR)
      continue;
    if (size < 0)
      return failure("the answer");
    if (size == 0)
      return answer;
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
  if (Status status = connectTo(socket, socketOf(*place, process)); !status.ok())
    return unavailable("can not be reached (" + status.text() +
                           "); it must run under hetrun --control or with HET_CONTROL=1",
                       name);
  Result<std::string> answer = sendAndReceive(socket, line, progress);
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
