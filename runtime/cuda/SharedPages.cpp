// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files in memory (memfd), and finding those of other processes.

#include "SharedPages.h"
#include "Context.h"

#include "core/Executor.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace het::cuda {

/// The name by which a process knows memory of this runtime in another one.
static constexpr char fileName[] = "het-device-memory";

bool takesSharedPages(const Device &device) {
  const core::Executor &executor = device.device.executor();
  return executor.sharesHostMemory() && executor.keepsMemory();
}

static Status failWithErrno(const char *what) {
  return unavailable(std::string(what) + ": " + std::strerror(errno));
}

Result<std::unique_ptr<SharedPages>> SharedPages::create(size_t size) {
  const int file = memfd_create(fileName, MFD_CLOEXEC);
  if (file < 0)
    return failWithErrno("memory that can be shared");
  std::unique_ptr<SharedPages> pages(new SharedPages(file, size));
  if (ftruncate(file, static_cast<off_t>(size)))
    return failWithErrno("memory that can be shared");
  return pages;
}

/// Whether a file is one that create() has made.
static bool isOurs(int file) {
  char name[64] = {};
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t length = readlink(link.c_str(), name, sizeof(name) - 1);
  return length > 0 && std::strstr(name, fileName);
}

static Result<std::unique_ptr<SharedPages>> fail(const char *why) {
  return invalid(std::string("a handle of memory: ") + why);
}

Result<std::unique_ptr<SharedPages>> SharedPages::adopt(int descriptor) {
  const int file = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  if (file < 0)
    return fail("found no open descriptor");
  std::unique_ptr<SharedPages> pages(new SharedPages(file, 0));
  struct stat about = {};
  if (fstat(file, &about) || !isOurs(file))
    return fail("found another file, expected memory that this runtime exported");
  pages->bytes = static_cast<size_t>(about.st_size);
  return pages;
}

Result<std::unique_ptr<SharedPages>> SharedPages::open(int process, int descriptor) {
  const std::string path =
      "/proc/" + std::to_string(process) + "/fd/" + std::to_string(descriptor);
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0)
    return fail("the process that has exported it has ended, or is not to be looked at");
  Result<std::unique_ptr<SharedPages>> pages = adopt(file);
  close(file);
  return pages;
}

SharedPages::~SharedPages() { close(file); }

int SharedPages::duplicate() const { return fcntl(file, F_DUPFD_CLOEXEC, 3); }

Status SharedPages::mapOver(void *address, size_t offset, size_t size) const {
  if (mmap(address, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
           static_cast<off_t>(offset)) == MAP_FAILED)
    return failWithErrno("memory that can be shared");
  return Status::success();
}

} // namespace het::cuda
