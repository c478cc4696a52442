// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device plug-ins of the tests' own: each takes the table of a target that is always
// here, replaces some functions, and exports what of them a test controls or counts.

#ifndef HET_TEST_UNIT_FAKEDEVICE_H
#define HET_TEST_UNIT_FAKEDEVICE_H

#include "het/Target/TargetABI.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>

/// What a plug-in exports beside its table.
#define FAKE_EXPORTED extern "C" __attribute__((visibility("default")))

namespace het::test {

/// Of a device that runs kernels on the host (FakeDevice.cpp), all of that target.
struct FakeControl {
  std::atomic<int> mapsUntilFailure{-1};   ///< From then on all; less than 0: none.
  std::atomic<int> copiesUntilFailure{-1}; ///< Likewise.
  std::atomic<bool> pinsFail{false}, limitsFail{false};
  std::atomic<uint32_t> parkableThreads{1024}; ///< The most a block of parkable code has.
  std::atomic<bool> loadsParkable{true};
  std::atomic<uint32_t> sharedBytes{227 << 10}; ///< When a device is opened.
  std::atomic<uint64_t> layoutChange{0};        ///< Added to that of every kernel.
  std::atomic<uint32_t> places{64};             ///< For blocks, on one processor.
  std::atomic<int> copies{0}, pins{0}, plainLaunches{0};
  std::atomic<uint64_t> mappedBytes{0};
  std::atomic<void *> lost[2] = {}; ///< HetDevices; by FakeLose.
};

/// Exported as hetFakeControl.
using FakeControlFunction = FakeControl *(*)();
/// Exported as hetFakeLose: the device does nothing more. Null: none is lost any more.
using FakeLose = void (*)(void *device);

/// For tests: what a plug-in exports under this name. The plug-in is opened, or
/// (RTLD_NOLOAD) has to be open already, or the result is null.
template <typename Function>
Function fakeFunction(const std::string &plugin, const char *name, int flags = 0) {
  void *library = dlopen(plugin.c_str(), RTLD_NOW | flags);
  return library ? reinterpret_cast<Function>(dlsym(library, name)) : nullptr;
}

/// For plug-ins: the table of the device plug-in of that file.
inline const HetDeviceABI &tableOf(const char *plugin) {
  auto entry = fakeFunction<HetDeviceEntry>(plugin, "hetDeviceABI", RTLD_LOCAL);
  if (!entry)
    std::abort();
  return *entry();
}

/// For plug-ins: a copy of a table, for a target that is there when it is asked for.
inline HetDeviceABI fakeTable(const HetDeviceABI &base, const char *name) {
  HetDeviceABI table = base;
  table.name = name;
  table.role = HET_ROLE_ON_REQUEST;
  return table;
}

/// Counts down, and stays at 0.
inline bool fails(std::atomic<int> &untilFailure) {
  int left = untilFailure;
  while (left > 0 && !untilFailure.compare_exchange_weak(left, left - 1)) {
  }
  return left == 0;
}

} // namespace het::test

#endif // HET_TEST_UNIT_FAKEDEVICE_H
