// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a library of the vendor's puts into a stream that is captured: native work, which
// is one node of the graph, and the memory that it works in.
//
// A capture has a workspace for each of its streams. Work that shares one follows each
// other, in one graph and between graphs, whatever edges and streams say.

#ifndef HET_RUNTIME_CUDA_NATIVEWORK_H
#define HET_RUNTIME_CUDA_NATIVEWORK_H

#include "Operation.h"

#include "core/NativeWork.h"

#include <mutex>
#include <vector>

namespace het::cuda {

struct Device;

/// Device memory that is kept for the next workspace when nothing has it any more.
struct NativeWorkspace {
  explicit NativeWorkspace(Device &device) : device(device) {}
  ~NativeWorkspace();
  NativeWorkspace(const NativeWorkspace &) = delete;
  NativeWorkspace &operator=(const NativeWorkspace &) = delete;

  Device &device;
  void *memory = nullptr;
  size_t size = 0;
  uint64_t resets = 0; ///< The device's when it was made.
  std::mutex mutex; ///< Held while work in it is put into a stream; guards what follows.
  std::weak_ptr<core::Stream> latest; ///< With the latest work in it.
};

cudaError_t makeWorkspace(Device &device, size_t size,
                          std::shared_ptr<NativeWorkspace> &workspace);

/// Frees what is kept and nobody uses; whether there was any.
bool giveAwayWorkspaces(Device &device);

/// Holds workspaces while work in them is put into a stream, which waits for what other
/// streams do in them.
class WorkspaceUse {
public:
  void add(const Operation &operation);
  cudaError_t begin(core::Stream &stream);

private:
  std::vector<std::shared_ptr<NativeWorkspace>> workspaces;
  std::vector<std::unique_lock<std::mutex>> locks;
};

/// Does native work in a stream that is not capturing.
cudaError_t runNative(CUstream_st &stream, const NativeOperation &native);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_NATIVEWORK_H
