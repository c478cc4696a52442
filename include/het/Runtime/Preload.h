// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading kernels before they are launched. To load a kernel from the cache
// takes a driver about a tenth of a millisecond, and a program that launches
// each of its kernels a few times waits for all of that. So the runtime's
// background thread loads what an earlier process has left in the cache, while
// the program allocates and fills memory. Nothing but time is changed: what
// fails is left to the first launch, which says so.

#ifndef HET_RUNTIME_PRELOAD_H
#define HET_RUNTIME_PRELOAD_H

#include "het/Package/Package.h"
#include "het/Runtime/Module.h"

#include <functional>
#include <string>
#include <vector>

namespace het::core {

/// Whether the device, the switch and the cache are such that there may be
/// something to load ahead.
bool mayLoadAhead(Device &device);

/// Runs the work in the background, some time. `owner` is for forgetAhead().
void addAhead(const void *owner, std::function<void()> work);
/// Waits until the owner's work has been done.
void awaitAhead(const void *owner);
/// Drops the owner's work that has not begun, and waits for the one that has.
/// The caller holds no lock that the work takes.
void forgetAhead(const void *owner);

/// The kernels of a package that the cache has for a device.
class CachedKernels {
public:
  static CachedKernels find(Device &device, const Package &package);

  bool empty() const { return names.empty(); }
  /// Loads them until a bound of this process is reached, or it ends. A load
  /// that the program waits for goes first.
  void load(Module &module) const;

private:
  std::vector<std::string> names; ///< In the order of their last use.
};

} // namespace het::core

#endif // HET_RUNTIME_PRELOAD_H
