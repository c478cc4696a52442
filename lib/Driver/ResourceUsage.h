// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resources of kernels as --resource-usage and -Xptxas -v print them, in ptxas's form.

#ifndef HET_LIB_DRIVER_RESOURCEUSAGE_H
#define HET_LIB_DRIVER_RESOURCEUSAGE_H

#include "het/Base/Bytes.h"
#include "het/Frontend/Frontend.h"

namespace het::driver {

/// Prints what the kernels of a package use, to the diagnostics of the compilation.
llvm::Error showResourceUsage(ByteView package, const CompileOptions &options);

} // namespace het::driver

#endif // HET_LIB_DRIVER_RESOURCEUSAGE_H
