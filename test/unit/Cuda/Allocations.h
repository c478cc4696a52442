// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operator new that counts and that fails on demand, for a program of its own: the
// runtime's library takes it from there.

#ifndef HET_TEST_CUDA_ALLOCATIONS_H
#define HET_TEST_CUDA_ALLOCATIONS_H

/// How many more this thread may make until all fail; below 0: no limit.
extern thread_local long allocationsLeft;

/// How many there are, of all threads.
long allocationsAlive();

#endif // HET_TEST_CUDA_ALLOCATIONS_H
