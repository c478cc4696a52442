// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory and events that two processes share. The other process is this program, run
// again for one test, with the handles in a file.

#include "DriverSupport.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

/// What one process tells the other.
struct Handles {
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t event;
};

/// The file by which a process passes handles to those that it starts.
std::string fileOf(pid_t process) {
  return testing::TempDir() + "het-ipc-" + std::to_string(process);
}

/// Runs this program for one test, and returns its exit status.
int runAgain(const char *test) {
  const std::string filter = std::string("--gtest_filter=") + test;
  const pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "HetCudaTests", filter.c_str(),
          "--gtest_also_run_disabled_tests", nullptr);
    _exit(127);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

TEST(Ipc, DISABLED_OtherProcess) {
  Handles handles = {};
  FILE *file = std::fopen(fileOf(getppid()).c_str(), "r");
  ASSERT_NE(file, nullptr);
  ASSERT_EQ(std::fread(&handles, sizeof(handles), 1, file), 1u);
  std::fclose(file);
  const auto &[handle, eventHandle] = handles;
  void *memory = nullptr, *again = nullptr;
  CUDA_OK(cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess));
  CUDA_OK(cudaIpcOpenMemHandle(&again, handle, cudaIpcMemLazyEnablePeerAccess));
  EXPECT_EQ(again, memory);
  unsigned value = 0;
  CUDA_OK(cudaMemcpy(&value, memory, 4, cudaMemcpyDeviceToHost));
  EXPECT_EQ(value, 17u);
  CUDA_FAILS(cudaErrorInvalidValue, cudaFree(memory)); // it is closed, not freed
  CUDA_OK(cudaMemset(static_cast<char *>(memory) + 4, 0x22, 4));
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaIpcCloseMemHandle(memory));
  CUDA_OK(cudaMemcpy(&value, memory, 4, cudaMemcpyDeviceToHost));
  CUDA_OK(cudaIpcCloseMemHandle(memory));
  CUDA_FAILS(cudaErrorInvalidValue, cudaIpcCloseMemHandle(memory));
  cudaEvent_t event = nullptr;
  CUDA_OK(cudaIpcOpenEventHandle(&event, eventHandle));
  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady); // the other's stream is held
  Stream stream;
  CUDA_OK(cudaStreamWaitEvent(stream, event, 0));
  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  // A record of this process, which the other one sees.
  Stream own(cudaStreamNonBlocking);
  CUDA_OK(cudaEventRecord(event, own));
  CUDA_OK(cudaEventSynchronize(event));
  CUDA_OK(cudaStreamSynchronize(stream));
  CUDA_OK(cudaEventDestroy(event));
}

TEST(Ipc, ProcessesShareMemoryAndEvents) {
  unsigned *memory = nullptr;
  CUDA_OK(cudaMalloc(reinterpret_cast<void **>(&memory), 64));
  const unsigned first = 17;
  CUDA_OK(cudaMemcpy(memory, &first, 4, cudaMemcpyHostToDevice));
  cudaIpcMemHandle_t handle, same;
  cudaError_t shared = cudaIpcGetMemHandle(&handle, memory);
  cudaEvent_t event = nullptr;
  const unsigned flags = cudaEventInterprocess | cudaEventDisableTiming;
  if (shared == cudaErrorNotSupported) {
    CUDA_FAILS(cudaErrorNotSupported, cudaEventCreateWithFlags(&event, flags));
    CUDA_OK(cudaFree(memory));
    GTEST_SKIP() << "the device moves, so its memory is not to be shared";
  }
  CUDA_OK(shared);
  CUDA_OK(cudaIpcGetMemHandle(&same, memory));
  EXPECT_EQ(std::memcmp(&handle, &same, sizeof(handle)), 0);
  CUDA_OK(cudaEventCreateWithFlags(&event, flags));
  cudaIpcEventHandle_t eventHandle;
  CUDA_OK(cudaIpcGetEventHandle(&eventHandle, event));
  {
    Stream stream;
    Gate held(stream);
    CUDA_OK(cudaEventRecord(event, stream));
    const Handles handles = {handle, eventHandle};
    FILE *file = std::fopen(fileOf(getpid()).c_str(), "w");
    ASSERT_NE(file, nullptr);
    ASSERT_EQ(std::fwrite(&handles, sizeof(handles), 1, file), 1u);
    std::fclose(file);
    EXPECT_EQ(runAgain("Ipc.DISABLED_OtherProcess"), 0);
    std::remove(fileOf(getpid()).c_str());
    held.open();
    CUDA_OK(cudaStreamSynchronize(stream));
  }
  CUDA_OK(cudaEventSynchronize(event));
  unsigned values[2] = {};
  CUDA_OK(cudaMemcpy(values, memory, 8, cudaMemcpyDeviceToHost));
  EXPECT_EQ(values[0], 17u);
  EXPECT_EQ(values[1], 0x22222222u);
  CUDA_OK(cudaEventDestroy(event));
  CUDA_OK(cudaFree(memory));
  // Freed, and what comes to its place is not shared by that handle.
  CUDA_FAILS(cudaErrorInvalidValue, cudaIpcGetMemHandle(&handle, memory));
}

