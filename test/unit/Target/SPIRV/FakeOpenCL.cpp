// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake's functions of OpenCL.

#include "FakeOpenCL.h"
#include "FakeKernels.h"
#include "SPIRV/Device/OpenCL/OpenCL.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <unistd.h>

using namespace het::spirv;

namespace {

std::recursive_mutex mutex;
FakeOpenCL fake;

struct Program {
  std::string code;
};
struct Kernel {
  std::string code;
  void *record = nullptr;
  size_t localBytes = 0;
};
struct Queue {
  std::vector<std::pair<FakeLaunch, void *>> waiting;
};

/// Is gone when the process has ended, as a driver's objects are: nothing may be called
/// then.
struct Own {
  std::atomic<int> busy{0};
  const pid_t process = getpid();
  inline static std::atomic<bool> isGone{false};
  ~Own() {
    isGone = true;
    if (busy && getpid() == process)
      std::_Exit(99);
  }
};
Own &own() {
  static Own made;
  return made;
}

/// A call: counted, noted, and whether it is to fail. It might start a thread.
class Call {
public:
  explicit Call(const char *function) : lock(mutex) {
    if (Own::isGone)
      std::_Exit(98);
    ++own().busy;
    fake.calls.push_back(function);
    if (!blocksSignals())
      fake.misuses.push_back(std::string("a thread of it would take signals: ") +
                             function);
    if (++fake.callCount == fake.failingCall) {
      fake.failed = function;
      result = fake.result;
    }
  }
  ~Call() { --own().busy; }
  cl_int result = CL_SUCCESS;

private:
  std::lock_guard<std::recursive_mutex> lock;
};

template <class T> T *make(const char *kind) {
  T *made = new T;
  fake.handles[made] = kind;
  return made;
}

/// The object of a handle; null and a misuse where it is not alive.
template <class T, class Handle> T *alive(Handle handle, const char *kind) {
  auto it = fake.handles.find(handle);
  if (it != fake.handles.end() && it->second == kind)
    return reinterpret_cast<T *>(handle);
  fake.misuses.push_back(std::string("not alive: ") + kind);
  return nullptr;
}

template <class T, class Handle> cl_int release(Handle handle, const char *kind) {
  T *object = alive<T>(handle, kind);
  fake.handles.erase(handle);
  delete object;
  return CL_SUCCESS;
}

cl_int answer(const void *data, size_t size, size_t room, void *out, size_t *needed) {
  if (needed)
    *needed = size;
  if (out && room < size)
    return -30; // CL_INVALID_VALUE
  if (out)
    std::memcpy(out, data, size);
  return CL_SUCCESS;
}

cl_int answer(const std::string &text, size_t room, void *out, size_t *needed) {
  return answer(text.c_str(), text.size() + 1, room, out, needed);
}

cl_int answer(uint64_t number, size_t room, void *out, size_t *needed) {
  return answer(&number, sizeof(number), room, out, needed);
}

cl_int setPointer(cl_kernel kernel, cl_uint index, const void *pointer) {
  Call call("clSetKernelArgMemPointerINTEL");
  if (call.result)
    return call.result;
  if (auto *object = alive<Kernel>(kernel, "kernel"); object && index == 0)
    object->record = const_cast<void *>(pointer);
  return CL_SUCCESS;
}

} // namespace

#define FAKE extern "C" __attribute__((visibility("default")))

FAKE FakeOpenCL *hetFakeOpenCL() { return &fake; }

FAKE cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *out, cl_uint *count) {
  Call call("clGetPlatformIDs");
  if (call.result)
    return call.result;
  if (count)
    *count = fake.platformCount;
  for (cl_uint i = 0; out && i < room; ++i)
    out[i] = reinterpret_cast<cl_platform_id>(uintptr_t(16 + i));
  return CL_SUCCESS;
}

