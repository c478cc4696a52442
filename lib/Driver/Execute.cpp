// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running jobs. One source is compiled in this process. Several are compiled
// in children of it, so that each has its own Clang and a crash takes one
// source with it and nothing else.

#include "Compilation.h"
#include "ResourceUsage.h"
#include "Text.h"

#include "het/Base/File.h"
#include "het/Package/PackageReference.h"

#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace het;
using namespace het::driver;

static llvm::Error toError(const Status &status) {
  return llvm::createStringError(std::make_error_code(std::errc::io_error),
                                 status.text());
}

//===----------------------------------------------------------------------===//
// One job
//===----------------------------------------------------------------------===//

static llvm::Error writeOutput(const std::string &output, const Bytes &bytes) {
  if (output == "-") {
    llvm::outs().write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    llvm::outs().flush();
    return llvm::Error::success();
  }
  if (Status status = writeFileAtomically(output, bytes); !status.ok())
    return toError(status);
  return llvm::Error::success();
}

llvm::Expected<Bytes> het::driver::placePackage(const Job &job, Bytes package) {
  if (job.resourceUsage)
    if (llvm::Error error = showResourceUsage(package, job.compile))
      return std::move(error);
  if (!job.keptPackage.empty())
    if (llvm::Error error = writeOutput(job.keptPackage, package))
      return std::move(error);
  if (job.packageFile.empty())
    return std::move(package);
  if (llvm::Error error = writeOutput(job.packageFile, package))
    return std::move(error);
  Result<Bytes> reference =
      writePackageReference(llvm::sys::path::filename(job.packageFile).str());
  if (!reference.ok())
    return toError(reference.status());
  return reference.take();
}

static llvm::Error runCuda(const Job &job) {
  CompileOptions options = job.compile;
  options.dependencyArguments = job.dependencies;
  switch (job.kind) {
  case Job::Kind::Emit: {
    llvm::Expected<Bytes> result = compileDevice(options, job.deviceStage);
    if (!result)
      return result.takeError();
    if (job.resourceUsage && job.deviceStage == DeviceStage::Package)
      if (llvm::Error error = showResourceUsage(*result, job.compile))
        return error;
    return writeOutput(job.output, *result);
  }
  case Job::Kind::Preprocess:
    return preprocess(options, job.hostStage, job.output);
  default:
    return compile(options, job.hostStage, job.output,
                   [&](Bytes package) { return placePackage(job, std::move(package)); });
  }
}

static int runCommand(const Job &job) {
  std::vector<llvm::StringRef> words(job.command.begin(), job.command.end());
  std::string message;
  int status = llvm::sys::ExecuteAndWait(job.command.front(), words, std::nullopt, {}, 0,
                                         0, &message);
  if (status < 0)
    llvm::errs() << "hetcc error   : '" << job.command.front() << "' "
                 << (message.empty() ? "died due to a signal" : message) << '\n';
  return status < 0 ? 1 : status;
}

/// Whether an object has been written. With -Xcompiler --version the host compiler makes
/// none, and a temporary file stays empty.
static bool hasOutput(const Job &job) {
  uint64_t size = 0;
  return !llvm::StringRef(job.output).ends_with(".o") || job.command.empty() ||
         (!llvm::sys::fs::file_size(job.output, size) && size > 0);
}

/// Runs a job of any kind; its messages go to `messages`.
static int runJob(Job job, llvm::raw_ostream &messages) {
  int status = 0;
  if (job.kind != Job::Kind::Command) {
    job.compile.diagnostics = &messages;
    llvm::handleAllErrors(
        job.kind == Job::Kind::DeviceLink ? linkForDevice(job) : runCuda(job),
        [&](const Reported &) { status = 1; },
        [&](const llvm::ErrorInfoBase &error) {
          messages << "hetcc error   : " << error.message() << '\n';
          status = 1;
        });
  }
  if (status == 0 && !job.command.empty())
    status = runCommand(job);
  if (status == 0 && !hasOutput(job)) {
    messages << "hetcc fatal   : '" << job.command.front() << "' has not written '"
             << job.output << "'\n";
    status = 1;
  }
  if (status != 0)
    for (const std::string &file : job.leftovers)
      (void)llvm::sys::fs::remove(file);
  return status;
}

//===----------------------------------------------------------------------===//
// Time (--time)
//===----------------------------------------------------------------------===//

using Clock = std::chrono::steady_clock;