TEST(Ipc, RefusesWhatIsNotItsOwn) {
  DeviceMemory<int> memory(4);
  cudaIpcMemHandle_t handle = {};
  cudaIpcEventHandle_t eventHandle = {};
  cudaEvent_t event = nullptr;
  void *pointer = nullptr;
  int local = 0;
  CUDA_FAILS(cudaErrorInvalidValue, cudaIpcGetMemHandle(&handle, &local));
  CUDA_FAILS(cudaErrorInvalidValue, cudaIpcGetMemHandle(nullptr, memory));
  CUDA_FAILS(cudaErrorInvalidValue, cudaIpcCloseMemHandle(memory));
  CUDA_OK(cudaEventCreate(&event));
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaIpcGetEventHandle(&eventHandle, event));
  CUDA_OK(cudaEventDestroy(event));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaEventCreateWithFlags(&event, cudaEventInterprocess)); // with timing
  CUDA_FAILS(cudaErrorInvalidResourceHandle,
             cudaIpcOpenEventHandle(&event, eventHandle)); // no handle
  CUDA_FAILS(cudaErrorInvalidValue, cudaIpcOpenMemHandle(&pointer, handle, 4));
  if (cudaIpcGetMemHandle(&handle, memory) == cudaSuccess)
    CUDA_FAILS(cudaErrorDeviceUninitialized,
               cudaIpcOpenMemHandle(&pointer, handle, cudaIpcMemLazyEnablePeerAccess));
  cudaGetLastError();
}

