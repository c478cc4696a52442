// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's SPIR-V back end numbers basic blocks in a table of the process, by the address
// of their MachineFunction, and never empties it. Where one comes to lie where that of
// another module was, its blocks get that one's numbers, and a module has numbers twice.
// So MachineFunctions get addresses that none had before.

#ifndef HET_LIB_TARGET_SPIRV_LOWERING_FRESHADDRESSES_H
#define HET_LIB_TARGET_SPIRV_LOWERING_FRESHADDRESSES_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace het::spirv {

/// While it lives, what this thread allocates with the size of a MachineFunction gets a
/// new address. One at a time in the process; the plug-in is linked so that LLVM's
/// allocations come by (CMakeLists.txt).
class FreshAddresses {
public:
  explicit FreshAddresses(llvm::DenseSet<const void *> &used);
  ~FreshAddresses();
  FreshAddresses(const FreshAddresses &) = delete;
  FreshAddresses &operator=(const FreshAddresses &) = delete;

  void *allocate(size_t size);

private:
  llvm::DenseSet<const void *> &used;
  llvm::SmallVector<void *> rejected; ///< kept so that they are not given again
};

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_LOWERING_FRESHADDRESSES_H
