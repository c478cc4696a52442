// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What host code registered: packages, the kernels and variables that it knows
// of them, and what each of these has become on each device.
//
// Registration stores pointers and nothing else, so that ten thousand kernels
// cost a few milliseconds; a package is opened at the first use of something in
// it, on each device by itself.

#ifndef HET_CUDA_MODULE_H
#define HET_CUDA_MODULE_H

#include "Api.h"
#include "PackageSource.h"
#include "PointerTable.h"

#include "het/Package/KernelInfo.h"
#include "het/Runtime/Module.h"

#include <deque>
#include <mutex>
#include <optional>

namespace het::cuda {

struct Device;
struct Binary;

/// A kernel on one device.
struct LoadedKernel {
  int device = 0;
  core::Kernel *kernel = nullptr;
  std::atomic<int> optInShared{-1}; ///< cudaFuncSetAttribute; -1: not set.
  LoadedKernel *next = nullptr;

  const KernelInfo &info() const;
};

/// A kernel as the host knows it: by the address of its stub.
struct Function {
  const void *stub = nullptr;
  const char *name = nullptr; ///< The kernel's name; a string of the program.
  Binary *binary = nullptr;
  std::atomic<LoadedKernel *> loaded{nullptr}; ///< One for each device so far.
};

/// A variable as the host knows it: by the address of its shadow.
struct Variable {
  const void *shadow = nullptr;
  const char *name = nullptr;
  Binary *binary = nullptr;
  size_t size = 0;
  void **managedSlot = nullptr; ///< Where the host keeps a managed one's address.
};

Function *findFunction(const void *stub);
Variable *findVariable(const void *shadow);

/// The kernel on this device; opens the package and finds it on the first call.
cudaError_t load(Function &function, Device &device, LoadedKernel *&kernel);

/// Where the variable lies on this device.
cudaError_t addressOf(Variable &variable, Device &device, void *&address);

/// Forgets what was loaded on a device, before it is reset.
void forgetLoaded(int device);

} // namespace het::cuda

#endif // HET_CUDA_MODULE_H