TEST_F(Driver, HandlesForOtherProcesses) {
  CUdeviceptr memory = 0, opened = 0;
  CUipcMemHandle handle = {};
  CUipcEventHandle eventHandle = {};
  CUevent event = nullptr;
  CU_OK(cuMemAlloc(&memory, 64));
  const CUresult shared = cuIpcGetMemHandle(&handle, memory);
  if (shared == CUDA_ERROR_NOT_SUPPORTED) {
    CU_OK(cuMemFree(memory));
    GTEST_SKIP() << "the device moves, so its memory is not to be shared";
  }
  CU_OK(shared);
  CU_FAILS(CUDA_ERROR_INVALID_CONTEXT,
           cuIpcOpenMemHandle(&opened, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuIpcCloseMemHandle(memory));
  CU_OK(cuEventCreate(&event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
  CU_OK(cuIpcGetEventHandle(&eventHandle, event));
  CUevent same = nullptr; // of this process, which events allow
  CU_OK(cuIpcOpenEventHandle(&same, eventHandle));
  CU_OK(cuEventRecord(event, nullptr));
  CU_OK(cuEventSynchronize(same));
  CU_OK(cuEventDestroy(same));
  CU_OK(cuEventDestroy(event));
  CU_OK(cuMemFree(memory));
}

/// A pool that another process imports, with a pointer into it.
namespace {
struct PoolHandles {
  int descriptor;
  cudaMemPoolPtrExportData data;
};
} // namespace

TEST(Ipc, DISABLED_OtherProcessOfPool) {
  PoolHandles handles = {};
  FILE *file = std::fopen(fileOf(getppid()).c_str(), "r");
  ASSERT_NE(file, nullptr);
  ASSERT_EQ(std::fread(&handles, sizeof(handles), 1, file), 1u);
  std::fclose(file);
  cudaMemPool_t pool = nullptr;
  auto *handle = reinterpret_cast<void *>(static_cast<intptr_t>(handles.descriptor));
  CUDA_OK(cudaMemPoolImportFromShareableHandle(&pool, handle,
                                               cudaMemHandleTypePosixFileDescriptor, 0));
  void *memory = nullptr, *again = nullptr;
  CUDA_OK(cudaMemPoolImportPointer(&memory, pool, &handles.data));
  CUDA_OK(cudaMemPoolImportPointer(&again, pool, &handles.data));
  EXPECT_EQ(again, memory);
  unsigned value = 0;
  CUDA_OK(cudaMemcpy(&value, memory, 4, cudaMemcpyDeviceToHost));
  EXPECT_EQ(value, 23u);
  CUDA_OK(cudaMemset(static_cast<char *>(memory) + 4, 0x33, 4));
  CUDA_OK(cudaDeviceSynchronize());
  // Nothing can be allocated of it, nor exported again.
  void *other = nullptr;
  CUDA_FAILS(cudaErrorInvalidValue, cudaMallocFromPoolAsync(&other, 64, pool, nullptr));
  CUDA_FAILS(cudaErrorInvalidValue, cudaDeviceSetMemPool(0, pool));
  int descriptor = -1;
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaMemPoolExportToShareableHandle(&descriptor, pool,
                                                cudaMemHandleTypePosixFileDescriptor, 0));
  cudaMemPoolPtrExportData wrong = handles.data;
  wrong.reserved[40] ^= 1; // another pool's name
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemPoolImportPointer(&other, pool, &wrong));
  wrong = handles.data;
  wrong.reserved[0] ^= 1;
  EXPECT_NE(cudaMemPoolImportPointer(&other, pool, &wrong), cudaSuccess);
  (void)cudaGetLastError();
  CUDA_OK(cudaFreeAsync(memory, nullptr));
  CUDA_OK(cudaFree(memory));
  CUDA_FAILS(cudaErrorInvalidValue, cudaFree(memory));
  CUDA_OK(cudaMemPoolDestroy(pool));
}

namespace {

constexpr auto posix = cudaMemHandleTypePosixFileDescriptor;

/// A pool of device 0; null where the device's memory is not to be shared.
cudaMemPool_t makePool(cudaMemAllocationHandleType type) {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  properties.handleTypes = type;
  cudaMemPool_t pool = nullptr;
  const cudaError_t made = cudaMemPoolCreate(&pool, &properties);
  EXPECT_TRUE(made == cudaSuccess || made == cudaErrorNotSupported);
  (void)cudaGetLastError();
  return pool;
}

} // namespace

TEST(Ipc, WrongHandlesOfPools) {
  cudaMemPool_t pool = makePool(posix), plain = makePool(cudaMemHandleTypeNone);
  if (!pool)
    GTEST_SKIP() << "the device's memory is not to be shared";
  int descriptor = -1;
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaMemPoolExportToShareableHandle(&descriptor, plain, posix, 0));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaMemPoolExportToShareableHandle(nullptr, pool, posix, 0));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaMemPoolExportToShareableHandle(&descriptor, pool, posix, 1));
  CUDA_FAILS(cudaErrorNotSupported, cudaMemPoolExportToShareableHandle(
                                        &descriptor, pool, cudaMemHandleTypeWin32, 0));
  cudaMemPool_t imported = nullptr;
  for (intptr_t number : {-1, 987654, 0}) // none is open, and another file
    CUDA_FAILS(cudaErrorInvalidValue,
               cudaMemPoolImportFromShareableHandle(
                   &imported, reinterpret_cast<void *>(number), posix, 0));
  void *other = nullptr;
  cudaMemPoolPtrExportData data = {};
  CUDA_OK(cudaMallocFromPoolAsync(&other, 64, plain, nullptr));
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemPoolExportPointer(&data, other));
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemPoolExportPointer(nullptr, other));
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemPoolImportPointer(&other, pool, &data));
  CUDA_OK(cudaFreeAsync(other, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaMemPoolDestroy(pool));
  CUDA_OK(cudaMemPoolDestroy(plain));
}

