// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operating system's calls, which tests replace.

#include "Driver.h"

#include <cerrno>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace het::tensix {
namespace {

class Linux : public System {
public:
  std::vector<std::string> list(const std::string &folder) override {
    std::vector<std::string> names;
    DIR *opened = opendir(folder.c_str());
    if (!opened)
      return names;
    while (const dirent *entry = readdir(opened))
      names.push_back(entry->d_name);
    closedir(opened);
    return names;
  }
  int open(const std::string &path, int flags) override {
    const int file = ::open(path.c_str(), flags);
    return file < 0 ? -errno : file;
  }
  void close(int file) override { ::close(file); }
  int ioctl(int file, unsigned long request, void *argument) override {
    int result;
    do
      result = ::ioctl(file, request, argument);
    while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : result;
  }
  void *map(int file, size_t bytes, uint64_t offset, int &error) override {
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, offset);
    error = errno;
    return memory == MAP_FAILED ? nullptr : memory;
  }
  void unmap(void *memory, size_t bytes) override { munmap(memory, bytes); }
  void sleep(uint64_t nanoseconds) override {
    timespec time = {static_cast<time_t>(nanoseconds / 1000000000),
                     static_cast<long>(nanoseconds % 1000000000)};
    nanosleep(&time, nullptr);
  }
};

} // namespace

System &systemCalls() {
  static Linux calls;
  return calls;
}

} // namespace het::tensix
