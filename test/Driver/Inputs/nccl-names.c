// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A communicator of NCCL, which is linked, or opened by its name (OPEN).

#include <dlfcn.h>
#include <nccl.h>
#include <stdio.h>

#ifdef OPEN
#define FIND(name)                                                                       \
  __typeof__(name) *own_##name =                                                         \
      (__typeof__(name) *)dlsym(dlopen("libnccl.so.2", RTLD_NOW), #name)
#else
#define FIND(name) __typeof__(name) *own_##name = name
#endif

int main(void) {
  FIND(ncclGetVersion);
  FIND(ncclGetErrorString);
  FIND(ncclCommInitAll);
  FIND(ncclCommCount);
  FIND(ncclCommDestroy);
  int version = 0, count = 0;
  ncclComm_t comm = NULL;
  ncclResult_t result = own_ncclGetVersion(&version);
  if (!result)
    result = own_ncclCommInitAll(&comm, 1, NULL);
  if (!result)
    result = own_ncclCommCount(comm, &count);
  if (!result)
    result = own_ncclCommDestroy(comm);
  printf("%d: %s, %d rank\n", version, own_ncclGetErrorString(result), count);
  return 0;
}
