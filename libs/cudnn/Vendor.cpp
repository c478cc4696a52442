// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's cuDNN, and descriptors of its for those of ours.

#include "Vendor.h"

#include <string>

namespace het::dnn {

libs::Vendor &VendorApi::vendor() {
  // It opens cuBLAS itself, which must not be ours.
  static libs::Vendor &instance =
      *new libs::Vendor("cuDNN",
                        {{"libcudnn.so.9", {"libcublasLt.so.13", "libcublas.so.13"}},
                         {"libcudnn.so.9", {"libcublasLt.so.12", "libcublas.so.12"}},
                         {"libcudnn.so.8", {"libcublasLt.so.12", "libcublas.so.12"}}},
                        "NVIDIA's cuDNN (libcudnn9, or nvidia-cudnn-cu13 of PyPI)");
  return instance;
}

const char *VendorApi::textOf(int status) {
  return cudnnGetErrorString(statusOf(status));
}

cudnnStatus_t statusOf(int theirs) {
  // From version 9 on a thousand is a kind of failure; programs retry for want of memory.
  constexpr int hostMemory = 4003, deviceMemory = 4004;
  if (theirs == hostMemory || theirs == deviceMemory)
    return CUDNN_STATUS_ALLOC_FAILED;
  switch (theirs / 1000) {
  case 0:
    return static_cast<cudnnStatus_t>(theirs);
  case 1:
    return CUDNN_STATUS_NOT_INITIALIZED;
  case 2:
    return CUDNN_STATUS_BAD_PARAM;
  case 3:
    return CUDNN_STATUS_NOT_SUPPORTED;
  case 5:
    return CUDNN_STATUS_EXECUTION_FAILED;
  default:
    return CUDNN_STATUS_INTERNAL_ERROR;
  }
}

cudnnStatus_t convert(cudaError_t error) {
  return error == cudaErrorMemoryAllocation ? CUDNN_STATUS_ALLOC_FAILED
                                            : CUDNN_STATUS_EXECUTION_FAILED;
}

namespace {

template <class... Parameters>
int invoke(const std::string &name, Parameters... parameters) {
  return libs::callByName(VendorApi::vendor(), name.c_str(),
                          int(CUDNN_STATUS_NOT_SUPPORTED), parameters...);
}

} // namespace

/// NVIDIA's descriptor of a kind, filled in by `set`, for the length of the call.
template <class Descriptor, class Set>
Descriptor VendorCall::made(const char *kind, bool isThere, const Set &set) {
  if (!isThere)
    return nullptr;
  Descriptor descriptor = nullptr;
  if (invoke(std::string("cudnnCreate") + kind + "Descriptor", &descriptor)) {
    isWhole = false;
    return nullptr;
  }
  descriptors.emplace_back(kind, descriptor);
  isWhole &= set(descriptor) == CUDNN_STATUS_SUCCESS;
  return descriptor;
}

VendorCall::~VendorCall() {
  for (const auto &[kind, descriptor] : descriptors)
    (void)invoke(std::string("cudnnDestroy") + kind + "Descriptor", descriptor);
}

cudnnTensorDescriptor_t VendorCall::operator()(const cudnnTensorStruct *ours) {
  return made<cudnnTensorDescriptor_t>("Tensor", ours, [&](auto theirs) {
    return invoke("cudnnSetTensorNdDescriptor", theirs, ours->type, ours->dimensions,
                  ours->sizes, ours->strides);
  });
}
cudnnFilterDescriptor_t VendorCall::operator()(const cudnnFilterStruct *ours) {
  return made<cudnnFilterDescriptor_t>("Filter", ours, [&](auto theirs) {
    return invoke("cudnnSetFilterNdDescriptor", theirs, ours->type, ours->format,
                  ours->dimensions, ours->sizes);
  });
}
cudnnConvolutionDescriptor_t VendorCall::operator()(const cudnnConvolutionStruct *ours) {
  return made<cudnnConvolutionDescriptor_t>("Convolution", ours, [&](auto theirs) {
    if (const auto status =
            invoke("cudnnSetConvolutionNdDescriptor", theirs, ours->dimensions,
                   ours->padding, ours->step, ours->dilation, ours->mode, ours->computed))
      return status;
    if (const auto status = invoke("cudnnSetConvolutionGroupCount", theirs, ours->groups))
      return status;
    if (const auto status = invoke("cudnnSetConvolutionMathType", theirs, ours->math))
      return status;
    return ours->reorder == CUDNN_DEFAULT_REORDER
               ? int(CUDNN_STATUS_SUCCESS)
               : invoke("cudnnSetConvolutionReorderType", theirs, ours->reorder);
  });
}
cudnnPoolingDescriptor_t VendorCall::operator()(const cudnnPoolingStruct *ours) {
  return made<cudnnPoolingDescriptor_t>("Pooling", ours, [&](auto theirs) {
    return invoke("cudnnSetPoolingNdDescriptor", theirs, ours->mode, ours->nan,
                  ours->dimensions, ours->window, ours->padding, ours->step);
  });
}
cudnnActivationDescriptor_t VendorCall::operator()(const cudnnActivationStruct *ours) {
  return made<cudnnActivationDescriptor_t>("Activation", ours, [&](auto theirs) {
    const auto status = invoke("cudnnSetActivationDescriptor", theirs, ours->mode,
                               ours->nan, ours->coefficient);
    return status || ours->mode != CUDNN_ACTIVATION_SWISH
               ? status
               : invoke("cudnnSetActivationDescriptorSwishBeta", theirs, ours->swishBeta);
  });
}
cudnnLRNDescriptor_t VendorCall::operator()(const cudnnLRNStruct *ours) {
  return made<cudnnLRNDescriptor_t>("LRN", ours, [&](auto theirs) {
    return invoke("cudnnSetLRNDescriptor", theirs, ours->size, ours->alpha, ours->beta,
                  ours->k);
  });
}
cudnnOpTensorDescriptor_t VendorCall::operator()(const cudnnOpTensorStruct *ours) {
  return made<cudnnOpTensorDescriptor_t>("OpTensor", ours, [&](auto theirs) {
    return invoke("cudnnSetOpTensorDescriptor", theirs, ours->op, ours->computed,
                  ours->nan);
  });
}
cudnnReduceTensorDescriptor_t
VendorCall::operator()(const cudnnReduceTensorStruct *ours) {
  return made<cudnnReduceTensorDescriptor_t>("ReduceTensor", ours, [&](auto theirs) {
    return invoke("cudnnSetReduceTensorDescriptor", theirs, ours->op, ours->computed,
                  ours->nan, ours->indices, ours->indicesType);
  });
}

} // namespace het::dnn

cudnnContext::cudnnContext() = default;
cudnnContext::~cudnnContext() = default;
