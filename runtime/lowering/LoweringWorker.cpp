// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// het-lowering-worker: a process that lowers kernels for a program, one at a time, until
// the program closes the socket or has no work for a while. Whatever becomes of a request
// (a signal, exit(), no memory, no end) it is answered, with what was written to stderr.
//
// HET_LOWERING_MEMORY: the address space that it may have, by default half of the
// machine's memory. HET_LOWERING_SECONDS: the processor time of one request, or how long
// it may stand still.

#include "../core/code/LoweringProtocol.h"
#include "het/Base/Environment.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace het;
using namespace het::core;

namespace {

constexpr int idleMilliseconds = 10'000;
constexpr uint64_t leastMemory = uint64_t(2) << 30;
constexpr size_t stackSize = size_t(64) << 20; ///< Compilers recurse.
constexpr size_t maxOutput = 600; ///< Bytes of stderr in the message about an end.

/// The file in memory that is stderr here: a process that lives on has none of the
/// program's files.
int output = -1;
/// Whether a request waits for its answer; taken by whoever gives it.
std::atomic<bool> owesAnswer{false};

//===----------------------------------------------------------------------===//
// Ends of all kinds
//===----------------------------------------------------------------------===//

/// Appends text to a fixed buffer. For signal handlers.
struct Text {
  char bytes[1020];
  size_t size = 0;

  void add(const char *text, size_t length) {
    length = std::min(length, sizeof(bytes) - size);
    std::memcpy(bytes + size, text, length);
    size += length;
  }
  void add(const char *text) { add(text, std::strlen(text)); }
  void addOutput() {
    char part[maxOutput];
    const ssize_t got = ::pread(output, part, sizeof(part), 0);
    if (got > 0)
      add(": ");
    for (ssize_t i = 0; i < got; ++i)
      if (part[i] >= ' ' || (part[i] == '\n' && i + 1 < got))
        add(part[i] >= ' ' ? part + i : " ", 1);
  }
};

/// Answers the request that is served, if none has yet, and ends the process. Allocates
/// nothing: memory may be what is missing, and the heap damaged.
[[noreturn]] void endWith(int32_t code, const char *what) {
  if (owesAnswer.exchange(false)) {
    Text text;
    text.add(what);
    text.addOutput();
    const uint32_t size = static_cast<uint32_t>(text.size), sentCode = code;
    constexpr uint32_t noOutput = 0;
    constexpr uint32_t version = lowering::protocolVersion;
    const uint64_t whole = sizeof(version) + sizeof(lowering::ends) + sizeof(sentCode) +
                           sizeof(size) + size + sizeof(noOutput);
    lowering::sendAll(lowering::socketNumber, &whole, sizeof(whole));
    lowering::sendAll(lowering::socketNumber, &version, sizeof(version));
    lowering::sendAll(lowering::socketNumber, &lowering::ends, sizeof(lowering::ends));
    lowering::sendAll(lowering::socketNumber, &sentCode, sizeof(sentCode));
    lowering::sendAll(lowering::socketNumber, &size, sizeof(size));
    lowering::sendAll(lowering::socketNumber, text.bytes, text.size);
    lowering::sendAll(lowering::socketNumber, &noOutput, sizeof(noOutput));
  }
  ::_exit(1);
}

[[noreturn]] void endWithoutMemory() {
  endWith(HET_UNAVAILABLE, "lowering it takes more memory than there is or than "
                           "HET_LOWERING_MEMORY allows");
}

[[noreturn]] void endTooLong() {
  endWith(HET_UNSUPPORTED, "lowering it takes longer than HET_LOWERING_SECONDS allows");
}

/// LLVM has its own way to say so, and aborts.
bool saysNoMemory() {
  char part[maxOutput + 1] = {};
  return ::pread(output, part, maxOutput, 0) > 0 && std::strstr(part, "out of memory");
}

void endBySignal(int signal) {
  switch (signal) {
  case SIGXCPU:
    endTooLong();
  case SIGABRT:
    if (saysNoMemory())
      endWithoutMemory();
    endWith(HET_INTERNAL, "the lowering aborted");
  case SIGBUS:
    endWith(HET_INTERNAL, "the lowering crashed (bus error)");
  default:
    endWith(HET_INTERNAL, "the lowering crashed");
  }
}

void catchEnds() {
  struct sigaction action = {};
  action.sa_handler = endBySignal;
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGXCPU, SIGSYS})
    ::sigaction(signal, &action, nullptr);
  std::set_new_handler(endWithoutMemory);
  std::atexit([] { endWith(HET_INTERNAL, "the lowering ended its process"); });
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// Lowers a limit, if it can be.
void limit(int resource, uint64_t value) {
  struct rlimit limits;
  if (::getrlimit(resource, &limits) != 0)
    return;
  limits.rlim_cur = std::min<rlim_t>(value, limits.rlim_max);
  (void)::setrlimit(resource, &limits);
}

