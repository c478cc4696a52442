// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of the fake Level Zero library share.

#ifndef HET_TEST_TARGET_SPIRV_LEVELZERO_FAKESTATE_H
#define HET_TEST_TARGET_SPIRV_LEVELZERO_FAKESTATE_H

#include "../FakeKernels.h"
#include "FakeEngine.h"
#include "FakeLevelZero.h"
#include "SPIRV/Device/LevelZero/LevelZeroTypes.h"

#include <functional>
#include <memory>
#include <mutex>

#define FAKE extern "C" __attribute__((visibility("default"))) het::spirv::ze_result_t

using namespace het::spirv;

extern FakeLevelZero fake;
extern std::recursive_mutex fakeMutex;

/// Results that the fake gives of its own accord.
enum : ze_result_t {
  OutOfDeviceMemory = 0x70000003,
  BuildFailure = 0x70000004,
  InvalidArgument = 0x78000004,
  UnsupportedSize = 0x78000009,
  InvalidNativeBinary = 0x7800000F,
  InvalidKernelName = 0x78000011
};

/// A call: counted, noted, and whether it is to fail. It might start a thread.
class Call {
public:
  explicit Call(const char *function) : lock(fakeMutex) {
    fake.calls.push_back(function);
    if (!blocksSignals())
      misuse(std::string("a thread of it would take signals: ") + function);
    if (++fake.callCount == fake.failingCall) {
      fake.failed = function;
      result = fake.result;
    }
  }
  ze_result_t result = ZE_RESULT_SUCCESS;

private:
  std::lock_guard<std::recursive_mutex> lock;
};

/// Notes a misuse unless the condition holds.
inline bool expect(bool condition, const std::string &what) {
  if (!condition)
    misuse(what);
  return condition;
}

template <class Handle> bool isAlive(Handle handle, const char *kind) {
  auto it = fake.objects.find(handle);
  return expect(it != fake.objects.end() && it->second.kind == kind,
                std::string("not alive: ") + kind);
}

/// The object of a handle; null and a misuse where it is not alive.
template <class T, class Handle> T *alive(Handle handle, const char *kind) {
  return isAlive(handle, kind) ? reinterpret_cast<T *>(handle) : nullptr;
}

template <class T> T *make(const char *kind, const void *context) {
  T *made = new T;
  fake.objects[made] = {kind, context};
  return made;
}

template <class T, class Handle> void destroy(Handle handle, const char *kind) {
  if (T *object = alive<T>(handle, kind)) {
    fake.objects.erase(object);
    delete object;
  }
}

/// A structure is there and of its type.
template <uint32_t type>
bool isLegal(const ZeStructure<type> *structure, bool mayGoOn = false) {
  return expect(structure && structure->stype == type && (mayGoOn || !structure->pNext),
                "a structure is null, of another type or goes on");
}

void checkDevice(ze_device_handle_t device);
const void *contextOf(const void *object);

/// A view of what a context's device reaches; what it does not is a misuse.
FakeView viewOf(const void *context);
/// As bytes are copied: across ranges that follow each other.
void copyBytes(const void *context, uint64_t to, uint64_t from, size_t size);

struct Module {
  std::shared_ptr<FakeProgram> program;
  int kernels = 0;
};
struct Kernel {
  Module *module = nullptr;
  uint32_t access = 0, group[3] = {};
  uint64_t record = 0;
  size_t localBytes = 0;
  int waiting = 0; ///< launches in lists
};
struct CommandList {
  /// Called with whether the command is carried out: it may be lost.
  std::vector<std::function<void(bool)>> waiting;
  uint32_t group = 0;
};

#endif // HET_TEST_TARGET_SPIRV_LEVELZERO_FAKESTATE_H
