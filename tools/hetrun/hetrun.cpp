// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetrun: runs a program that hetcc built, unmodified, on chosen devices. It
// becomes the program, so the exit status is the program's. If the program
// cannot be started the status is 127 (not found) or 126, as a shell's; after
// any other error 1.

#include "Checkpoints.h"
#include "Devices.h"
#include "Diff.h"
#include "Running.h"

#include "het/Base/Log.h"
#include "het/Runtime/Hop.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

static constexpr const char *help =
    R"(usage: hetrun [OPTION...] [--] PROGRAM [ARGUMENT...]
       hetrun devices [--json]
       hetrun resume CHECKPOINT --device=DEVICE [--to=CHECKPOINT]
       hetrun diff CHECKPOINT CHECKPOINT
       hetrun ps | move PID DEVICE | pause PID | resume PID | checkpoint PID FILE

Runs a program built by hetcc, unmodified.

  --devices=LIST   what the program sees as devices 0, 1, 2...: names separated
                   by commas, as in HET_DEVICES (host, ptx:0, spirv:1); a name
                   may stand twice
  --hop=TIME:DEVICE,DEVICE,...
                   each TIME (20ms, 500us, 1s) park what runs and go on with it,
                   memory and all, on the next device of the list
  --checkpoint=FILE --after=TIME
                   write what the program's first device holds and does to a
                   file, after that time, and go on, or, with --stop, end
  --control        lets hetrun ps, move, pause, resume and checkpoint reach the
                   program
  --help           this text
  --version        the version

hetrun devices lists the devices of this machine. hetrun resume finishes a
checkpoint's kernels without their program. hetrun diff says what differs
between two checkpoints; its exit status is 0 if nothing does, 1 if something does,
and 2 after an error. hetrun ps lists the programs that run under --control; move goes
on with what one does on another device; pause lets it stand until resume.
)";

/// What is not there yet.
static constexpr const char *laterOptions[] = {"--profile"};

static int fail(const std::string &message, int status = 1) {
  std::fprintf(stderr, "hetrun: error: %s\n", message.c_str());
  return status;
}

/// Becomes the program; returns only if that fails.
static int execute(char **command) {
  execvp(command[0], command);
  int reason = errno;
  return fail(std::string(command[0]) + ": " + std::strerror(reason),
              reason == ENOENT ? 127 : 126);
}

/// --checkpoint, --after and --stop.
struct CheckpointOptions {
  std::string file, after;
  bool stop = false;

  /// False: it is none of them.
  bool read(const std::string &name, const std::string &value) {
    if (name == "--checkpoint")
      file = std::filesystem::absolute(value).string();
    else if (name == "--after")
      after = value;
    else if (name == "--stop")
      stop = true;
    else
      return false;
    return true;
  }

  /// What is wrong with them; empty: nothing. Tells the runtime.
  std::string apply() const {
    if (file.empty() && after.empty() && !stop)
      return "";
    if (file.empty() || after.empty())
      return "--checkpoint=FILE and --after=TIME: found one, expected both";
    if (het::core::parseDuration(after).count() == 0)
      return "--after: found '" + after + "', expected a time as in 20ms, 500us or 1s";
    setenv("HET_CHECKPOINT", (after + (stop ? ":stop:" : ":go:") + file).c_str(), 1);
    return "";
  }
};

/// Handles one option. Returns -1 to go on, else the exit status.
static int readOption(const std::string &option, CheckpointOptions &checkpoint) {
  if (option == "--help" || option == "-h") {
    std::fputs(help, stdout);
    return 0;
  }
  if (option == "--version") {
    std::puts("hetrun " HET_VERSION);
    return 0;
  }
  std::string name = option.substr(0, option.find('='));
  std::string value = option.size() > name.size() ? option.substr(name.size() + 1) : "";
  if (checkpoint.read(name, value))
    return -1;
  if (name == "--devices") {
    if (name.size() + 1 >= option.size())
      return fail("--devices: found nothing, expected --devices=NAME,NAME,...; "
                  "'hetrun devices' lists them");
    setenv("HET_DEVICES", option.c_str() + name.size() + 1, 1);
    return -1;
  }
  if (name == "--hop") {
    auto parsed = het::core::HopPlan::parse("--hop", value);
    if (!parsed.ok())
      return fail(parsed.status().text());
    setenv("HET_HOP", value.c_str(), 1);
    return -1;
  }
  if (option == "--control") {
    setenv("HET_CONTROL", "1", 1);
    return -1;
  }
  for (const char *later : laterOptions)
    if (name == later)
      return fail("option " + name + ": not supported yet");
  return fail("option: found '" + option +
              "', expected one of hetrun's; 'hetrun --help' lists the options");
}

int main(int count, char **arguments) {
  if (het::Status status = het::setUpLog("hetrun"); !status.ok())
    return fail(status.text());
  CheckpointOptions checkpoint;
  int at = 1;
  for (; at < count && arguments[at][0] == '-'; ++at) {
    if (!std::strcmp(arguments[at], "--")) {
      ++at;
      if (std::string wrong = checkpoint.apply(); !wrong.empty())
        return fail(wrong);
      return at < count ? execute(arguments + at)
                        : fail("program: found nothing behind '--'");
    }
    if (int status = readOption(arguments[at], checkpoint); status >= 0)
      return status;
  }
  if (std::string wrong = checkpoint.apply(); !wrong.empty())
    return fail(wrong);
  if (at == count)
    return fail("program: found none; 'hetrun --help' shows how to call it");
  std::string verb = arguments[at];
  if (at == 1 && verb == "devices")
    return het::runDevices({arguments + at + 1, arguments + count});
  if (at == 1 && verb == "diff")
    return het::runDiff({arguments + at + 1, arguments + count});
  if (at == 1 && het::isForRunning(verb, {arguments + at + 1, arguments + count}))
    return het::runForRunning(verb, {arguments + at + 1, arguments + count});
  if (at == 1 && verb == "resume")
    return het::runResume({arguments + at + 1, arguments + count});
  return execute(arguments + at);
}
