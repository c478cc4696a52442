// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answering. One caller at a time, and none for long: a line must come soon and be short.

#include "migration/control/ControlServer.h"
#include "core/Device.h"
#include "core/Runtime.h"
#include "core/Shutdown.h"
#include "het/Base/Log.h"
#include "het/Base/Thread.h"
#include "migration/MigratableDevice.h"
#include "migration/MigrationExtension.h"
#include "migration/checkpoint/Checkpointing.h"
#include "migration/control/Control.h"
#include "migration/control/PlacementController.h"
#include "migration/control/ProcessState.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace het::core {

static constexpr time_t secondsForALine = 5;
static constexpr auto progressInterval = std::chrono::milliseconds(200);
/// Between tries to get a file descriptor for a caller.
static constexpr auto timeToRetry = std::chrono::milliseconds(100);
/// As long as exit() waits for a move.
static constexpr auto longestEnd = std::chrono::seconds(10);

Status ControlServer::open() {
  Result<std::string> folder = control::openFolder();
  if (!folder.ok())
    return folder.status();
  path = control::socketOf(*folder, getpid());
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path))
    return invalid("the path is too long for a socket", path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  unlink(path.c_str()); // of a process that had this number before
  listener = KeptDescriptor(Descriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)));
  const int file = listener.get();
  // The folder keeps others out until the socket's own mode is set.
  if (file < 0 || bind(file, reinterpret_cast<sockaddr *>(&address), sizeof(address)) ||
      chmod(path.c_str(), 0600) || listen(file, 8))
    return unavailable(std::strerror(errno), path);
  return Status::success();
}

/// The listener of the server that is open; null: none is.
static std::atomic<KeptDescriptor *> openListener{nullptr};

/// A child has no thread that answers: callers must not wait for it.
static void closeInChild() {
  if (KeptDescriptor *listener = openListener.exchange(nullptr))
    listener->close();
}

Status ControlServer::start(Runtime &served) {
  runtime = &served;
  if (Status status = open(); !status.ok())
    return status;
  openListener = &listener;
  pthread_atfork(nullptr, nullptr, closeInChild);
  std::lock_guard<std::mutex> lock(mutex);
  process = getpid();
  Result<std::thread> started = startThread([this] { run(); });
  if (!started.ok())
    return started.status();
  thread = started.take();
  Shutdown::beforeLibraries();
  return Status::success();
}

/// The process has no descriptor or memory for a caller: others may give some back.
static bool mayPass(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

void ControlServer::run() {
  for (;;) {
    // Where the program has closed the listener, EBADF: nobody can ask any more.
    KeptDescriptor client(
        Descriptor(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC)));
    const int error = errno;
    if (client.get() >= 0) {
      serve(client);
      continue;
    }
    std::unique_lock<std::mutex> lock(mutex);
    if (stops || (error != EINTR && error != ECONNABORTED && !mayPass(error)))
      break;
    if (mayPass(error))
      changed.wait_for(lock, timeToRetry, [&] { return stops; });
  }
  std::lock_guard<std::mutex> lock(mutex);
  ended = true;
  changed.notify_all();
}

