// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the pages of some bytes that a reader touches, as a measure of its work.

#ifndef HET_TEST_PACKAGE_TOUCHEDPAGES_H
#define HET_TEST_PACKAGE_TOUCHEDPAGES_H

#include "het/Base/Bytes.h"

#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace het::test {

/// A copy of bytes whose pages are protected until they are read. One at a time.
class TouchedPages {
public:
  explicit TouchedPages(ByteView bytes)
      : pageSize(sysconf(_SC_PAGESIZE)), size(bytes.size),
        pages((size + pageSize - 1) / pageSize) {
    void *memory = mmap(nullptr, pages * pageSize, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(memory, MAP_FAILED);
    data = static_cast<uint8_t *>(memory);
    std::memcpy(data, bytes.data, size);
    current = this;
    struct sigaction action = {};
    action.sa_sigaction = touch;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, &before);
    restart();
  }
  ~TouchedPages() {
    sigaction(SIGSEGV, &before, nullptr);
    munmap(data, pages * pageSize);
  }
  TouchedPages(const TouchedPages &) = delete;
  TouchedPages &operator=(const TouchedPages &) = delete;

  ByteView view() const { return {data, size}; }
  /// How many have been touched since the last restart.
  size_t count() const { return touched; }
  size_t total() const { return pages; }
  void restart() {
    touched = 0;
    EXPECT_EQ(mprotect(data, pages * pageSize, PROT_NONE), 0);
  }

private:
  static void touch(int, siginfo_t *info, void *) {
    auto *address = static_cast<uint8_t *>(info->si_addr);
    const size_t page = size_t(address - current->data) / current->pageSize;
    if (address < current->data || page >= current->pages) {
      sigaction(SIGSEGV, &current->before, nullptr); // a fault of its own
      return;
    }
    ++current->touched;
    mprotect(current->data + page * current->pageSize, current->pageSize, PROT_READ);
  }

  static inline TouchedPages *current = nullptr;
  const size_t pageSize, size, pages;
  uint8_t *data = nullptr;
  volatile size_t touched = 0;
  struct sigaction before = {};
};

} // namespace het::test

#endif // HET_TEST_PACKAGE_TOUCHEDPAGES_H
