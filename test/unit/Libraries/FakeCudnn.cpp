// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake libcudnn.so.9, with the statuses of that version. It adds tensors.

#include "FakeSupport.h"

#include <cudnn.h>

using namespace fake;

struct cudnnContext {
  cudaStream_t stream = nullptr;
};
struct cudnnTensorStruct {
  std::string text;
  int count = 1;
};
struct cudnnFilterStruct {};
struct cudnnConvolutionStruct {
  std::string text;
};

namespace {
// No enumerators of version 8.
#define BAD_PARAM static_cast<cudnnStatus_t>(2000)
#define NOT_SUPPORTED static_cast<cudnnStatus_t>(3000)
cudnnStatus_t noted(std::string call) {
  note(std::move(call));
  return CUDNN_STATUS_SUCCESS;
}
int alive = 0; ///< Descriptors.
template <class Descriptor> cudnnStatus_t create(Descriptor **made) {
  ++alive;
  *made = new Descriptor;
  return CUDNN_STATUS_SUCCESS;
}
template <class Descriptor> cudnnStatus_t destroy(Descriptor *descriptor) {
  delete descriptor;
  return --alive ? CUDNN_STATUS_SUCCESS : noted("no descriptors");
}
} // namespace

cudnnStatus_t cudnnCreate(cudnnHandle_t *handle) {
  note("Create");
  if (!hasContext())
    return static_cast<cudnnStatus_t>(1001);
  *handle = new cudnnContext;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  delete handle;
  return noted(hasContext() ? "Destroy" : "Destroy without a context");
}
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  return noted(stream ? "SetStream" : "SetStream 0");
}

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *tensor) {
  return create(tensor);
}
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensor) {
  return destroy(tensor);
}
cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t tensor, cudnnDataType_t,
                                         int dimensions, const int *sizes,
                                         const int *strides) {
  for (int i = 0; i < dimensions; ++i) {
    tensor->text += std::to_string(sizes[i]) + ":" + std::to_string(strides[i]) + " ";
    tensor->count *= sizes[i];
  }
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t *filter) {
  return create(filter);
}
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t filter) {
  return destroy(filter);
}
cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t, cudnnDataType_t,
                                         cudnnTensorFormat_t, int, const int *) {
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t *made) {
  return create(made);
}
cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t made) {
  return destroy(made);
}
cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t made,
                                              int dimensions, const int *padding,
                                              const int *step, const int *,
                                              cudnnConvolutionMode_t, cudnnDataType_t) {
  for (int i = 0; i < dimensions; ++i)
    made->text += std::to_string(padding[i]) + "/" + std::to_string(step[i]) + " ";
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t made,
                                            int groups) {
  made->text += "groups " + std::to_string(groups);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t, cudnnMathType_t) {
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnAddTensor(cudnnHandle_t handle, const void *alpha,
                             const cudnnTensorDescriptor_t a, const void *from,
                             const void *, const cudnnTensorDescriptor_t, void *to) {
  note("AddTensor " + a->text);
  const float scale = *static_cast<const float *>(alpha);
  if (scale < 0)
    return BAD_PARAM;
  const auto work = [=, count = a->count] {
    for (int i = 0; i < count; ++i)
      static_cast<float *>(to)[i] += scale * static_cast<const float *>(from)[i];
  };
  return enqueueWork(handle->stream, work) ? CUDNN_STATUS_SUCCESS
                                           : CUDNN_STATUS_EXECUTION_FAILED;
}
cudnnStatus_t cudnnScaleTensor(cudnnHandle_t, const cudnnTensorDescriptor_t, void *,
                               const void *) {
  note("ScaleTensor");
  return NOT_SUPPORTED;
}
cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(
    cudnnHandle_t, const cudnnTensorDescriptor_t x, const cudnnFilterDescriptor_t,
    const cudnnConvolutionDescriptor_t made, const cudnnTensorDescriptor_t,
    cudnnConvolutionFwdAlgo_t, size_t *size) {
  *size = 55;
  return noted("WorkspaceSize of " + x->text + "by " + made->text);
}