/// Error of an environment variable; empty if there is none.
std::string complaint;

template <typename T> T valueOf(Result<T> given) {
  if (given.ok())
    return *given;
  complaint = given.status().text();
  return T();
}

void limitMemory() {
#ifndef __SANITIZE_ADDRESS__ // which reserves terabytes
  const uint64_t physical =
      uint64_t(::sysconf(_SC_PHYS_PAGES)) * uint64_t(::sysconf(_SC_PAGESIZE));
  const uint64_t given = valueOf(
      environment::size(Variable::LoweringMemory, std::max(physical / 2, leastMemory)));
  struct rlimit limits;
  if (given && ::getrlimit(RLIMIT_AS, &limits) == 0) // the program's may be lower
    limit(RLIMIT_AS, std::min<uint64_t>(given, limits.rlim_cur));
#endif
}

uint64_t microsecondsUsed() {
  struct rusage used = {};
  ::getrusage(RUSAGE_SELF, &used);
  return uint64_t(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1'000'000 +
         uint64_t(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/// HET_LOWERING_SECONDS.
uint64_t allowedSeconds = 0;

/// From now on.
void limitTime() {
  if (allowedSeconds)
    limit(RLIMIT_CPU, microsecondsUsed() / 1'000'000 + allowedSeconds);
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

const HetLoweringABI *openPlugin(const std::string &path, std::string &error) {
  // No name: what is in this program (tools/het-text-compiler).
  void *library = ::dlopen(path.empty() ? nullptr : path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    error = ::dlerror();
    return nullptr;
  }
  auto entry = reinterpret_cast<HetLoweringEntry>(::dlsym(library, "hetLoweringABI"));
  const HetLoweringABI *abi = entry ? entry() : nullptr;
  if (abi && abi->abiVersion == HET_TARGET_ABI_VERSION)
    return abi;
  error = path + ": found another target interface, expected version " +
          std::to_string(HET_TARGET_ABI_VERSION) +
          "; install the target that belongs to this runtime";
  return nullptr;
}

/// Whether it is for want of what the system may have again later.
bool passes(const std::string &error) {
  for (int number : {ENOMEM, EMFILE, ENFILE}) {
    const std::string_view reason = std::strerror(number);
    if (error.size() >= reason.size() &&
        error.compare(error.size() - reason.size(), reason.size(), reason) == 0)
      return true;
  }
  return false;
}

/// Gives what was written to stderr since the last call.
std::string takeOutput() {
  std::string text;
  char part[4096];
  for (ssize_t got;
       (got = ::pread(output, part, sizeof(part), static_cast<off_t>(text.size()))) > 0;)
    text.append(part, static_cast<size_t>(got));
  (void)!::ftruncate(output, 0);
  (void)::lseek(output, 0, SEEK_SET);
  return text;
}

Bytes reply(int32_t code, const std::string &message, ByteView result = {}) {
  return lowering::writeReply(code, message, takeOutput(), result);
}

Bytes lower(const HetLoweringABI &abi, const HetLowerRequest &request) {
  HetLowering lowered = {};
  HetStatus status = {};
  if (abi.lower(&request, &lowered, &status) != HET_OK)
    return reply(status.code, status.message);
  Bytes message = reply(HET_OK, "", {lowered.data, lowered.size});
  abi.release(&lowered);
  return message;
}

Bytes explain(const HetLoweringABI &abi, const HetLowerRequest &request) {
  HetExplanation explanation = {};
  HetStatus status = {};
  if (abi.explain && abi.explain(&request, &explanation, &status) != HET_OK)
    return reply(status.code, status.message);
  return reply(HET_OK, "",
               {reinterpret_cast<uint8_t *>(&explanation), sizeof(explanation)});
}

/// Names that no target takes apart are architectures.
Bytes findArch(const HetLoweringABI &abi, const char *name) {
  HetArchitecture found = {};
  HetStatus status = {};
  std::string_view(name).copy(found.arch, sizeof(found.arch) - 1);
  if (abi.findArch && abi.findArch(name, &found, &status) != HET_OK)
    return reply(status.code, status.message);
  ByteWriter texts;
  texts.string(abi.version);
  texts.string(found.arch);
  texts.string(found.suffix);
  return reply(HET_OK, "", texts.view());
}

Bytes extractCode(const HetLoweringABI &abi, ByteView artifact) {
  if (!abi.extractCode)
    return reply(HET_OK, "", artifact);
  HetLowering code = {};
  HetStatus status = {};
  if (abi.extractCode(artifact.data, artifact.size, &code, &status) != HET_OK)
    return reply(status.code, status.message);
  Bytes message = reply(HET_OK, "", {code.data, code.size});
  abi.release(&code);
  return message;
}

Bytes serveVerb(lowering::Verb verb, const HetLoweringABI &abi,
                const HetLowerRequest &request) {
  switch (verb) {
  case lowering::Verb::Lower:
    return lower(abi, request);
  case lowering::Verb::Explain:
    return explain(abi, request);
  case lowering::Verb::FindArch:
    return findArch(abi, request.arch);
  case lowering::Verb::ExtractCode:
    return extractCode(abi, {request.code, request.codeSize});
  }
  return reply(HET_INTERNAL, "the runtime belongs to another version");
}

Bytes answer(const Bytes &message) {
  ByteReader reader(message);
  const uint32_t version = reader.u32();
  const uint8_t verb = reader.u8();
  const std::string plugin = reader.string(), kernel = reader.string(),
                    arch = reader.string(), options = reader.string(),
                    devicelib = reader.string();
  const ByteView code = reader.bytes(reader.remaining());
  if (version != lowering::protocolVersion || reader.failed())
    return reply(HET_INTERNAL, "the runtime belongs to another version");
  if (!complaint.empty())
    return reply(HET_INVALID, complaint);
  std::string error;
  const HetLoweringABI *abi = openPlugin(plugin, error);
  if (!abi && passes(error))
    endWith(HET_UNAVAILABLE, error.c_str()); // the next process may have more
  if (!abi)
    return reply(HET_UNSUPPORTED, error);
  const HetLowerRequest request = {code.data,    code.size,       kernel.c_str(),
                                   arch.c_str(), options.c_str(), devicelib.c_str()};
  return serveVerb(static_cast<lowering::Verb>(verb), *abi, request);
}

void *serveInThread(void *message) {
  // A stack that has overflown is none for a handler.
  static char handlerStack[64 << 10];
  const stack_t stack = {handlerStack, 0, sizeof(handlerStack)};
  ::sigaltstack(&stack, nullptr);
  const Bytes answered = answer(*static_cast<Bytes *>(message));
  if (owesAnswer.exchange(false))
    lowering::sendMessage(lowering::socketNumber, answered);
  return nullptr;
}

/// Ends the process when the program has gone, and a request that uses no processor time
/// any more: damaged memory may hold a lock that nobody gives back.
void watch() {
  constexpr uint64_t leastProgress =
      1000; // microseconds a second, more than this thread's
  uint64_t still = 0, before = 0;
  for (;;) {
    pollfd socket = {lowering::socketNumber, POLLRDHUP, 0};
    if (::poll(&socket, 1, 1000) > 0)
      ::_exit(0);
    const uint64_t used = microsecondsUsed();
    still = owesAnswer && used - before < leastProgress ? still + 1 : 0;
    before = used;
    if (allowedSeconds && still >= allowedSeconds)
      endTooLong();
  }
}

bool serve(Bytes &message) {
  limitTime();
  owesAnswer = true;
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackSize);
  if (pthread_create(&thread, &attributes, serveInThread, &message) != 0)
    endWithoutMemory();
  pthread_attr_destroy(&attributes);
  return pthread_join(thread, nullptr) == 0;
}

} // namespace

int main() {
  int nothing = -1; // and nothing in the place of a stream that the program has closed
  do
    nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  while (nothing >= 0 && nothing <= STDERR_FILENO);
  output = ::memfd_create("het-lowering", MFD_CLOEXEC);
  if (nothing < 0 || output < 0 || ::dup2(nothing, STDIN_FILENO) < 0 ||
      ::dup2(nothing, STDOUT_FILENO) < 0 || ::dup2(output, STDERR_FILENO) < 0)
    return 1;
  limit(RLIMIT_CORE, 0);
  limitMemory();
  allowedSeconds = valueOf(environment::number(Variable::LoweringSeconds, 1, 1'000'000));
  catchEnds();
  std::thread(watch).detach();
  for (;;) {
    pollfd socket = {lowering::socketNumber, POLLIN, 0};
    if (::poll(&socket, 1, idleMilliseconds) <= 0)
      ::_exit(0);
    std::optional<Bytes> message = lowering::receiveMessage(lowering::socketNumber);
    if (!message || !serve(*message))
      ::_exit(0);
  }
}
