// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts that a lowering may take for granted of every launch of its code: the words of
// HetLowerRequest::options (docs/spec/target-abi.md, Constants).

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_LAUNCHCONSTANTS_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_LAUNCHCONSTANTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <array>
#include <optional>

namespace het::target {

struct LaunchConstants {
  std::optional<std::array<uint32_t, 3>> block;
  struct Argument {
    unsigned index;                   ///< Counts the kernel's parameters.
    llvm::SmallVector<uint8_t> bytes; ///< As in the packed arguments.
  };
  llvm::SmallVector<Argument> arguments;
  /// 0, or launches are carried out by enqueueParkable.
  unsigned pollInterval = 0;

  bool empty() const { return !block && arguments.empty(); }

  /// Fails at a word that is none of these.
  static llvm::Expected<LaunchConstants> parse(llvm::StringRef options);
};

/// Puts constants in the place of a kernel's integers and floating-point numbers;
/// parameters of other types stay. Fails where the code's results could change by it:
/// where it lets LLVM approximate.
llvm::Error foldArguments(llvm::Module &module, llvm::StringRef kernel,
                          const LaunchConstants &constants);

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_LAUNCHCONSTANTS_H
