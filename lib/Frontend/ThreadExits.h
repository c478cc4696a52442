// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that end before their kernel does.

#ifndef HET_LIB_FRONTEND_THREADEXITS_H
#define HET_LIB_FRONTEND_THREADEXITS_H

#include "llvm/IR/IRBuilder.h"

namespace het {

/// The function that stands for the exit until functions have been inlined.
inline constexpr llvm::StringLiteral exitMarker = "__het_thread_exit";

/// Ends the thread, and the block of code.
void createExit(llvm::IRBuilder<> &builder);

} // namespace het

#endif // HET_LIB_FRONTEND_THREADEXITS_H
