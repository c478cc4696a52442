// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetrun: runs a program that hetcc built, unmodified, on chosen devices. It
// becomes the program, so the exit status is the program's. If the program
// cannot be started the status is 127 (not found) or 126, as a shell's; after
// any other error 1.

#include "Checkpoints.h"
#include "Devices.h"
#include "Diff.h"
#include "Draining.h"
#include "MovingOptions.h"
#include "ProcessCheckpoint.h"
#include "Running.h"

#include "het/Base/Environment.h"
#include "het/Base/Log.h"
#include "migration/control/Hop.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

static constexpr const char *help =
    R"(usage: hetrun [OPTION...] [--] PROGRAM [ARGUMENT...]
       hetrun devices [--json] [-v] [PROGRAM...]
       hetrun resume CHECKPOINT --device=DEVICE [--to=CHECKPOINT]
       hetrun diff CHECKPOINT CHECKPOINT
       hetrun ps | move PID DEVICE | pause PID | resume PID | checkpoint PID FILE
       hetrun drain DEVICE | undrain DEVICE
       hetrun checkpoint PID FOLDER/ | restore FOLDER [--device=DEVICE]

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
  --checkpoint=FILE --every=TIME
                   the same each time that the time has passed; the file is always
                   the last whole one
  --policy=FILE    which devices the program's first device is to be on, the best
                   one first, and what to do when one is lost; hetrun(1) has the form
  --prefer=DEVICE,DEVICE,... --priority=NUMBER
                   the same, without a file
  --profile=FILE   write what its devices did and when, for chrome://tracing or
                   Perfetto
  --control        lets hetrun ps, move, pause, resume, checkpoint and drain reach
                   the program
  --help           this text
  --version        the version

hetrun devices lists the devices of this machine; with -v all that is known of each, and
with programs how it would lower their kernels, and why so. hetrun resume finishes a
checkpoint's kernels without their program. hetrun diff says what differs
between two checkpoints; its exit status is 0 if nothing does, 1 if something does,
and 2 after an error. hetrun ps lists the programs that run under --control: where each is,
why, and since when; move goes on with what one does on another device; pause lets it stand
until resume. hetrun drain has all programs leave a device, and keeps others from it until
undrain. hetrun checkpoint with a folder saves the program itself, too, where CRIU works;
restore goes on with it.
)";

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

/// Handles one option. Returns -1 to go on, else the exit status.
static int readOption(const std::string &option, het::MovingOptions &moving) {
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
  if (moving.read(name, value))
    return -1;
  if (name == "--devices") {
    if (name.size() + 1 >= option.size())
      return fail("--devices: found nothing, expected --devices=NAME,NAME,...; "
                  "'hetrun devices' lists them");
    het::environment::set(het::Variable::Devices, value);
    return -1;
  }
  if (name == "--hop") {
    auto parsed = het::core::HopPlan::parse("--hop", value);
    if (!parsed.ok())
      return fail(parsed.status().text());
    het::environment::set(het::Variable::Hop, value);
    return -1;
  }
  if (name == "--profile" && !value.empty()) {
    het::environment::set(het::Variable::Profile, std::filesystem::absolute(value));
    return -1;
  }
  if (option == "--control") {
    het::environment::set(het::Variable::Control, "1");
    return -1;
  }
  return fail("option: found '" + option +
              "', expected one of hetrun's; 'hetrun --help' lists the options");
}

int main(int count, char **arguments) {
  if (het::Status status = het::setUpLog("hetrun"); !status.ok())
    return fail(status.text());
  het::MovingOptions moving;
  int at = 1;
  for (; at < count && arguments[at][0] == '-'; ++at) {
    if (!std::strcmp(arguments[at], "--")) {
      ++at;
      if (std::string wrong = moving.apply(); !wrong.empty())
        return fail(wrong);
      return at < count ? execute(arguments + at)
                        : fail("program: found nothing behind '--'");
    }
    if (int status = readOption(arguments[at], moving); status >= 0)
      return status;
  }
  if (std::string wrong = moving.apply(); !wrong.empty())
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
  if (at == 1 && (verb == "drain" || verb == "undrain"))
    return het::runDraining(verb, {arguments + at + 1, arguments + count});
  if (at == 1 && verb == "restore")
    return het::runRestore({arguments + at + 1, arguments + count});
  if (at == 1 && verb == "resume")
    return het::runResume({arguments + at + 1, arguments + count});
  return execute(arguments + at);
}
