// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code of one kernel on its device, in the way of the device's executor.

#ifndef HET_RUNTIME_CORE_KERNELCODE_H
#define HET_RUNTIME_CORE_KERNELCODE_H

#include "het/Base/Status.h"
#include "het/Target/TargetABI.h"

#include <cstdint>

namespace het::core {

/// Functions may be called from any thread, but for finish() and unload().
class KernelCode {
public:
  virtual ~KernelCode() = default;

  /// Makes the kernel ready to launch: from the cache, else by lowering it. Costs one
  /// load once that is done. A failure that will not pass stays.
  virtual Status prepare() = 0;
  /// Whether prepare() has nothing more to do.
  virtual bool isPrepared() const = 0;
  /// Loads it from the cache, if that can be done before it is launched; returns the
  /// artifact's size. A failure is as if it had not been tried: prepare() reports it.
  virtual uint64_t loadAhead() = 0;
  /// The general code on the primary backend.
  virtual Result<HetArtifact *> load() = 0;

  /// Makes no more code, and waits for what is being made.
  virtual void finish() = 0;
  /// Gives all code back to the backends. After finish(), with nothing running.
  virtual void unload() = 0;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_KERNELCODE_H
