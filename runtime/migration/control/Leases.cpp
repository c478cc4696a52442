// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A note is a file: drained.DEVICE, or wanted.DEVICE.PROCESS.PRIORITY. There is nothing
// in it, so that it is there as a whole or not at all.

#include "migration/control/Leases.h"
#include "migration/control/Control.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace het::core::notes {

static constexpr std::string_view drainedPrefix = "drained.", wantedPrefix = "wanted.";

std::string deviceOf(const std::string &name) {
  const std::string device = name.substr(0, name.find('#'));
  return device.find(':') == std::string::npos ? device + ":0" : device;
}

/// Checks a name as it was given.
static Status check(const std::string &device) {
  if (!device.empty() && device.size() < 100 &&
      device.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789:") ==
          std::string::npos)
    return Status::success();
  return invalid(foundExpected("device", "'" + device + "'", "a name like host or ptx:0",
                               "'hetrun devices' lists them"));
}

static Status write(const std::string &name) {
  Result<std::string> folder = control::openFolder();
  if (!folder.ok())
    return folder.status();
  const std::string path = *folder + "/" + name;
  const int file = open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0)
    return unavailable(std::strerror(errno), path);
  close(file);
  return Status::success();
}

Status drain(const std::string &device) {
  if (Status status = check(device); !status.ok())
    return status;
  return write(std::string(drainedPrefix) + deviceOf(device));
}

Result<bool> undrain(const std::string &device) {
  if (Status status = check(device); !status.ok())
    return status;
  Result<std::string> folder = control::openFolder();
  if (!folder.ok())
    return folder.status();
  const std::string path = *folder + "/" + std::string(drainedPrefix) + deviceOf(device);
  if (unlink(path.c_str()) == 0)
    return true;
  if (errno == ENOENT)
    return false;
  return unavailable(std::strerror(errno), path);
}

static std::string wantedName(const std::string &device, const std::string &priority) {
  return std::string(wantedPrefix) + deviceOf(device) + "." + std::to_string(getpid()) +
         "." + priority;
}

Status want(const std::string &device, unsigned priority) {
  return write(wantedName(device, std::to_string(priority)));
}

void wantNoMore(const std::string &device) {
  const std::string begin = wantedName(device, "");
  for (const std::string &name : control::entries())
    if (name.compare(0, begin.size(), begin) == 0)
      unlink((control::folder() + "/" + name).c_str());
}

/// DEVICE.PROCESS.PRIORITY
static bool parse(const std::string &text, Wanted &wanted) {
  const size_t last = text.rfind('.');
  const size_t first =
      last == std::string::npos || !last ? last : text.rfind('.', last - 1);
  if (first == std::string::npos)
    return false;
  auto number = [&](size_t from, size_t to) {
    const std::string digits = text.substr(from, to - from);
    const bool valid = !digits.empty() && digits.size() < 10 &&
                       digits.find_first_not_of("0123456789") == std::string::npos;
    return valid ? std::stoul(digits) : 0;
  };
  wanted.device = text.substr(0, first);
  wanted.process = static_cast<pid_t>(number(first + 1, last));
  wanted.priority = static_cast<unsigned>(number(last + 1, text.size()));
  return wanted.process > 0;
}

All read() {
  All all;
  for (const std::string &name : control::entries()) {
    Wanted wanted;
    if (name.compare(0, drainedPrefix.size(), drainedPrefix) == 0)
      all.drained.push_back(name.substr(drainedPrefix.size()));
    else if (name.compare(0, wantedPrefix.size(), wantedPrefix) != 0 ||
             !parse(name.substr(wantedPrefix.size()), wanted) ||
             wanted.process == getpid())
      continue;
    else if (kill(wanted.process, 0) && errno == ESRCH)
      unlink((control::folder() + "/" + name).c_str()); // it has ended without a word
    else
      all.wanted.push_back(wanted);
  }
  return all;
}

} // namespace het::core::notes
