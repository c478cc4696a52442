// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process with files in memory as its input and outputs.

#include "Tool.h"
#include "het/Base/File.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace het;

static constexpr rlim_t maxSeconds = 600; ///< Processor time.
static constexpr uint64_t leastMemory = uint64_t(2) << 30;

Result<std::string> het::findTool(const std::string &name, const std::string &purpose,
                                  const std::string &remedy) {
  const std::filesystem::path self = programPath();
  std::filesystem::path tool = self.parent_path() / name;
  if (!self.empty() && ::access(tool.c_str(), X_OK) == 0)
    return tool.string();
  return unavailable(purpose + ": found no " + name + " in '" +
                     self.parent_path().string() + "', expected it beside hetpkg; " +
                     remedy);
}

/// An unnamed file in memory.
static Descriptor memoryFile(ByteView contents) {
  Descriptor file(::memfd_create("hetpkg", MFD_CLOEXEC));
  while (file >= 0 && !contents.empty()) {
    ssize_t written = ::write(file, contents.data, contents.size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return Descriptor();
    contents.data += written;
    contents.size -= static_cast<size_t>(written);
  }
  if (file >= 0)
    ::lseek(file, 0, SEEK_SET);
  return file;
}

static void limitProcess(pid_t process) {
#ifndef __SANITIZE_ADDRESS__ // which reserves terabytes
  const uint64_t physical =
      uint64_t(::sysconf(_SC_PHYS_PAGES)) * uint64_t(::sysconf(_SC_PAGESIZE));
  const rlim_t bytes = std::max(physical / 2, leastMemory);
  const rlimit memory = {bytes, bytes};
  (void)::prlimit(process, RLIMIT_AS, &memory, nullptr);
#endif
  const rlimit time = {maxSeconds, maxSeconds}, core = {0, 0};
  (void)::prlimit(process, RLIMIT_CPU, &time, nullptr);
  (void)::prlimit(process, RLIMIT_CORE, &core, nullptr);
}

Result<ToolRun> het::runTool(const std::string &tool, std::vector<std::string> arguments,
                             ByteView input) {
  Descriptor in = memoryFile(input), out = memoryFile({}), errors = memoryFile({});
  if (in < 0 || out < 0 || errors < 0)
    return unavailable("no memory for a temporary file");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  arguments.insert(arguments.begin(), tool);
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t child = 0;
  int error =
      ::posix_spawn(&child, tool.c_str(), &actions, nullptr, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    return unavailable("cannot start: " + std::string(std::strerror(error)), tool);
  limitProcess(child);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  ToolRun run;
  run.succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  run.end = WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                                : "exit status " + std::to_string(WEXITSTATUS(status));
  auto pathOf = [](int file) { return "/proc/self/fd/" + std::to_string(file); };
  Result<Bytes> output = readFile(pathOf(out)), text = readFile(pathOf(errors));
  if (!output.ok() || !text.ok())
    return output.ok() ? text.status() : output.status();
  run.output = output.take();
  run.errors = std::string(ByteView(*text).text());
  return run;
}
