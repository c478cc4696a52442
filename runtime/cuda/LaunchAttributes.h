// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of launches, kernel nodes and streams: which there are where, what they may
// be, and which of them change what happens. The others are hints, which are kept for who
// asks.

#ifndef HET_RUNTIME_CUDA_LAUNCHATTRIBUTES_H
#define HET_RUNTIME_CUDA_LAUNCHATTRIBUTES_H

#include "Launch.h"

#include <vector>

namespace het::cuda {

/// What has attributes: their tables differ.
enum class AttributeHolder { Launch, KernelNode, Stream };

/// Whether such an attribute may have this value.
cudaError_t checkAttribute(AttributeHolder holder, cudaLaunchAttributeID id,
                           const cudaLaunchAttributeValue &value);

/// What was set, or the default. cudaErrorInvalidValue where there is none such.
cudaError_t findAttribute(AttributeHolder holder, const LaunchAttributes &set,
                          cudaLaunchAttributeID id, cudaLaunchAttributeValue &value);

/// Checked attributes of a launch, with what they ask for beside the kernel.
struct LaunchOptions {
  bool cooperative = false;
  bool programmatic = false; ///< It may begin before the launch in front has ended.
  /// Recorded when the kernel has done its work, which is when all of its blocks have at
  /// the latest begun or triggered.
  std::vector<cudaEvent_t> events;
  LaunchAttributes attributes;
};
cudaError_t readAttributes(const cudaLaunchConfig_t &config, LaunchOptions &options);

/// cudaLaunchKernelExC of a function; null is cudaErrorInvalidDeviceFunction.
cudaError_t launchWithAttributes(Function *function, const cudaLaunchConfig_t &config,
                                 const Arguments &arguments);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_LAUNCHATTRIBUTES_H
