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
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace het::core {

class Module;
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

  /// Loads it from the cache, if that can be done before it is launched; gives the
  /// artifact's size. A failure is as if it had not been tried: prepare() will say it.
  uint64_t loadAhead();

  /// What the device knows of it once it is loaded; zeros where it knows nothing.
  Result<HetArtifactInfo> describe();

  /// How many blocks of this shape one processor holds at once; nothing where the
  /// device does not know.
  Result<std::optional<uint32_t>> residentBlocks(uint32_t threads,
                                                 uint32_t dynamicSharedBytes);

  /// Of the packed arguments.
  size_t argumentBytes() const;

private:
  friend class Graph;
  friend class Module;
  friend class Stream;
  friend class Variants;
  Kernel(Module &module, Device &device, KernelInfo info, uint32_t index);
  Result<HetArtifact *> load();
  Result<HetArtifact *> loadBytes(const Bytes &bytes);
  /// Lowered with these words (HetLowerRequest::options), or from the cache, and loaded.
  Result<HetArtifact *> make(const std::string &options, LoweringThread thread);

  Module &module;
  Device &owner;
  const KernelInfo description;
  const uint32_t index; ///< In the package.
  std::atomic<HetArtifact *> artifact{nullptr};
  std::unique_ptr<Variants> variants; ///< Null: it has none.
  std::mutex mutex;
  Status failure; ///< Guarded by `mutex`.
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

private:
  friend class Kernel;
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
