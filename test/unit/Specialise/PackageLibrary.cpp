// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library with a package in it, which the test puts there. It unregisters the package
// when it is closed, as compiled host code does.

#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" {
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
}

namespace {

alignas(64) uint8_t package[1 << 16];

struct {
  uint32_t magic = 0x466243b1, version = 1;
  const void *data = package;
  void *unused = nullptr;
} wrapper;

struct Registration {
  void **handle = nullptr;
  ~Registration() { __cudaUnregisterFatBinary(handle); }
} registration;

} // namespace

extern "C" __attribute__((visibility("default"))) bool registerPackage(const void *bytes,
                                                                       size_t size) {
  if (size > sizeof(package))
    return false;
  std::memcpy(package, bytes, size);
  registration.handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFatBinaryEnd(registration.handle);
  return true;
}
