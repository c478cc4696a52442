// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that end before their kernel does.

#ifndef HET_LIB_FRONTEND_THREADEXITS_H
#define HET_LIB_FRONTEND_THREADEXITS_H

#include "llvm/ADT/StringRef.h"

namespace het {

/// The function that stands for the exit until functions have been inlined: it does not
/// return, and may look at memory, since others see what the thread has written.
inline constexpr llvm::StringLiteral exitMarker = "__het_thread_exit";

} // namespace het

#endif // HET_LIB_FRONTEND_THREADEXITS_H
