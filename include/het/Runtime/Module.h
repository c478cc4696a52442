// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A package on one device: its variables, placed and initialised when it is
// opened, and its kernels, each lowered at its first launch.

#ifndef HET_RUNTIME_MODULE_H
#define HET_RUNTIME_MODULE_H

#include "het/Package/Package.h"
#include "het/Runtime/Device.h"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace het::core {

class Module;
class PollIntervals;
class ShortLaunches;
class Variants;
enum class LoweringThread;

/// A kernel on one device. Its module must outlive it.
class Kernel {
public:
  ~Kernel();
  const KernelInfo &info() const { return description; }

  /// Makes it ready to launch: from the cache, else by lowering it. Costs one
  /// load once that is done. A failure stays.
  Status prepare();

  /// Whether prepare() has nothing more to do: it succeeded, and the heap that the kernel
  /// uses has its memory.
  bool isPrepared() const;

  /// Loads it from the cache, if that can be done before it is launched; gives the
  /// artifact's size. A failure is as if it had not been tried: prepare() will say it.
  uint64_t loadAhead();

  /// What the device knows of it once it is loaded; zeros where it knows nothing.
  Result<HetArtifactInfo> describe();

  /// How many blocks of this shape one processor holds at once; nothing where the
  /// device does not know of any kernel.
  bool knowsResidentBlocks() const;
  Result<std::optional<uint32_t>> residentBlocks(uint32_t threads,
                                                 uint32_t dynamicSharedBytes);

  /// Of the packed arguments.
  size_t argumentBytes() const;

  // Of a movable process:

  /// Makes it ready to launch on a backend of its device. A failure stays, unless it may
  /// pass.
  Result<HetArtifact *> loadOn(Backend &backend);
  bool isLoadedOn(Backend &backend);
  /// Code that is not parked, on a backend that parks: for launches that the parkable one can
  /// not be given to (`why`), since it takes more registers, shared memory or bytes of
  /// parameters. A failure stays, unless it may pass.
  Result<HetArtifact *> plainOn(Backend &backend, const std::string &why);
  /// Whether it has been prepared.
  bool isUsed() const { return wasPrepared.load(std::memory_order_acquire); }
  /// Of its blocks' states on a backend that it is loaded on; 0: they are not parked
  /// inside.
  uint64_t layoutOn(Backend &backend);
  /// Whether it allocates or frees memory of the device's heap.
  bool usesHeap() const { return heapIsUsed; }
  /// Why running it once more is not the same as running it once; empty: it is.
  std::string whyNotAgain();
  /// Launches that were given to a stream and have not ended.
  void noteGiven(uint32_t dynamicSharedBytes);
  void noteEnded() { --underWay; }
  bool isUnderWay() const { return underWay.load() != 0; }
  /// Of a block's shared memory, in the largest launch so far.
  uint64_t mostSharedBytes() const { return sharedBytes(mostDynamicShared.load()); }
  uint64_t sharedBytes(uint32_t dynamicSharedBytes) const {
    return description.staticSharedBytes + dynamicSharedBytes;
  }
  const Module &owningModule() const { return module; }
  /// Null: it has none.
  ShortLaunches *shortLaunches() const { return brief.get(); }
  PollIntervals &pollIntervals() const { return *polls; }

private:
  friend class Graph;
  friend class Module;
  friend class ShortLaunches;
  friend class Stream;
  friend class Variants;
  Kernel(Module &module, Device &device, KernelInfo info, uint32_t index);
  Result<HetArtifact *> load();
  Result<HetArtifact *> loadBytes(Backend &backend, const Bytes &bytes);
  /// Lowered with these words (HetLowerRequest::options), or from the cache, and loaded.
  Result<HetArtifact *> make(Backend &backend, const std::string &options,
                             LoweringThread thread);
  /// Parkable in a movable process where it can be, else plain.
  Result<HetArtifact *> makeFor(Backend &backend);
  void unload();

  Module &module;
  Device &owner;
  const KernelInfo description;
  const uint32_t index; ///< In the package.
  std::atomic<HetArtifact *> artifact{nullptr};
  std::unique_ptr<Variants> variants; ///< Null: it has none.
  std::unique_ptr<ShortLaunches> brief; ///< Likewise.
  std::unique_ptr<PollIntervals> polls; ///< Null in a process that is not movable.
  std::mutex mutex;
  Status failure; ///< Of the latest load(). Guarded by `mutex`.
  std::map<Backend *, Result<HetArtifact *>> elsewhere; ///< Likewise; not the home.
  std::map<Backend *, Result<HetArtifact *>> plain; ///< Likewise; made by plainOn().
  std::atomic<uint64_t> underWay{0};
  std::atomic<uint32_t> mostDynamicShared{0};
  /// In a movable process.
  std::atomic<bool> wasPrepared{false};
  const bool heapIsUsed;
  std::once_flag codeIsKnown;
  bool prints = false;
};

/// Where a variable lies.
struct VariableAddress {
  void *address = nullptr;
  uint64_t size = 0;
};

class Module {
public:
  /// Memory that the caller has already for a variable (a managed one, which
  /// the host's code sees too); null: allocate it.
  using Placement = std::function<void *(const VariableInfo &)>;

  /// Opens a package on a device. The bytes must outlive the module.
  static Result<std::shared_ptr<Module>> open(Device &device, ByteView bytes,
                                              const std::string &origin,
                                              const Placement &place = nullptr);
  /// Waits for the device.
  ~Module();

  /// By its (mangled) name; Unavailable if the package has none such.
  Result<std::shared_ptr<Kernel>> kernel(const std::string &name);
  Result<VariableAddress> variable(const std::string &name);
  Device &device() const { return owner; }
  ByteView packageBytes() const { return package.view(); }
  /// Of each variable, in the package's order.
  const std::vector<void *> &variableAddresses() const { return addresses; }

  /// Those that have been prepared.
  std::vector<std::shared_ptr<Kernel>> usedKernels();

private:
  friend class Kernel;
  friend class ShortLaunches;
  Module(Device &device, Package package)
      : owner(device), package(std::move(package)) {}
  Status placeVariables(const Placement &place);
  Status initialise(const std::vector<bool> &given);
  Status initialise(Stream &stream, size_t variable, Bytes &value);

  Device &owner;
  const Package package;
  std::vector<VariableInfo> infos;
  std::vector<void *> addresses; ///< Of each variable.
  std::vector<void *> allocated; ///< Those that this module allocated.

  std::mutex mutex; ///< Guards `kernels`.
  std::unordered_map<std::string, std::shared_ptr<Kernel>> kernels;
};

} // namespace het::core

#endif // HET_RUNTIME_MODULE_H
