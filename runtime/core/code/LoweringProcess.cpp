// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's end: starting processes, keeping idle ones, asking.

#include "core/code/LoweringProcess.h"
#include "core/Target.h"
#include "core/code/LoweringProtocol.h"
#include "het/Base/KeptDescriptor.h"
#include "het/Base/Log.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <mutex>
#include <optional>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace het::core {
namespace {

/// A lowering process, which ends when its socket is closed.
struct Worker {
  LoweringProgram program;
  int niceness = 0;
  KeptDescriptor socket;
};

//===----------------------------------------------------------------------===//
// Starting
//===----------------------------------------------------------------------===//

struct Start {
  const char *program;
  int socket;
  const sigset_t *signals; ///< All of them.
  int error;
};

/// Runs in the caller's memory while the caller waits, as after vfork. Starts the process
/// and ends, so that it becomes nobody's child whom the program knows.
int startFromBetween(void *argument) {
  Start &start = *static_cast<Start *>(argument);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none;
  sigemptyset(&none);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, start.socket, lowering::socketNumber);
  posix_spawn_file_actions_addclosefrom_np(&actions, lowering::socketNumber + 1);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, start.signals);
  posix_spawnattr_setpgroup(&attributes, 0); // what a terminal interrupts is the program
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                            POSIX_SPAWN_SETPGROUP);
  char *arguments[] = {const_cast<char *>(start.program), nullptr};
  pid_t child;
  start.error =
      posix_spawn(&child, start.program, &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  _exit(0);
}

/// 0, or an error number.
int startProgram(const char *program, int socket) {
  constexpr size_t stackSize = 256 << 10;
  void *stack = ::mmap(nullptr, stackSize, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED)
    return errno;
  sigset_t all, before;
  sigfillset(&all);
  Start start = {program, socket, &all, 0};
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t between = ::clone(startFromBetween, static_cast<char *>(stack) + stackSize,
                                CLONE_VM | CLONE_VFORK, &start);
  if (between < 0)
    start.error = errno;
  else
    while (::waitpid(between, nullptr, __WCLONE) < 0 && errno == EINTR)
      ;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::munmap(stack, stackSize);
  return start.error;
}

Result<std::unique_ptr<Worker>> startWorker(const LoweringProgram &program,
                                            int niceness) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return unavailable(std::string("a socket: ") + std::strerror(errno), program.worker);
  auto worker = std::make_unique<Worker>();
  worker->program = program;
  worker->niceness = niceness;
  // Above the number that it gets: dup2 to itself would keep close-on-exec.
  Descriptor other = moveUpTo(lowering::socketNumber + 1, Descriptor(ends[1]));
  worker->socket = KeptDescriptor(Descriptor(ends[0]));
  if (other < 0 || worker->socket.get() < 0)
    return unavailable(std::string("a socket: ") + std::strerror(errno), program.worker);
  if (int error = startProgram(program.worker.c_str(), other)) {
    std::string message = std::string("can not be started: ") + std::strerror(error) +
                          "; HET_LOWERING_PROCESS=0 lowers kernels in the program itself";
    const bool isShort =
        error == ENOMEM || error == EAGAIN || error == ENFILE || error == EMFILE;
    return isShort ? unavailable(message, program.worker)
                   : unsupported(message, program.worker);
  }
  log(Level::Debug, "started %s for %s", program.worker.c_str(), program.plugin.c_str());
  return worker;
}

//===----------------------------------------------------------------------===//
// Keeping
//===----------------------------------------------------------------------===//

/// The processes that serve nobody now.
class IdleWorkers {
public:
  static IdleWorkers &get() {
    static IdleWorkers *idle = new IdleWorkers; // used until the process ends
    return *idle;
  }

  /// One for that program that still lives; null: there is none.
  std::unique_ptr<Worker> take(const LoweringProgram &program, int niceness) {
    std::lock_guard<std::mutex> lock(mutex);
    forgetParents();
    for (size_t index = workers.size(); index-- > 0;) {
      Worker &worker = *workers[index];
      if (worker.program.worker != program.worker ||
          worker.program.plugin != program.plugin || worker.niceness != niceness)
        continue;
      std::unique_ptr<Worker> taken = std::move(workers[index]);
      workers.erase(workers.begin() + index);
      if (lives(*taken))
        return taken;
    }
    return nullptr;
  }

