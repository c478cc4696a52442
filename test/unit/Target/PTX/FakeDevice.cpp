// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake driver's devices and contexts, and what of it the test controls.

#include "FakeState.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace fake;

thread_local Context *fake::current = nullptr;

State &fake::state() {
  static State &instance = *new State;
  return instance;
}

bool fake::isFatal(CUresult result) {
  static const std::set<CUresult> fatal = {
      CUDA_ERROR_ECC_UNCORRECTABLE,   CUDA_ERROR_ILLEGAL_ADDRESS,
      CUDA_ERROR_LAUNCH_TIMEOUT,      CUDA_ERROR_ASSERT,
      CUDA_ERROR_ILLEGAL_INSTRUCTION, CUDA_ERROR_MISALIGNED_ADDRESS,
      CUDA_ERROR_LAUNCH_FAILED,       CUDA_ERROR_UNKNOWN};
  return fatal.count(result);
}

void State::destroyContext(Context &context) {
  auto dropAll = [&](auto &objects) {
    for (auto it = objects.begin(); it != objects.end();) {
      auto *object = *it;
      if (object->context != &context) {
        ++it;
        continue;
      }
      it = objects.erase(it);
      delete object;
    }
  };
  dropAll(streams);
  dropAll(events);
  dropAll(modules);
  dropAll(graphExecs);
  dropAll(graphs);
  for (auto *ranges : {&managed, &memory, &hostMemory})
    for (auto &[address, range] : *ranges)
      if (range.context == &context)
        ::operator delete(reinterpret_cast<void *>(address));
  for (auto *ranges : {&managed, &memory, &hostMemory, &pinned})
    for (auto it = ranges->begin(); it != ranges->end();)
      it = it->second.context == &context ? ranges->erase(it) : std::next(it);
  context.dead = CUDA_SUCCESS;
}

bool State::holds(const Context &context) {
  auto isOf = [&](const auto *object) { return object->context == &context; };
  auto isRangeOf = [&](const auto &range) { return range.second.context == &context; };
  return std::any_of(streams.begin(), streams.end(), isOf) ||
         std::any_of(events.begin(), events.end(), isOf) ||
         std::any_of(modules.begin(), modules.end(), isOf) ||
         std::any_of(graphs.begin(), graphs.end(), isOf) ||
         std::any_of(graphExecs.begin(), graphExecs.end(), isOf) ||
         std::any_of(managed.begin(), managed.end(), isRangeOf) ||
         std::any_of(memory.begin(), memory.end(), isRangeOf) ||
         std::any_of(hostMemory.begin(), hostMemory.end(), isRangeOf) ||
         std::any_of(pinned.begin(), pinned.end(), isRangeOf);
}

void State::reset() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  for (auto &[device, context] : contexts) {
    destroyContext(context);
    context.retained = 0;
  }
  for (auto [address, size] : reservations)
    munmap(reinterpret_cast<void *>(address), size);
  reservations.clear();
  mappings.clear();
  allocations.clear();
  usedBytes = 0;
  calls.clear();
  static_cast<FakeSettings &>(*this) = {};
}

std::string State::alive() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  size_t retained = 0;
  for (auto &[device, context] : contexts)
    retained += context.retained;
  const std::pair<const char *, size_t> kinds[] = {
      {"context", retained},
      {"stream", streams.size()},
      {"event", events.size()},
      {"module", modules.size()},
      {"graph", graphs.size()},
      {"executable graph", graphExecs.size()},
      {"compilation", compilations.size()},
      {"reservation", reservations.size()},
      {"mapping", mappings.size()},
      {"allocation", allocations.size()},
      {"managed", managed.size()},
      {"pinned", pinned.size()},
      {"memory", memory.size()},
      {"host memory", hostMemory.size()},
      {"texture", textures.size()}};
  std::string text;
  for (auto [name, count] : kinds)
    if (count)
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name;
  return text;
}

std::vector<std::string> State::takeCalls() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  return std::move(calls);
}

CUresult State::enter(const char *symbol) {
  calls.push_back(symbol);
  ++callCount;
  CUresult result = CUDA_SUCCESS;
  if (callCount == failAny.call) {
    failed = symbol;
    result = failAny.result;
  }
  auto failure = failures.find(symbol);
  if (failure != failures.end() && --failure->second.call == 0)
    result = failure->second.result;
  if (current && isFatal(result) && !current->dead)
    current->dead = result;
  return result;
}

CUresult State::misuse(const char *symbol, const char *what) {
  misuses.push_back(std::string(symbol) + ": " + what);
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult State::enterContext(const char *symbol) {
  CUresult result = enter(symbol);
  if (!current || !current->retained)
    return misuse(symbol, "no current context");
  return result ? result : current->dead;
}

CUresult State::enterContextOf(const char *symbol, Context *owner) {
  CUresult result = enterContext(symbol);
  return owner == current ? result : misuse(symbol, "another context is current");
}

EXPORTED FakeDriver *hetFakeDriver() { return &state(); }

EXPORTED CUresult cuInit(unsigned flags) {
  FAKE(enter);
  return state().deviceCount ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

EXPORTED CUresult cuDriverGetVersion(int *version) {
  FAKE(enter);
  *version = state().version;
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuGetErrorName(CUresult result, const char **name) {
  static const std::map<CUresult, const char *> names = {
      {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE"},
      {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
      {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE"},
      {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED"}};
  auto it = names.find(result);
  *name = it == names.end() ? nullptr : it->second;
  return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

EXPORTED CUresult cuGetErrorString(CUresult, const char **text) {
  *text = "something went wrong";
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuDeviceGetCount(int *count) {
  FAKE(enter);
  *count = state().deviceCount;
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  FAKE(enter);
  *device = ordinal + 10; // a handle is not an ordinal
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
  FAKE(enter);
  std::strncpy(name, "Fake GPU", size);
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice) {
  FAKE(enter);
  *bytes = state().memoryBytes;
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice) {
  FAKE(enter);
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    *value = state().capabilityMajor;
    break;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
    *value = state().capabilityMinor;
    break;
  case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
    *value = state().placesMemory;
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
    *value = 227 << 10;
    break;
  case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
    *value = 0; // as newer drivers may
    break;
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = 1024;
    break;
  default:
    *value = 1000 + attribute;
  }
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuDeviceCanAccessPeer(int *can, CUdevice, CUdevice) {
  FAKE(enter);
  *can = state().peersReach;
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice device) {
  FAKE(enter);
  Context &context = state().contexts[device];
  context.device = device;
  ++context.retained;
  *out = reinterpret_cast<CUcontext>(&context);
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  auto &all = state();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  CUresult result = all.enter(__func__);
  Context &context = all.contexts[device];
  if (!context.retained)
    return all.misuse(__func__, "not retained");
  if (--context.retained)
    return result;
  if (!context.dead && all.holds(context))
    all.misuse(__func__, "something is left");
  all.destroyContext(context);
  return result;
}

EXPORTED CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  FAKE(enter);
  state().destroyContext(state().contexts[device]);
  return CUDA_SUCCESS;
}

/// Not counted as a call: it only looks at the thread.
EXPORTED CUresult cuCtxGetCurrent(CUcontext *context) {
  *context = reinterpret_cast<CUcontext>(current);
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuCtxSetCurrent(CUcontext context) {
  FAKE(enter);
  if (context && !unwrap(context)->retained)
    return state().misuse(__func__, "a context that is gone");
  current = unwrap(context);
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuCtxSetLimit(int limit, size_t value) {
  FAKE(enterContext);
  return value > (size_t(1) << 40) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
