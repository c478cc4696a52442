// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On the host's device all that a device has is the process's own: its memory, and the
// state of parked blocks. So a program is moved there and paused, and what CRIU saves
// then is everything. A process that has a GPU's driver open can not be saved that way:
// CRIU says so.

#include "ProcessCheckpoint.h"
#include "Running.h"

#include "het/Base/Status.h"
#include "migration/control/Control.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <regex>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace het {

namespace control = core::control;

/// In the folder: the process's number.
static constexpr const char *noteName = "hetrun.process";
static constexpr auto longestRestore = std::chrono::seconds(10);

static int fail(const std::string &message) {
  std::fprintf(stderr, "hetrun: error: %s\n", message.c_str());
  return 1;
}

bool isFolder(const std::string &path) {
  std::error_code error;
  return (!path.empty() && path.back() == '/') ||
         std::filesystem::is_directory(path, error);
}

/// The last line that says something: CRIU's very last one may only say that it failed.
static std::string lastWords(const std::string &said) {
  static const std::regex empty(".*FAILED\\.|");
  std::istringstream lines(said);
  std::string last;
  for (std::string line; std::getline(lines, line);)
    if (last.empty() || !std::regex_match(line, empty))
      last = line;
  return last.empty() ? "it failed and said nothing" : last;
}

/// Runs a command; fails with the last line that it wrote about an error.
static Status runCommand(std::vector<std::string> words) {
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return unavailable(std::strerror(errno), words[0]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  pid_t child = 0;
  const int code =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string said;
  char piece[4096];
  for (ssize_t size; !code && (size = read(ends[0], piece, sizeof(piece))) > 0;)
    said.append(piece, size);
  close(ends[0]);
  if (code)
    return unavailable(code == ENOENT ? "not found; install the package criu"
                                      : std::strerror(code),
                       words[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return Status::success();
  return unavailable(lastWords(said), words[0] + " " + words[1]);
}

/// Whether the machine allows it at all.
static Status checkMachine() {
  Status status = runCommand({"criu", "check"});
  if (status.ok())
    return status;
  return unsupported("programs can not be saved on this machine (" + status.text() +
                     "); 'hetrun checkpoint PID FILE' saves their kernels and memory "
                     "without them");
}

static Status ask(pid_t process, const std::string &line) {
  return control::ask(process, line).status();
}

/// Its devices' state is in its own memory, and nothing changes it.
static Status bringHome(pid_t process) {
  bool isHere = false;
  for (const ProgramStatus &one : programs()) {
    if (one.process != process)
      continue;
    isHere = true;
    if (one.place.compare(0, 4, "host") == 0)
      continue;
    if (Status status = ask(process, "move host"); !status.ok())
      return status;
  }
  if (!isHere)
    return unavailable("can not be reached; 'hetrun ps' lists the programs that can",
                       "process " + std::to_string(process));
  return ask(process, "pause");
}

int saveProcess(pid_t process, const std::string &folder) {
  if (Status status = checkMachine(); !status.ok())
    return fail(status.text());
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
  if (error)
    return fail(folder + ": " + error.message());
  if (Status status = bringHome(process); !status.ok())
    return fail(status.text());
  Status status =
      runCommand({"criu", "dump", "--tree", std::to_string(process), "--images-dir",
                  folder, "--shell-job", "--file-locks", "--leave-running"});
  Status resumed = ask(process, "resume");
  if (!status.ok())
    return fail(status.text() + "; the program goes on");
  std::ofstream note(folder + "/" + noteName);
  note << process << '\n';
  if (!note.flush())
    return fail(folder + "/" + noteName + ": can not be written");
  return resumed.ok() ? 0 : fail(resumed.text());
}

/// It is paused, as it was when it was saved.
static Status wake(pid_t process, const std::string &device) {
  const auto end = std::chrono::steady_clock::now() + longestRestore;
  Status status = ask(process, "resume");
  while (!status.ok() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    status = ask(process, "resume");
  }
  if (status.ok() && !device.empty())
    status = ask(process, "move " + device);
  return status;
}

int runRestore(const std::string &folder, const std::string &device) {
  pid_t process = 0;
  if (!(std::ifstream(folder + "/" + noteName) >> process) || process <= 0)
    return fail(folder + ": found no program that hetrun has saved");
  if (Status status = checkMachine(); !status.ok())
    return fail(status.text());
  if (Status status = runCommand({"criu", "restore", "--images-dir", folder,
                                  "--shell-job", "--file-locks", "--restore-detached"});
      !status.ok())
    return fail(status.text());
  if (Status status = wake(process, device); !status.ok())
    return fail(status.text());
  std::printf("%d\n", static_cast<int>(process));
  return std::fflush(stdout) == 0 ? 0 : 1;
}

} // namespace het
