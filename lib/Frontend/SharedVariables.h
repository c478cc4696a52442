// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects in shared memory whose type has a constructor. CUDA runs none of them:
// the memory is a block's, and what was there stays. Clang would refuse every
// constructor that does something.

#ifndef HET_LIB_FRONTEND_SHAREDVARIABLES_H
#define HET_LIB_FRONTEND_SHAREDVARIABLES_H

namespace het {

/// Teaches Clang the attribute that crt/host_defines.h puts into __shared__.
void registerSharedAttribute();

} // namespace het

#endif // HET_LIB_FRONTEND_SHAREDVARIABLES_H
