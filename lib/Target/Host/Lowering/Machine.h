// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processor that the host's code is made for: this one, or one that is named, for
// code lowered ahead of time.

#ifndef HET_LIB_TARGET_HOST_LOWERING_MACHINE_H
#define HET_LIB_TARGET_HOST_LOWERING_MACHINE_H

#include "llvm/Support/Error.h"
#include <string>

namespace het::host {

/// In LLVM's words.
struct Machine {
  std::string cpu, features, tune; ///< `tune`: empty: as `cpu` says.
  bool schedule = false;           ///< Every kernel takes the scheduled form.

  /// Reads an architecture as a device's `arch` or findArch writes it.
  static llvm::Expected<Machine> parse(llvm::StringRef arch);
};

/// The one spelling of an architecture: "x86-64-v3", a level of the psABI; with what a
/// processor has beyond it, and the processor's name, "x86-64-v3+aes+pclmul;haswell".
/// `name` is such a text, a processor's name, "native", or empty for x86-64-v3: the
/// least level that multiplies and adds in one instruction, as kernels do.
llvm::Expected<std::string> findArch(llvm::StringRef name);

} // namespace het::host

#endif // HET_LIB_TARGET_HOST_LOWERING_MACHINE_H
