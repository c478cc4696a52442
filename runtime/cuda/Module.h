// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registry of host code: packages, the kernels and variables that it knows of them,
// and what each of these has become on each device.
//
// Registration stores pointers and nothing else, so that ten thousand kernels
// cost a few milliseconds; a package is opened at the first use of something in
// it, on each device by itself.

#ifndef HET_RUNTIME_CUDA_MODULE_H
#define HET_RUNTIME_CUDA_MODULE_H

#include "Context.h"
#include "PackageSource.h"

#include "core/Module.h"

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace het::cuda {

struct Binary;

/// A kernel on one device. Lives as long as its Function, since a launch may hold it,
/// also when the device is reset; then it is what the kernel is loaded into again.
struct LoadedKernel {
  std::atomic<int> device{-1}; ///< -1: it is not loaded.
  std::shared_ptr<core::Kernel> kernel;
  const KernelInfo *description = nullptr; ///< Describes `kernel`.
  std::atomic<int> optInShared{-1};        ///< cudaFuncSetAttribute; -1: not set.
  // Of clusters, likewise.
  std::atomic<int> requiredCluster[3] = {}, clusterPolicy{0};
  std::atomic<bool> clusterMustBeGiven{false}, takesLargeClusters{false};
  std::atomic<bool> ready{false}; ///< prepare() has succeeded.
  std::atomic<size_t> said{0};    ///< Hash of the failure in the log.
  LoadedKernel *next = nullptr;

  const KernelInfo &info() const { return *description; }
};

/// A kernel as the host knows it: by the address of its stub.
struct Function {
  const void *stub = nullptr;
  const char *name = nullptr; ///< A string of the program, until its binary is gone.
  Binary *binary = nullptr;
  std::atomic<LoadedKernel *> loaded{nullptr}; ///< One for each device so far.
  std::shared_ptr<CUfunc_st> handle;           ///< For the driver API (driver::handleOf).

  Function() = default;
  Function(const Function &) = delete;
  ~Function() {
    for (LoadedKernel *kernel = loaded.load(); kernel;)
      delete std::exchange(kernel, kernel->next);
  }
};

/// A variable as the host knows it: by the address of its shadow.
struct Variable {
  const void *shadow = nullptr;
  void *storage = nullptr; ///< The shadow; what a managed variable really is.
  const char *name = nullptr;
  Binary *binary = nullptr;
  size_t size = 0;
  bool isReadNormalized = false; ///< A texture reference, read as floats up to 1.
};

/// A package and what has become of it on each device.
struct Binary {
  std::weak_ptr<void> owner;       ///< What it lives in.
  std::atomic<bool> isGone{false}; ///< Unloaded: graphs may still keep its functions.
  const void *data = nullptr;      ///< The fat binary's: a package or a reference.
  size_t size = 0;                 ///< Bytes, if it is a package; 0: not known.
  std::string origin;              ///< For messages, if the size is known.

  bool hasVariables = false; ///< The host has registered some.
  // Registered by the host; guarded by the registry.
  std::deque<Function> functions;
  std::deque<Variable> variables;

  std::mutex mutex;                      ///< Guards what follows.
  std::shared_ptr<PackageSource> source; ///< Null: not found yet.
  /// Managed variables that the host has not registered so far: files
  /// of a device link register theirs one after another. Nothing: not read yet.
  std::optional<std::vector<VariableInfo>> managed;
  std::map<int, std::shared_ptr<core::Module>> modules; ///< By device.
  cudaError_t failure = cudaSuccess; ///< Why it cannot be opened, ever.
  std::string said;                  ///< The latest reason in the log.
};

/// By the address of its stub, or by its handle in the driver API.
Function *findFunction(const void *stub);
/// Makes a handle stand for a function, and no longer.
void listFunction(const void *handle, Function &function);
void unlistFunction(const void *handle);

/// Keeps a function, as an object, for who has it beyond a call: null for null.
std::shared_ptr<Function> keep(Function *function);

/// The binary's functions can be loaded no more. Each is to be forgotten then.
void markGone(Binary &binary);
/// Binaries that are gone so far. Who keeps functions need not look at them
/// while the number stays.
uint64_t unloadCount();

Variable *findVariable(const void *shadow);

/// Opens the package on a device. Cheap once that is done.
cudaError_t open(Binary &binary, Device &device);

/// Loads the kernels that the cache has, before they are launched; opens the package only
/// if there are some. What fails is left to a launch. The library that holds it stays
/// open meanwhile, and until who called lets go of what is returned.
HeldLibrary loadAhead(Binary &binary, Device &device);

/// The same for all that is registered.
std::vector<HeldLibrary> loadAhead(Device &device);

/// Makes the storage of managed variables, which lies in the host's memory, known as
/// managed memory, and gives it the initial values that the package states. For the end
/// of registration, before the program runs.
void initialiseManaged(Binary &binary);

/// Waits for all devices that have the package open and lets it go. Opening it fails with
/// `why` from now on.
void unload(Binary &binary, cudaError_t why);

/// The kernel on this device; opens the package and finds it on the first call.
cudaError_t load(Function &function, Device &device, LoadedKernel *&kernel);

/// The names of all kernels of the package.
cudaError_t kernelNames(Binary &binary, Device &device, std::vector<std::string> &names);

/// Lowers and loads the kernel, if that is not done; for its first launch.
cudaError_t prepare(LoadedKernel &kernel);

/// Where the variable lies on this device. Sets its size, if that is not known.
cudaError_t addressOf(Variable &variable, Device &device, void *&address);

/// The host's storage of the variable of this name; null if the host does not know it.
/// For a managed variable it is the storage on every device.
void *findStorage(const Binary &binary, const std::string &name);

/// The bytes of an embedded package are about to go: it can be opened no more.
void close(Binary &binary);

/// The library that holds it is being closed. Nothing is waited for: the loader holds
/// locks that threads of the devices may need. What was loaded goes with unloadLeft().
void leave(Binary &binary);
/// Unloads what closed libraries have left; waits for their devices.
void unloadLeft();

/// Forgets what was loaded on a device, before it is reset: of one binary, of
/// one function, of everything that is registered.
void forget(Binary &binary, int device);
void forget(Function &function, int device);
/// The same on all devices, since its binary goes for good.
void forget(Function &function);
void forgetLoaded(int device);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_MODULE_H
