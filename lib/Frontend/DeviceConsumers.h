// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What looks at, and mends, the syntax tree of the device pass before code is made of it.

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
