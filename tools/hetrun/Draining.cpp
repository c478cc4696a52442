// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A note for all programs, those that begin later, too; those that run are asked to look
// at it at once.

#include "Draining.h"
#include "Running.h"

#include "migration/control/Control.h"
#include "migration/control/Leases.h"

#include <cstdio>
#include <utility>

namespace het {

namespace notes = core::notes;

static int fail(const std::string &message) {
  std::fprintf(stderr, "hetrun: error: %s\n", message.c_str());
  return 1;
}

/// Whether all of them have left it.
static bool haveLeft(const std::string &device,
                     const std::vector<ProgramStatus> &before) {
  bool left = true;
  const std::vector<ProgramStatus> after = programs();
  for (const ProgramStatus &was : before) {
    if (notes::deviceOf(was.place) != device)
      continue;
    for (const ProgramStatus &is : after) {
      if (is.process != was.process || is.device != was.device)
        continue;
      const bool stays = notes::deviceOf(is.place) == device;
      left &= !stays;
      std::printf("%d %s: %s %s: %s\n", static_cast<int>(is.process), is.program.c_str(),
                  stays ? "stays on" : "went to", is.place.c_str(), is.why.c_str());
      break;
    }
  }
  return left;
}

int runDraining(const std::string &name, bool drains) {
  const std::string device = notes::deviceOf(name);
  size_t silent = 0;
  const std::vector<ProgramStatus> before = programs(&silent);
  if (drains) {
    if (Status status = notes::drain(name); !status.ok())
      return fail(status.text());
  } else {
    Result<bool> was = notes::undrain(name);
    if (!was.ok())
      return fail(was.status().text());
    if (!*was)
      return fail(name + ": it is not drained");
  }
  // A program's answer is in its status, where it could be asked for that.
  pid_t latest = 0;
  for (const ProgramStatus &one : before)
    if (one.process != std::exchange(latest, one.process))
      (void)core::control::ask(one.process, "reconsider");
  if (drains && !haveLeft(device, before))
    return fail(name + ": not all programs have left it");
  if (drains && silent)
    return fail(name + ": some programs did not answer; those that are on it stay "
                       "until they do");
  return std::fflush(stdout) == 0 ? 0 : 1;
}

} // namespace het
