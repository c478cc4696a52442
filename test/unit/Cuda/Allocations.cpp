// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

thread_local long allocationsLeft = -1;

static std::atomic<long> alive{0};

long allocationsAlive() { return alive; }

void *operator new(size_t size) {
  void *memory = nullptr;
  if (allocationsLeft) {
    memory = std::malloc(size);
    allocationsLeft -= allocationsLeft > 0;
  }
  if (!memory)
    throw std::bad_alloc();
  ++alive;
  return memory;
}

void operator delete(void *memory) noexcept {
  alive -= memory ? 1 : 0;
  std::free(memory);
}
void operator delete(void *memory, size_t) noexcept { operator delete(memory); }
