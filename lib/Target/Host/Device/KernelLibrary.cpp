// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes go to a file in memory and from there to dlopen: what was checked is what
// runs. dlopen takes paths alone. Without /proc, which has one for a descriptor, the file
// lies in a temporary folder until it is open; nobody but the process's own user can
// change it.

#include "KernelLibrary.h"

#include "../../Support/SoftwareQueueFunctions.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using het::target::report;

namespace {

/// A path to a descriptor that no earlier library was opened by: the loader takes a
/// name it knows for the library it knows, and descriptors' numbers come again. The
/// counter's address is in it, since a process with two runtimes has two counters.
/// /proc/self has none once the main thread has ended.
std::string uniquePath(int file) {
  static std::atomic<uint64_t> counter{0};
  std::string path = "/proc/thread-self/fd";
  for (uint64_t number : {counter.fetch_add(1), reinterpret_cast<uint64_t>(&counter)})
    for (unsigned bit = 0; bit < 64; ++bit)
      path += number >> bit & 1 ? "/." : "/";
  return path + "/" + std::to_string(file);
}

/// Whether it was not the bytes that a library could not be opened for: the loader ends
/// its text with the system's reason.
bool mayPass(const std::string &text) {
  for (int number : {EMFILE, ENFILE, ENOMEM, EAGAIN, EINTR}) {
    const std::string reason = std::strerror(number);
    if (text.size() >= reason.size() &&
        text.compare(text.size() - reason.size(), reason.size(), reason) == 0)
      return true;
  }
  return false;
}

bool writeAll(int file, const uint8_t *data, size_t size) {
  for (size_t written = 0; written < size;) {
    const ssize_t step = write(file, data + written, size - written);
    if (step < 0 && errno == EINTR)
      continue;
    if (step <= 0)
      return false;
    written += static_cast<size_t>(step);
  }
  return true;
}

/// A shared library while it is opened.
struct Opening {
  const uint8_t *data;
  size_t size;
  void *library = nullptr;
  std::string error; ///< Why it could not be opened, for the last place.
  bool isPassing = false;

  void fail(const std::string &what) {
    error = what + ": " + std::strerror(errno);
    isPassing = true;
  }

  void open(const std::string &path) {
    library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    error = library ? "" : dlerror();
    isPassing = mayPass(error);
  }

  void fromMemory() {
    const int file = memfd_create("het-kernel", MFD_CLOEXEC);
    if (file < 0)
      return fail("memfd_create");
    if (writeAll(file, data, size))
      open(uniquePath(file));
    else
      fail("writing an artifact to memory");
    ::close(file);
  }

  void fromFolder(const char *folder) {
    std::string path = std::string(folder) + "/het-kernel-XXXXXX";
    const int file = mkostemp(path.data(), O_CLOEXEC);
    if (file < 0)
      return fail("without /proc, a file in " + std::string(folder));
    if (writeAll(file, data, size))
      open(path);
    else
      fail("without /proc, writing " + path);
    ::close(file);
    unlink(path.c_str());
  }
};

} // namespace

void *het::host::openLibrary(const uint8_t *data, size_t size, HetStatus *status) {
  Opening opening{data, size, nullptr, {}, false};
  if (access("/proc/thread-self/fd", X_OK) == 0)
    opening.fromMemory();
  else // some may be full, or refuse to run what lies there
    for (const char *folder : {"/dev/shm", "/tmp", "/var/tmp"})
      if (!opening.library)
        opening.fromFolder(folder);
  if (!opening.library)
    report(status, opening.isPassing ? HET_UNAVAILABLE : HET_INVALID,
           ("artifact: " + opening.error).c_str());
  return opening.library;
}
