// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's checkpoints of processes.

#include "DriverSupport.h"

#include <cstring>
#include <unistd.h>

TEST(DriverCheckpoint, WrongCalls) {
  CU_OK(cuInit(0));
  CUprocessState state = CU_PROCESS_STATE_FAILED;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuCheckpointProcessGetState(getpid(), nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuCheckpointProcessGetRestoreThreadId(getpid(), nullptr));
  for (int process : {0, -1, -12345, 999999999}) {
    CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuCheckpointProcessGetState(process, &state));
    CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuCheckpointProcessLock(process, nullptr));
    CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuCheckpointProcessUnlock(process, nullptr));
  }
  CUcheckpointLockArgs lock = {};
  lock.reserved1[6] = 1;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuCheckpointProcessLock(getpid(), &lock));
  lock.reserved1[6] = 0;
  lock.reserved0 = 1;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuCheckpointProcessLock(getpid(), &lock));
  CUcheckpointRestoreArgs restore = {};
  restore.reserved[0] = 1;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuCheckpointProcessRestore(getpid(), &restore));
  CU_FAILS(CUDA_ERROR_NOT_SUPPORTED, cuCheckpointProcessGetState(1, &state)); // no CUDA
}

/// A program that cannot move says so; one that can goes all the way round.
TEST(DriverCheckpoint, OwnProcess) {
  CU_OK(cuInit(0));
  unsigned *memory = nullptr, value = 0;
  CUDA_OK(cudaMalloc(reinterpret_cast<void **>(&memory), 64));
  CUDA_OK(cudaMemset(memory, 0x11, 64));
  CUDA_OK(cudaDeviceSynchronize());
  CUprocessState state = CU_PROCESS_STATE_FAILED;
  const CUresult known = cuCheckpointProcessGetState(getpid(), &state);
  if (known == CUDA_ERROR_NOT_SUPPORTED) {
    CU_FAILS(CUDA_ERROR_NOT_SUPPORTED, cuCheckpointProcessLock(getpid(), nullptr));
    CUDA_OK(cudaFree(memory));
    return;
  }
  CU_OK(known);
  EXPECT_EQ(state, CU_PROCESS_STATE_RUNNING);
  const auto is = [&](CUprocessState expected) {
    CU_OK(cuCheckpointProcessGetState(getpid(), &state));
    EXPECT_EQ(state, expected);
  };
  int thread = 0;
  CU_OK(cuCheckpointProcessGetRestoreThreadId(getpid(), &thread));
  EXPECT_GT(thread, 0);
  CU_FAILS(CUDA_ERROR_ILLEGAL_STATE, cuCheckpointProcessCheckpoint(getpid(), nullptr));
  CU_FAILS(CUDA_ERROR_ILLEGAL_STATE, cuCheckpointProcessUnlock(getpid(), nullptr));
  CU_OK(cuCheckpointProcessLock(getpid(), nullptr));
  is(CU_PROCESS_STATE_LOCKED);
  CU_FAILS(CUDA_ERROR_ILLEGAL_STATE, cuCheckpointProcessLock(getpid(), nullptr));
  CU_FAILS(CUDA_ERROR_ILLEGAL_STATE, cuCheckpointProcessRestore(getpid(), nullptr));
  CU_OK(cuCheckpointProcessCheckpoint(getpid(), nullptr));
  is(CU_PROCESS_STATE_CHECKPOINTED);
  CU_FAILS(CUDA_ERROR_ILLEGAL_STATE, cuCheckpointProcessUnlock(getpid(), nullptr));
  CU_OK(cuCheckpointProcessRestore(getpid(), nullptr));
  is(CU_PROCESS_STATE_LOCKED);
  CU_OK(cuCheckpointProcessUnlock(getpid(), nullptr));
  is(CU_PROCESS_STATE_RUNNING);
  CUDA_OK(cudaMemcpy(&value, memory, 4, cudaMemcpyDeviceToHost));
  EXPECT_EQ(value, 0x11111111u);
  CUDA_OK(cudaFree(memory));
}
