// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of a constant in hetIR's data layout.

#ifndef HET_LIB_FRONTEND_CONSTANTBYTES_H
#define HET_LIB_FRONTEND_CONSTANTBYTES_H

#include "het/Base/Bytes.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Constant;
class DataLayout;
class GlobalVariable;
} // namespace llvm

namespace het {

/// Writes `size` bytes, or none if they are all zero. Each pointer to a global
/// is reported with its offset and what is to be added to the global's address;
/// its own bytes are zero.
llvm::Error writeConstant(
    const llvm::Constant &constant, const llvm::DataLayout &layout, uint64_t size,
    Bytes &bytes,
    llvm::function_ref<void(llvm::GlobalVariable &, uint64_t, int64_t)> relocate);

} // namespace het

#endif // HET_LIB_FRONTEND_CONSTANTBYTES_H