FAKE cl_int clGetDeviceIDs(cl_platform_id, cl_bitfield, cl_uint room, cl_device_id *out,
                           cl_uint *count) {
  Call call("clGetDeviceIDs");
  if (call.result)
    return call.result;
  if (count)
    *count = fake.deviceCount;
  for (cl_uint i = 0; out && i < room; ++i)
    out[i] = reinterpret_cast<cl_device_id>(uintptr_t(32 + i));
  return fake.deviceCount ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

FAKE cl_int clGetDeviceInfo(cl_device_id, cl_uint what, size_t room, void *out,
                            size_t *needed) {
  Call call("clGetDeviceInfo");
  if (call.result)
    return call.result;
  switch (what) {
  case CL_DEVICE_TYPE:
    return answer(fake.deviceType, room, out, needed);
  case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
    return fake.generic < 0
               ? fake.generic
               : answer(&fake.generic, sizeof(fake.generic), room, out, needed);
  case CL_DEVICE_UUID_KHR:
    return answer(fake.uuid.data(), fake.uuid.size(), room, out, needed);
  case CL_DEVICE_NAME:
    return answer("Fake", room, out, needed);
  case CL_DRIVER_VERSION:
    return answer(fake.driver, room, out, needed);
  case CL_DEVICE_EXTENSIONS:
    return answer(fake.extensions, room, out, needed);
  case CL_DEVICE_IL_VERSION:
    return answer(fake.languages, room, out, needed);
  case CL_DEVICE_SUB_GROUP_SIZES_INTEL:
    return answer(fake.subgroupSizes.data(), fake.subgroupSizes.size() * sizeof(size_t),
                  room, out, needed);
  case CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL:
    return answer(fake.systemMemory, room, out, needed);
  case CL_DEVICE_LOCAL_MEM_SIZE:
    return answer(fake.localBytes, room, out, needed);
  case CL_DEVICE_MAX_WORK_GROUP_SIZE:
    return answer(uint64_t(1024), room, out, needed);
  case CL_DEVICE_GLOBAL_MEM_SIZE:
    return answer(uint64_t(1) << 30, room, out, needed);
  case CL_DEVICE_MAX_COMPUTE_UNITS:
    return answer(uint64_t(4), room, out, needed);
  default:
    fake.misuses.push_back("an unknown property of a device");
    return -30;
  }
}

FAKE void *clGetExtensionFunctionAddressForPlatform(cl_platform_id, const char *name) {
  Call call("clGetExtensionFunctionAddressForPlatform");
  bool isKnown = std::strcmp(name, "clSetKernelArgMemPointerINTEL") == 0;
  return isKnown && fake.hasPointerArguments && !call.result
             ? reinterpret_cast<void *>(&setPointer)
             : nullptr;
}

FAKE cl_context clCreateContext(const intptr_t *, cl_uint, const cl_device_id *,
                                void (*)(const char *, const void *, size_t, void *),
                                void *, cl_int *error) {
  Call call("clCreateContext");
  *error = call.result;
  return call.result ? nullptr : reinterpret_cast<cl_context>(make<int>("context"));
}

FAKE cl_int clReleaseContext(cl_context context) {
  Call call("clReleaseContext");
  release<int>(context, "context");
  return call.result;
}

FAKE cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id,
                                                         const cl_bitfield *,
                                                         cl_int *error) {
  Call call("clCreateCommandQueueWithProperties");
  *error = call.result;
  alive<int>(context, "context");
  return call.result ? nullptr : reinterpret_cast<cl_command_queue>(make<Queue>("queue"));
}

FAKE cl_int clReleaseCommandQueue(cl_command_queue queue) {
  Call call("clReleaseCommandQueue");
  if (auto *object = alive<Queue>(queue, "queue"); object && !object->waiting.empty())
    fake.misuses.push_back("a queue is released before its launches have run");
  release<Queue>(queue, "queue");
  return call.result;
}

static cl_program makeProgram(const std::string &code) {
  auto *program = make<Program>("program");
  program->code = code;
  return reinterpret_cast<cl_program>(program);
}

FAKE cl_program clCreateProgramWithIL(cl_context context, const void *code, size_t size,
                                      cl_int *error) {
  Call call("clCreateProgramWithIL");
  *error = call.result;
  alive<int>(context, "context");
  return call.result ? nullptr
                     : makeProgram(std::string(static_cast<const char *>(code), size));
}