  void giveBack(std::unique_ptr<Worker> worker) {
    std::lock_guard<std::mutex> lock(mutex);
    forgetParents();
    workers.push_back(std::move(worker));
  }

  void clear() {
    std::lock_guard<std::mutex> lock(mutex);
    workers.clear();
  }

private:
  /// Whether it waits for a request.
  static bool lives(const Worker &worker) {
    char byte;
    return ::recv(worker.socket.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
           (errno == EAGAIN || errno == EWOULDBLOCK);
  }

  /// After fork(): those processes serve the parent.
  void forgetParents() {
    if (process == ::getpid())
      return;
    workers.clear();
    process = ::getpid();
  }

  std::mutex mutex;
  pid_t process = 0;
  std::vector<std::unique_ptr<Worker>> workers;
};

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

/// Waits for one of two sockets, the second of which may be -1. The index of the one with
/// something to read; nothing after that time, where it is not negative.
std::optional<size_t> waitForOne(int first, int second, int milliseconds) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(milliseconds);
  pollfd sockets[] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
  for (int left = milliseconds;;) {
    const int ready = ::poll(sockets, second < 0 ? 1 : 2, left);
    if (ready > 0)
      return sockets[0].revents ? 0 : 1;
    if (ready == 0 || errno != EINTR)
      return std::nullopt;
    if (milliseconds >= 0) // a program may get signals all the time
      left = static_cast<int>(std::max<std::chrono::milliseconds::rep>(
          0, std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now())
                 .count()));
  }
}

} // namespace

/// A request to a process, and its reply.
class OngoingLowering::Exchange {
public:
  Exchange(lowering::Verb verb, const LoweringProgram &program,
           const HetLowerRequest &request)
      : program(program), kernel(request.kernel),
        request(lowering::writeRequest(verb, program.plugin, request)),
        niceness(::getpriority(PRIO_PROCESS, 0)) {} // of this thread

  /// Sends the request, to an idle process or a new one.
  Status begin() {
    worker = IdleWorkers::get().take(program, niceness);
    wasIdle = worker != nullptr;
    if (worker && lowering::sendMessage(worker->socket.get(), request))
      return Status::success();
    return beginAnew();
  }

  /// The reply, of another process where an idle one has died: it may just have been
  /// ending. Gives the end of a good one: the artifact or the explanation.
  Result<Bytes> finish() {
    std::optional<Bytes> reply = lowering::receiveMessage(worker->socket.get());
    if (!reply && wasIdle) {
      if (Status status = beginAnew(); !status.ok())
        return status;
      reply = lowering::receiveMessage(worker->socket.get());
    }
    if (!reply)
      return goneWorker();
    return read(*reply);
  }

  int socket() const { return worker->socket.get(); }

private:
  Status goneWorker() const {
    return unavailable("the process that lowers it was ended from outside", kernel);
  }

  Status beginAnew() {
    wasIdle = false;
    Result<std::unique_ptr<Worker>> started = startWorker(program, niceness);
    if (!started.ok())
      return started.status().from(kernel);
    worker = started.take();
    return lowering::sendMessage(worker->socket.get(), request) ? Status::success()
                                                                : goneWorker();
  }

  Result<Bytes> read(const Bytes &reply) {
    ByteReader reader(reply);
    if (reader.u32() != lowering::protocolVersion)
      return unsupported("found another version, expected that of this runtime; install "
                         "them together",
                         program.worker);
    const bool isIdle = reader.u8() == lowering::servesOn;
    HetStatus status = {};
    status.code = static_cast<int32_t>(reader.u32());
    const std::string message = reader.string(), output = reader.string();
    message.copy(status.message, sizeof(status.message) - 1);
    if (!output.empty())
      (void)!::write(STDERR_FILENO, output.data(), output.size());
    if (isIdle)
      IdleWorkers::get().giveBack(std::move(worker));
    if (status.code != HET_OK)
      return toStatus(status, kernel);
    return reader.bytes(reader.remaining()).copy();
  }

