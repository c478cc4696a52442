// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The consumers of the device pass, which check and mend its syntax tree before code is
// made of it.

#ifndef HET_LIB_FRONTEND_DEVICECONSUMERS_H
#define HET_LIB_FRONTEND_DEVICECONSUMERS_H

#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace het {

/// `last`, which makes code or a file of the tree, behind the consumers of the device
/// pass.
std::unique_ptr<clang::ASTConsumer>
behindDeviceConsumers(clang::CompilerInstance &compiler,
                      std::unique_ptr<clang::ASTConsumer> last);

} // namespace het

#endif // HET_LIB_FRONTEND_DEVICECONSUMERS_H