FAKE cl_program clCreateProgramWithBinary(cl_context context, cl_uint,
                                          const cl_device_id *, const size_t *size,
                                          const unsigned char **code, cl_int *,
                                          cl_int *error) {
  Call call("clCreateProgramWithBinary");
  alive<int>(context, "context");
  std::string text(reinterpret_cast<const char *>(*code), *size);
  *error = call.result;
  if (!call.result && text.rfind("binary ", 0) != 0)
    *error = -42; // CL_INVALID_BINARY
  return *error ? nullptr : makeProgram(text.substr(7));
}

FAKE cl_int clBuildProgram(cl_program program, cl_uint, const cl_device_id *,
                           const char *, void (*)(cl_program, void *), void *) {
  Call call("clBuildProgram");
  auto *object = alive<Program>(program, "program");
  if (call.result || !object)
    return call.result;
  return object->code == "broken" ? -11 : CL_SUCCESS; // CL_BUILD_PROGRAM_FAILURE
}

FAKE cl_int clGetProgramInfo(cl_program program, cl_uint what, size_t, void *out,
                             size_t *) {
  Call call("clGetProgramInfo");
  auto *object = alive<Program>(program, "program");
  if (call.result || !object)
    return call.result;
  std::string code = "binary " + object->code;
  if (what == CL_PROGRAM_BINARY_SIZES)
    *static_cast<size_t *>(out) = fake.hasBinaries ? code.size() : 0;
  else
    std::memcpy(*static_cast<unsigned char **>(out), code.data(), code.size());
  return CL_SUCCESS;
}

FAKE cl_int clGetProgramBuildInfo(cl_program program, cl_device_id, cl_uint, size_t room,
                                  void *out, size_t *needed) {
  Call call("clGetProgramBuildInfo");
  alive<Program>(program, "program");
  return call.result ? call.result : answer("it is broken", room, out, needed);
}

FAKE cl_int clReleaseProgram(cl_program program) {
  Call call("clReleaseProgram");
  release<Program>(program, "program");
  return call.result;
}

FAKE cl_kernel clCreateKernel(cl_program program, const char *, cl_int *error) {
  Call call("clCreateKernel");
  *error = call.result;
  auto *object = alive<Program>(program, "program");
  if (call.result || !object)
    return nullptr;
  auto *kernel = make<Kernel>("kernel");
  kernel->code = object->code;
  return reinterpret_cast<cl_kernel>(kernel);
}

FAKE cl_int clReleaseKernel(cl_kernel kernel) {
  Call call("clReleaseKernel");
  release<Kernel>(kernel, "kernel");
  return call.result;
}

FAKE cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id, cl_uint what,
                                     size_t room, void *out, size_t *needed) {
  Call call("clGetKernelWorkGroupInfo");
  alive<Kernel>(kernel, "kernel");
  uint64_t value = what == CL_KERNEL_WORK_GROUP_SIZE ? 512 : 48;
  return call.result ? call.result : answer(value, room, out, needed);
}

FAKE cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *) {
  Call call("clSetKernelArg");
  if (auto *object = alive<Kernel>(kernel, "kernel"); object && index == 1)
    object->localBytes = size;
  return call.result;
}

FAKE cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint,
                                   const size_t *, const size_t *items,
                                   const size_t *group, cl_uint, const cl_event *,
                                   cl_event *) {
  Call call("clEnqueueNDRangeKernel");
  auto *object = alive<Kernel>(kernel, "kernel");
  auto *commands = alive<Queue>(queue, "queue");
  if (call.result || !object || !commands)
    return call.result;
  FakeLaunch launch = {object->code, items[0] * items[1] * items[2]};
  fake.launches.push_back(object->code + " " + std::to_string(launch.items) + "/" +
                          std::to_string(group[0] * group[1] * group[2]) + " " +
                          std::to_string(object->localBytes));
  commands->waiting.push_back({launch, object->record});
  return CL_SUCCESS;
}

FAKE cl_int clFinish(cl_command_queue queue) {
  Call call("clFinish");
  auto *object = alive<Queue>(queue, "queue");
  if (!object)
    return call.result;
  if (fake.finishes)
    fake.finishes();
  auto waiting = std::move(object->waiting);
  object->waiting.clear();
  for (auto &[launch, record] : waiting)
    if (!call.result)
      runFakeKernel(
          launch, reinterpret_cast<uint64_t>(record),
          [](uint64_t address, size_t) { return reinterpret_cast<uint8_t *>(address); });
  return call.result;
}
