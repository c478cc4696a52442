// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading kernels before they are launched. To load one from the cache takes a driver
// some 50 us. A program that launches each of its kernels a few times would wait for all
// of that among its launches, so what an earlier process has left in the cache is loaded
// when the program first uses a device: it waits for the driver's context then, anyway.
// Nothing but time is changed: what fails is left to the first launch, which says so.
// Why, and what was measured: docs/design/loading-ahead.md.

#ifndef HET_RUNTIME_CORE_CODE_PRELOAD_H
#define HET_RUNTIME_CORE_CODE_PRELOAD_H

#include "core/Module.h"
#include "het/Package/Package.h"

#include <string>
#include <vector>

namespace het::core {

/// Whether the device, the switch and the cache are such that there may be
/// something to load ahead.
bool mayLoadAhead(Device &device);

/// The kernels of a package that the cache has for a device.
class CachedKernels {
public:
  /// None for a package of very many kernels.
  static CachedKernels find(Device &device, const Package &package);

  bool empty() const { return names.empty(); }
  /// Loads them until a bound of this process is reached.
  void load(Module &module) const;

private:
  std::vector<std::string> names; ///< The one that was used last comes first.
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_CODE_PRELOAD_H