/// Ends an accept() that waits, also in a socket that the program has closed since.
void ControlServer::wake() {
  if (const int file = listener.get(); file >= 0) {
    shutdown(file, SHUT_RDWR);
    return;
  }
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const Descriptor caller(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  (void)connect(caller, reinterpret_cast<sockaddr *>(&address), sizeof(address));
}

void ControlServer::stop() {
  std::unique_lock<std::mutex> lock(mutex);
  if (!thread.joinable() || process != getpid())
    return;
  stops = true;
  changed.notify_all();
  wake();
  unlink(path.c_str());
  if (!changed.wait_for(lock, longestEnd, [&] { return ended; })) {
    thread.detach();
    return;
  }
  lock.unlock();
  thread.join();
}

/// A line of printable characters; empty: there is none.
static std::string readLine(const KeptDescriptor &client) {
  const timeval limit = {secondsForALine, 0};
  setsockopt(client.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  setsockopt(client.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
  std::string line;
  // A byte at a time: whoever sends slowly has so many times the limit at most.
  for (char next; line.size() < control::longestLine;) {
    if (recv(client.get(), &next, 1, 0) != 1)
      return "";
    if (next == '\n')
      return line;
    if (next < ' ' || next > '~')
      return "";
    line += next;
  }
  return "";
}

/// Where the caller has gone, nobody needs it.
static void sendAll(const KeptDescriptor &client, const std::string &text) {
  for (size_t sent = 0; sent < text.size();) {
    const ssize_t step =
        send(client.get(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (step <= 0)
      return;
    sent += step;
  }
}

void ControlServer::serve(const KeptDescriptor &client) {
  ucred peer = {};
  socklen_t size = sizeof(peer);
  if (getsockopt(client.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) ||
      (peer.uid != getuid() && peer.uid != 0))
    return;
  const std::string line = readLine(client);
  auto tell = [&](const std::string &text) { sendAll(client, text); };
  tell(line.empty() ? "error: found no line of text, expected one\n"
                    : answer(*runtime, line, tell));
}

static std::string programName() {
  std::ifstream file("/proc/self/comm");
  std::string name;
  std::getline(file, name);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return name;
}

static const char *stateOf(MigratableDevice &migratable) {
  return migratable.hasFailed() ? "failed" : migratable.isPaused() ? "paused" : "running";
}

static std::string statusOf(Runtime &runtime) {
  std::string text = "ok\n";
  for (size_t index = 0; index < runtime.deviceCount(); ++index) {
    Device &device = runtime.device(index);
    MigratableDevice &migratable = MigratableDevice::of(device);
    const Decision decision = migratable.decision.get();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::system_clock::now() - decision.since);
    text += programName() + "\t" + device.name() + "\t" + migratable.activeName() + "\t" +
            stateOf(migratable) + "\t" + std::to_string(seconds.count()) + "\t" +
            decision.why;
    if (const std::string recoveryBlocker = migratable.loss.recoveryBlocker();
        !recoveryBlocker.empty())
      text += "; if it is lost it does not go on elsewhere: " + recoveryBlocker;
    text += "\n";
  }
  return text;
}

/// Tells the caller at times how far it is.
static Status saveTold(Device &device, const std::string &path,
                       const std::function<void(const std::string &)> &tell) {
  std::mutex mutex;
  auto next = std::chrono::steady_clock::now() + progressInterval;
  return saveCheckpoint(device, path, [&](uint64_t done, uint64_t total) {
    std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
    if (const auto now = std::chrono::steady_clock::now(); lock && now >= next) {
      next = now + progressInterval;
      tell("progress " + std::to_string(done) + " " + std::to_string(total) + "\n");
    }
  });
}

std::string ControlServer::answer(Runtime &runtime, const std::string &line,
                                  const std::function<void(const std::string &)> &tell) {
  auto answerOf = [](const Status &status) {
    return status.ok() ? std::string("ok\n") : "error: " + status.text() + "\n";
  };
  constexpr std::string_view move = "move ";
  if (line == "status")
    return statusOf(runtime);
  if (line == "reconsider")
    return MigrationExtension::get().placement().isStarted()
               ? "ok\n" + MigrationExtension::get().placement().reconsider() + "\n"
               : "error: the program hops, and has no policy\n";
  if (line == "pause")
    return answerOf(pauseAll(runtime));
  if (line == "resume")
    return answerOf(resumeAll(runtime));
  if (line.compare(0, move.size(), move) == 0) {
    Result<MoveReport> report =
        MigratableDevice::of(runtime.device(0))
            .migration.moveTo(line.substr(move.size()), "moved by hand");
    if (report.ok())
      MigrationExtension::get().placement().noteHand();
    return report.ok() ? "ok\n" + report->text() + "\n" : answerOf(report.status());
  }
  constexpr std::string_view checkpoint = "checkpoint ";
  if (line.compare(0, checkpoint.size(), checkpoint) == 0)
    return answerOf(saveTold(runtime.device(0), line.substr(checkpoint.size()), tell));
  constexpr std::string_view process = "process";
  if (line == process || line.compare(0, process.size() + 1, "process ") == 0)
    return "ok\n" +
           ProcessState::get().answer(
               runtime, line.substr(std::min(process.size() + 1, line.size()))) +
           "\n";
  return "error: found '" + line +
         "', expected status, move, pause, resume, reconsider, process or checkpoint\n";
}

} // namespace het::core
