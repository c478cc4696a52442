// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks running programs by their sockets, and prints what they answer.

#include "Running.h"
#include "ProcessCheckpoint.h"

#include "migration/control/Control.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace het {

namespace control = core::control;

static int fail(const std::string &message) {
  std::fprintf(stderr, "hetrun: error: %s\n", message.c_str());
  return 1;
}

/// A process's number; 0: it is none.
static pid_t parseProcess(const std::string &text) {
  const bool valid = !text.empty() && text.size() < 10 &&
                     text.find_first_not_of("0123456789") == std::string::npos;
  return valid ? static_cast<pid_t>(std::stoul(text)) : 0;
}

bool isProcess(const std::string &text) { return parseProcess(text) != 0; }

/// Text that a process sent, fit for a terminal.
static std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

std::vector<ProgramStatus> programs(size_t *silent) {
  std::vector<ProgramStatus> list;
  for (pid_t process : control::processes()) {
    Result<std::string> answer = control::ask(process, "status");
    if (!answer.ok()) {
      if (kill(process, 0) != 0)
        continue; // it has just ended
      std::fprintf(stderr, "hetrun: warning: %s\n",
                   printable(answer.status().text()).c_str());
      if (silent)
        ++*silent;
      continue;
    }
    std::istringstream lines(*answer);
    for (std::string line; std::getline(lines, line);) {
      ProgramStatus one;
      one.process = process;
      std::istringstream row(line);
      for (std::string *cell :
           {&one.program, &one.device, &one.place, &one.state, &one.seconds, &one.why}) {
        std::getline(row, *cell, '\t');
        *cell = printable(*cell);
      }
      list.push_back(one);
    }
  }
  return list;
}

/// 75 is 1:15, as ps(1) has it.
static std::string duration(const std::string &seconds) {
  if (seconds.empty() || seconds.size() > 9 ||
      seconds.find_first_not_of("0123456789") != std::string::npos)
    return "?";
  const unsigned long all = std::stoul(seconds);
  char text[40];
  if (all < 3600)
    std::snprintf(text, sizeof(text), "%lu:%02lu", all / 60, all % 60);
  else
    std::snprintf(text, sizeof(text), "%lu:%02lu:%02lu", all / 3600, all / 60 % 60,
                  all % 60);
  return text;
}

int listPrograms() {
  const char *format = "%-8s %-16s %-10s %-10s %-8s %-8s %s\n";
  std::printf(format, "PID", "PROGRAM", "DEVICE", "IS ON", "STATE", "SINCE", "WHY");
  for (const ProgramStatus &one : programs())
    std::printf(format, std::to_string(one.process).c_str(), one.program.c_str(),
                one.device.c_str(), one.place.c_str(), one.state.c_str(),
                duration(one.seconds).c_str(), one.why.c_str());
  return std::fflush(stdout) == 0 ? 0 : 1;
}

static Result<std::string> askWithBar(pid_t process, const std::string &line) {
  ProgressBar bar("process " + std::to_string(process), STDERR_FILENO);
  return control::ask(process, line,
                      [&](uint64_t done, uint64_t total) { bar.update(done, total); });
}

int sendRequest(const std::string &verb, const std::string &pid,
                const std::string &argument) {
  const pid_t process = parseProcess(pid);
  if (!process)
    return fail(verb + ": found '" + pid +
                "', expected a process's number; 'hetrun ps' lists them");
  if (verb == "checkpoint" && isFolder(argument))
    return saveProcess(process, std::filesystem::absolute(argument).string());
  std::string line = verb;
  if (verb == "move")
    line += " " + argument;
  else if (verb == "checkpoint") // the program's folder is another one
    line += " " + std::filesystem::absolute(argument).string();
  Result<std::string> answer = askWithBar(process, line);
  if (!answer.ok())
    return fail(answer.status().text());
  if (!answer->empty())
    std::printf("%s\n", printable(answer->substr(0, answer->find('\n'))).c_str());
  return 0;
}

int runResumeProcess(const ResumeOptions &options) {
  if (!options.device.empty() || !options.to.empty())
    return fail("resume: found --device or --to beside a process, expected them beside a "
                "checkpoint");
  return sendRequest("resume", options.file, "");
}

} // namespace het
