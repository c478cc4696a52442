// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant shifts by the width or more, in Clang's syntax tree.

#ifndef HET_LIB_FRONTEND_CONSTANTSHIFTS_H
#define HET_LIB_FRONTEND_CONSTANTSHIFTS_H

#include <memory>

namespace clang {
class ASTConsumer;
} // namespace clang

namespace het {

/// Creates the consumer that defines constant shifts by the width or more as GPUs do. It
/// comes before the code generator's.
std::unique_ptr<clang::ASTConsumer> createConstantShifts();

} // namespace het

#endif // HET_LIB_FRONTEND_CONSTANTSHIFTS_H
