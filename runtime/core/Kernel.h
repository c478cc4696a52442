// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of a package on one device: what it is, and its code.

#ifndef HET_RUNTIME_CORE_KERNEL_H
#define HET_RUNTIME_CORE_KERNEL_H

#include "core/KernelCode.h"
#include "het/Base/Bytes.h"
#include "het/Package/KernelInfo.h"

#include <memory>
#include <optional>
#include <string>

namespace het::core {

class Backend;
class Device;
class Module;
struct Artifact;
enum class LoweringThread;
class BetterCode;
struct KernelSource;

/// Its module must outlive it. Functions may be called from any thread.
class Kernel {
public:
  ~Kernel();
  const KernelInfo &info() const { return description; }
  Module &owningModule() const { return module; }
  Device &device() const { return owner; }
  KernelCode &code() const { return *ownCode; }

  /// As KernelCode's functions of these names.
  Status prepare();
  /// Whether prepare() has nothing more to do: it succeeded, and the heap that the kernel
  /// uses has its memory.
  bool isPrepared() const;
  uint64_t loadAhead() { return ownCode->loadAhead(); }

  /// Properties that the device knows once the kernel is loaded; zeros where it knows
  /// none.
  Result<HetArtifactInfo> describe();

  /// How many blocks of this shape one processor holds at once; nothing where the
  /// device does not know of any kernel.
  bool knowsResidentBlocks() const;
  Result<std::optional<uint32_t>> residentBlocks(uint32_t threads,
                                                 uint32_t dynamicSharedBytes);

  /// The size of the packed arguments.
  size_t argumentBytes() const;
  /// The shared memory of a block.
  uint64_t sharedBytes(uint32_t dynamicSharedBytes) const {
    return description.staticSharedBytes + dynamicSharedBytes;
  }
  /// Whether it allocates or frees memory of the device's heap.
  bool usesHeap() const { return heapIsUsed; }

  /// Whether it may launch kernels, or asks for what went wrong with that.
  bool mayLaunch() const { return launchesAreUsed; }

  // The parts that its code is made of:

  /// Its hetIR, and the size of that, which is known without reading it.
  Result<Bytes> hetIR() const;
  uint64_t hetIRBytes() const;
  /// Takes its code for a backend and these words (HetLowerRequest::options) from the
  /// package or from the cache, or lowers it; and loads it. `better`: as
  /// obtainArtifact's.
  Result<HetArtifact *> make(Backend &backend, const std::string &options,
                             LoweringThread thread,
                             std::unique_ptr<BetterCode> *better = nullptr) const;
  /// The same without loading it.
  Result<Artifact> obtain(Backend &backend, const std::string &options,
                          LoweringThread thread) const;
  Result<HetArtifact *> load(Backend &backend, const Artifact &artifact) const;
  /// Loads it if it is in the cache and the backend takes it ahead; `size` is then the
  /// artifact's. Null otherwise.
  HetArtifact *loadCached(Backend &backend, const std::string &options,
                          uint64_t &size) const;

private:
  friend class Module;
  Kernel(Module &module, Device &device, KernelInfo info, uint32_t index);
  KernelSource source() const;

  Module &module;
  Device &owner;
  const KernelInfo description;
  const uint32_t index; ///< In the package.
  const bool heapIsUsed;
  const bool launchesAreUsed;
  std::unique_ptr<KernelCode> ownCode;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_KERNEL_H
