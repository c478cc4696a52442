// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plug-in's operator new, as the linker's --wrap has it.

#include "FreshAddresses.h"
#include "llvm/CodeGen/MachineFunction.h"
#include <new>

/// The usual operator new(size_t), and this plug-in's.
extern "C" void *__real__Znwm(size_t size);
extern "C" void *__wrap__Znwm(size_t size);

namespace het::spirv {

static thread_local FreshAddresses *current = nullptr;

FreshAddresses::FreshAddresses(llvm::DenseSet<const void *> &used) : used(used) {
  current = this;
}

FreshAddresses::~FreshAddresses() {
  current = nullptr;
  for (void *memory : rejected)
    ::operator delete(memory);
}

void *FreshAddresses::allocate(size_t size) {
  for (;;) {
    void *memory = __real__Znwm(size);
    if (used.insert(memory).second)
      return memory;
    rejected.push_back(memory);
  }
}

} // namespace het::spirv

void *__wrap__Znwm(size_t size) {
  using namespace het::spirv;
  return size == sizeof(llvm::MachineFunction) && current ? current->allocate(size)
                                                          : __real__Znwm(size);
}
