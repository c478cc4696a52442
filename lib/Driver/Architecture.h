// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's architecture names. Here they choose the value of __CUDA_ARCH__ and
// nothing else: the package fits every device.

#ifndef HET_LIB_DRIVER_ARCHITECTURE_H
#define HET_LIB_DRIVER_ARCHITECTURE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace het::driver {

/// __CUDA_ARCH__ without -arch (times ten).
inline constexpr unsigned defaultArchitecture = 90;

/// The numbers that CUDA 12.9 knows, in rising order.
llvm::ArrayRef<unsigned> knownArchitectures();

/// The number in `sm_90`, `compute_90`, `lto_90`, with or without a suffix `a`
/// or `f`. No number: `all`, `all-major` and `native`, which leave the default.
/// Architectures older than CUDA 12.9 knows are accepted.
llvm::Expected<std::optional<unsigned>> parseArchitecture(llvm::StringRef name);

} // namespace het::driver

#endif // HET_LIB_DRIVER_ARCHITECTURE_H