static void appendTime(const Settings &settings, const Job &job,
                       Clock::time_point start) {
  if (settings.timeFile.empty())
    return;
  std::error_code error;
  llvm::raw_fd_ostream stream(settings.timeFile, error, llvm::sys::fs::OF_Append);
  if (error) {
    llvm::errs() << "hetcc warning : cannot write '" << settings.timeFile
                 << "': " << error.message() << '\n';
    return;
  }
  if (settings.timeFile != "-" && stream.tell() == 0)
    stream << "input,output,tool,milliseconds\n";
  std::chrono::duration<double, std::milli> time = Clock::now() - start;
  const bool command = job.kind == Job::Kind::Command;
  stream << job.input << ',' << job.output << ','
         << (command ? job.command.front() : "hetcc") << ','
         << llvm::format("%.1f", time.count()) << '\n';
}

//===----------------------------------------------------------------------===//
// Many jobs
//===----------------------------------------------------------------------===//

/// The child's side of a fork: never returns.
[[noreturn]] static void runChild(const Job &job, const Settings &settings,
                                  pid_t parent) {
  // A signal that ends the parent ends its children: they, too, know the files
  // that it removes then.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent)
    raise(SIGTERM);
  // Messages of sources that are compiled at once are not mixed.
  std::string text;
  llvm::raw_string_ostream messages(text);
  Clock::time_point start = Clock::now();
  int status = runJob(job, messages);
  appendTime(settings, job, start);
  llvm::errs() << text;
  llvm::errs().flush();
  llvm::outs().flush();
  _exit(status);
}

namespace {

/// Children that are at work.
class Children {
public:
  explicit Children(const Settings &settings) : settings(settings) {}

  bool start(const Job &job) {
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0)
      runChild(job, settings, parent);
    if (child > 0)
      running[child] = &job;
    return child > 0;
  }
  /// Waits for one of them. Returns its status.
  int wait();
  size_t count() const { return running.size(); }

private:
  const Settings &settings;
  std::map<pid_t, const Job *> running;
};

} // namespace

int Children::wait() {
  int state = 0;
  pid_t child = llvm::sys::RetryAfterSignal(-1, waitpid, -1, &state, 0);
  if (child < 0) {
    llvm::errs() << "hetcc error   : waiting for a compilation: " << strerror(errno)
                 << '\n';
    running.clear();
    return 1;
  }
  auto found = running.find(child);
  if (found == running.end())
    return 0;
  const Job &job = *found->second;
  running.erase(found);
  if (WIFEXITED(state))
    return WEXITSTATUS(state);
  llvm::errs() << "hetcc error   : the compilation of '" << job.input
               << "' died due to signal " << WTERMSIG(state) << '\n';
  for (const std::string &file : job.leftovers)
    (void)llvm::sys::fs::remove(file);
  return 1;
}

static int runInChildren(const std::vector<Job> &jobs, const Settings &settings,
                         size_t limit) {
  Children children(settings);
  int status = 0;
  auto next = jobs.begin();
  while (children.count() || (next != jobs.end() && status == 0)) {
    while (next != jobs.end() && status == 0 && children.count() < limit) {
      if (!children.start(*next)) {
        llvm::errs() << "hetcc error   : cannot start a process\n";
        status = 1;
        break;
      }
      ++next;
    }
    if (children.count())
      status = std::max(status, children.wait());
  }
  return status;
}

static int runInOrder(const std::vector<Job> &jobs, const Settings &settings) {
  for (const Job &job : jobs) {
    Clock::time_point start = Clock::now();
    int status = runJob(job, llvm::errs());
    appendTime(settings, job, start);
    if (status != 0)
      return status;
  }
  return 0;
}

/// --clean-targets
static int removeOutputs(const Compilation &compilation) {
  for (const std::string &output : compilation.outputs)
    if (output != "-")
      (void)llvm::sys::fs::remove(output);
  return 0;
}

int het::driver::execute(const Compilation &compilation, const Settings &settings) {
  if (settings.clean)
    return removeOutputs(compilation);
  size_t limit = settings.threads ? settings.threads
                                  : std::max(1u, std::thread::hardware_concurrency());
  llvm::errs().flush();
  llvm::outs().flush();
  int status = runInOrder(compilation.checks, settings);
  if (status == 0)
    status = compilation.sources.size() > 1
                 ? runInChildren(compilation.sources, settings, limit)
                 : runInOrder(compilation.sources, settings);
  if (status == 0)
    status = runInOrder(compilation.rest, settings);
  return status;
}
