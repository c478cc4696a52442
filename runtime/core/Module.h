// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A package on one device: its variables, placed and initialised when it is
// opened, and its kernels, each lowered at its first launch.

#ifndef HET_RUNTIME_CORE_MODULE_H
#define HET_RUNTIME_CORE_MODULE_H

#include "core/Device.h"
#include "core/Kernel.h"
#include "core/code/Precompiled.h"
#include "het/Package/Package.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace het::core {

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
  /// The kernel that device code means by a number (kernelNumber).
  Result<std::shared_ptr<Kernel>> kernelOfNumber(uint64_t number);
  Result<VariableAddress> variable(const std::string &name);
  Result<std::vector<std::string>> kernelNames() const;
  Device &device() const { return owner; }
  ByteView packageBytes() const { return package.view(); }
  /// The address of each variable, in the package's order.
  const std::vector<void *> &variableAddresses() const { return addresses; }

  /// Those that were asked for so far.
  std::vector<std::shared_ptr<Kernel>> knownKernels();

private:
  friend class Kernel;
  Module(Device &device, Package package);
  Status placeVariables(const Placement &place);
  Status initialise(const std::vector<bool> &given);
  Status initialise(Stream &stream, size_t variable, Bytes &value);

  Device &owner;
  const Package package;
  const Precompiled precompiled; ///< Of the package.
  std::vector<VariableInfo> infos;
  std::vector<void *> addresses; ///< Those of the variables.
  std::vector<void *> allocated; ///< Those that this module allocated.

  std::mutex mutex; ///< Guards what follows.
  std::unordered_map<std::string, std::shared_ptr<Kernel>> kernels;
  /// Those that kernels have launched so far.
  std::unordered_map<uint64_t, std::shared_ptr<Kernel>> kernelsByNumber;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_MODULE_H
