// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waiting for numbers that other processes change.

#include "SharedSignal.h"

#include <cerrno>
#include <cstring>
#include <linux/futex.h>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace het::cuda {

static constexpr size_t pageSize = 4096;

Result<std::shared_ptr<SharedSignal>>
SharedSignal::open(std::unique_ptr<SharedPages> pages) {
  if (pages->size() != pageSize)
    return invalid("a handle of an event: found memory of another size");
  void *memory =
      mmap(nullptr, pageSize, PROT_READ | PROT_WRITE, MAP_SHARED, pages->descriptor(), 0);
  if (memory == MAP_FAILED)
    return unavailable(std::string("an event that is shared: ") + std::strerror(errno));
  return std::shared_ptr<SharedSignal>(new SharedSignal(std::move(pages), memory));
}

Result<std::shared_ptr<SharedSignal>> SharedSignal::create() {
  Result<std::unique_ptr<SharedPages>> pages = SharedPages::create(pageSize);
  return pages.ok() ? open(pages.take()) : pages.status();
}

SharedSignal::~SharedSignal() { munmap(numbers, pageSize); }

/// Numbers go round the end.
bool SharedSignal::isReached(uint32_t number) const {
  return static_cast<int32_t>(numbers->reached - number) >= 0;
}

void SharedSignal::reach(uint32_t number) {
  uint32_t before = numbers->reached;
  while (static_cast<int32_t>(number - before) > 0 &&
         !numbers->reached.compare_exchange_weak(before, number))
    ;
  syscall(SYS_futex, &numbers->reached, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
}

void SharedSignal::wait(uint32_t number) const {
  while (!isReached(number)) {
    const uint32_t seen = numbers->reached;
    if (static_cast<int32_t>(seen - number) < 0)
      syscall(SYS_futex, &numbers->reached, FUTEX_WAIT, seen, nullptr, nullptr, 0);
  }
}

} // namespace het::cuda