TEST_F(Driver, PoolsForOtherProcesses) {
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  properties.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  constexpr auto type = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  CUmemoryPool pool = nullptr, imported = nullptr;
  const CUresult made = cuMemPoolCreate(&pool, &properties);
  if (made == CUDA_ERROR_NOT_SUPPORTED)
    GTEST_SKIP() << "the device's memory is not to be shared";
  CU_OK(made);
  int descriptor = -1;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuMemPoolExportToShareableHandle(&descriptor, pool, type, 1));
  CU_FAILS(CUDA_ERROR_NOT_SUPPORTED, cuMemPoolExportToShareableHandle(
                                         &descriptor, pool, CU_MEM_HANDLE_TYPE_WIN32, 0));
  CU_OK(cuMemPoolExportToShareableHandle(&descriptor, pool, type, 0));
  auto *handle = reinterpret_cast<void *>(static_cast<intptr_t>(descriptor));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuMemPoolImportFromShareableHandle(&imported, handle, type, 1));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuMemPoolImportFromShareableHandle(nullptr, handle, type, 0));
  CU_OK(cuMemPoolImportFromShareableHandle(&imported, handle, type, 0));
  close(descriptor);
  CUdeviceptr memory = 0, other = 0;
  CUmemPoolPtrExportData data = {};
  CU_OK(cuMemAllocFromPoolAsync(&memory, 64, pool, nullptr));
  CU_OK(cuMemPoolExportPointer(&data, memory));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPoolExportPointer(nullptr, memory));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPoolImportPointer(nullptr, imported, &data));
  // The pool's own process has the memory already.
  CU_FAILS(CUDA_ERROR_INVALID_CONTEXT, cuMemPoolImportPointer(&other, imported, &data));
  data.reserved[40] ^= 1; // another pool's
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPoolImportPointer(&other, imported, &data));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemPoolExportPointer(&data, other));
  CU_OK(cuMemFreeAsync(memory, nullptr));
  CU_OK(cuMemPoolDestroy(imported));
  CU_OK(cuMemPoolDestroy(pool));
}

TEST(Ipc, ProcessesShareAPool) {
  cudaMemPool_t pool = makePool(posix);
  if (!pool)
    GTEST_SKIP() << "the device's memory is not to be shared";
  int types = 0, descriptor = -1;
  CUDA_OK(cudaDeviceGetAttribute(&types, cudaDevAttrMemoryPoolSupportedHandleTypes, 0));
  EXPECT_EQ(types, int(posix));
  unsigned *memory = nullptr;
  CUDA_OK(cudaMallocFromPoolAsync(reinterpret_cast<void **>(&memory), 64, pool, nullptr));
  PoolHandles handles = {};
  const unsigned first = 23;
  CUDA_OK(cudaMemcpy(memory, &first, 4, cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemPoolExportPointer(&handles.data, memory));
  CUDA_OK(cudaMemPoolExportToShareableHandle(&descriptor, pool, posix, 0));
  handles.descriptor =
      dup(descriptor); // one that stays open in a process that is started
  FILE *file = std::fopen(fileOf(getpid()).c_str(), "w");
  ASSERT_NE(file, nullptr);
  ASSERT_EQ(std::fwrite(&handles, sizeof(handles), 1, file), 1u);
  std::fclose(file);
  EXPECT_EQ(runAgain("Ipc.DISABLED_OtherProcessOfPool"), 0);
  std::remove(fileOf(getpid()).c_str());
  unsigned values[2] = {};
  CUDA_OK(cudaMemcpy(values, memory, 8, cudaMemcpyDeviceToHost));
  EXPECT_EQ(values[0], 23u);
  EXPECT_EQ(values[1], 0x33333333u);
  close(descriptor);
  close(handles.descriptor);
  CUDA_OK(cudaFreeAsync(memory, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaMemPoolDestroy(pool));
}
