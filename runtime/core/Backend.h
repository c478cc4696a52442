// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target's device, opened: what carries out the work of a device of the process.
// Every function may be called from any thread.

#ifndef HET_RUNTIME_CORE_BACKEND_H
#define HET_RUNTIME_CORE_BACKEND_H

#include "core/Target.h"
#include "het/Base/Bytes.h"
#include "het/Base/Status.h"

#include <memory>
#include <string>

namespace het::core {

/// Why a device can no longer be used.
struct Fault {
  int32_t kind = HET_FAULT_NONE; ///< HET_FAULT_… of the target's ABI.
  std::string message;
};

class Backend {
public:
  /// `name` is for messages.
  static Result<std::unique_ptr<Backend>> open(std::shared_ptr<Target> target,
                                               uint32_t ordinal, const std::string &name);
  /// One in place of a backend that could not be opened again: it is lost. `why` is what
  /// fault() says, `facts` are what is known from before.
  static std::unique_ptr<Backend> lost(std::shared_ptr<Target> target,
                                       const std::string &name,
                                       const HetDeviceProperties &facts, std::string why);
  ~Backend();
  Backend(const Backend &) = delete;
  Backend &operator=(const Backend &) = delete;

  const std::string &name() const { return backendName; }
  const HetDeviceProperties &properties() const { return facts; }
  Target &target() const { return *owner; }
  const HetDeviceABI &abi() const { return owner->abi(); }
  /// Null if it is not open.
  HetDevice *handle() const { return device; }

  bool sharesHostMemory() const { return facts.sharesHostMemory; }
  /// Whether it can suspend kernels.
  bool parks() const { return device && abi().setParking; }

  Fault fault() const;
  /// Its kind alone.
  int32_t faultKind() const {
    return device ? abi().fault(device, nullptr) : HET_FAULT_LOST;
  }
  bool hasFault() const { return faultKind() != HET_FAULT_NONE; }

  /// Whether it does nothing any more, and its memory is gone.
  bool isLost() const { return faultKind() == HET_FAULT_LOST; }

  /// Its fault, if it has one.
  Status faultStatus() const;
  /// Fails for one that is not open: it has no handle.
  Status openStatus() const { return device ? Status::success() : faultStatus(); }
  /// Waits for all that was given to a queue of it.
  Status wait(HetQueue *queue) const;

  /// Makes of what the lowering gave what is kept and loaded.
  Result<Bytes> finish(Bytes lowered, const std::string &kernel) const;

  /// As TargetABI.h's functions of these names; where the device has none there is
  /// nothing to do.
  Status pin(uint64_t address, uint64_t size) const;
  Status unpin(uint64_t address) const;
  Status setLimit(uint32_t limit, uint64_t value) const;

private:
  Backend() = default;

  std::shared_ptr<Target> owner;
  std::string backendName;
  HetDevice *device = nullptr; ///< Null for one that was made by lost().
  HetDeviceProperties facts = {};
  std::string whyLost; ///< For one that was made by lost().
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_BACKEND_H
