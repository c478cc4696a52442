// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A descriptor of cuDNN, which is linked, or opened by its name (OPEN).

#include <cudnn.h>
#include <dlfcn.h>
#include <stdio.h>

#ifdef OPEN
#define FIND(name)                                                                       \
  __typeof__(name) *own_##name =                                                         \
      (__typeof__(name) *)dlsym(dlopen("libcudnn.so.8", RTLD_NOW), #name)
#else
#define FIND(name) __typeof__(name) *own_##name = name
#endif

int main(void) {
  FIND(cudnnGetVersion);
  FIND(cudnnGetErrorString);
  FIND(cudnnCreateTensorDescriptor);
  FIND(cudnnSetTensor4dDescriptor);
  FIND(cudnnGetTensorSizeInBytes);
  cudnnTensorDescriptor_t tensor;
  size_t size = 0;
  cudnnStatus_t status = own_cudnnCreateTensorDescriptor(&tensor);
  if (!status)
    status = own_cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT,
                                            1, 2, 3, 5);
  if (!status)
    status = own_cudnnGetTensorSizeInBytes(tensor, &size);
  printf("%zu %s %zu\n", own_cudnnGetVersion(), own_cudnnGetErrorString(status), size);
  return 0;
}