  const LoweringProgram program;
  const std::string kernel;
  const Bytes request;
  const int niceness;
  std::unique_ptr<Worker> worker;
  bool wasIdle = false;
};

OngoingLowering::OngoingLowering(std::unique_ptr<Exchange> exchange)
    : exchange(std::move(exchange)) {}
OngoingLowering::OngoingLowering(OngoingLowering &&other) noexcept = default;
OngoingLowering &OngoingLowering::operator=(OngoingLowering &&other) noexcept = default;
OngoingLowering::~OngoingLowering() = default;

Result<OngoingLowering> OngoingLowering::begin(const LoweringProgram &program,
                                               const HetLowerRequest &request) {
  return begin(lowering::Verb::Lower, program, request);
}

Result<OngoingLowering> OngoingLowering::begin(lowering::Verb verb,
                                               const LoweringProgram &program,
                                               const HetLowerRequest &request) {
  auto exchange = std::make_unique<Exchange>(verb, program, request);
  if (Status status = exchange->begin(); !status.ok())
    return status;
  return OngoingLowering(std::move(exchange));
}

Result<Bytes> OngoingLowering::wait() { return exchange->finish(); }

Result<Bytes> OngoingLowering::waitUnless(const std::function<bool()> &stops) {
  constexpr int between = 100; // milliseconds
  while (!stops())
    if (answersWithin(between))
      return wait();
  return unavailable("it is not wanted any more");
}

bool OngoingLowering::answersWithin(int milliseconds) const {
  return waitForOne(exchange->socket(), -1, milliseconds).has_value();
}

bool OngoingLowering::answersBefore(const OngoingLowering &other) const {
  return waitForOne(exchange->socket(), other.exchange->socket(), -1).value_or(0) == 0;
}

/// Begins a request and waits for its reply.
Result<Bytes> OngoingLowering::ask(lowering::Verb verb, const LoweringProgram &program,
                                   const HetLowerRequest &request) {
  Result<OngoingLowering> ongoing = begin(verb, program, request);
  return ongoing.ok() ? ongoing->wait() : ongoing.status();
}

Result<Bytes> lowerElsewhere(const LoweringProgram &program,
                             const HetLowerRequest &request) {
  return OngoingLowering::ask(lowering::Verb::Lower, program, request);
}

Result<NamedArch> findArchElsewhere(const LoweringProgram &program,
                                    const std::string &name) {
  HetLowerRequest request = {};
  request.arch = name.c_str();
  request.kernel = request.options = request.devicelibPath = "";
  Result<Bytes> reply = OngoingLowering::ask(lowering::Verb::FindArch, program, request);
  if (!reply.ok())
    return reply.status();
  ByteReader reader(*reply);
  NamedArch found;
  found.version = reader.string();
  found.arch = reader.string();
  found.suffix = reader.string();
  if (!reader.finished())
    return internal("the process that lowers belongs to another version", program.worker);
  return found;
}

Result<Bytes> extractCodeElsewhere(const LoweringProgram &program, ByteView artifact) {
  HetLowerRequest request = {};
  request.code = artifact.data;
  request.codeSize = artifact.size;
  request.kernel = request.arch = request.options = request.devicelibPath = "";
  return OngoingLowering::ask(lowering::Verb::ExtractCode, program, request);
}

void endIdleLowerings() { IdleWorkers::get().clear(); }

Result<HetExplanation> explainElsewhere(const LoweringProgram &program,
                                        const HetLowerRequest &request) {
  Result<Bytes> reply = OngoingLowering::ask(lowering::Verb::Explain, program, request);
  if (!reply.ok())
    return reply.status();
  HetExplanation explanation = {};
  if (reply->size() != sizeof(explanation))
    return internal("the process that lowers it belongs to another version",
                    request.kernel);
  std::memcpy(&explanation, reply->data(), sizeof(explanation));
  explanation.form[sizeof(explanation.form) - 1] = '\0';
  explanation.reason[sizeof(explanation.reason) - 1] = '\0';
  return explanation;
}

} // namespace het::core
