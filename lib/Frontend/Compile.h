// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second half of the device compilation, which one file and a device link share.

#ifndef HET_LIB_FRONTEND_COMPILE_H
#define HET_LIB_FRONTEND_COMPILE_H

#include "Optimize.h"
#include "het/Frontend/Frontend.h"

#include <memory>

namespace llvm {
class Module;
}

namespace het {

class Messages;
struct RelocatableCode;

/// A prepared module on its way into a package.
struct DeviceProgram {
  std::unique_ptr<llvm::Module> module;
  Sharing sharing = Sharing::None;
  /// Goes into the package as well; null for none.
  const RelocatableCode *relocatable = nullptr;
};

/// Turns the program into what the stage asks for.
llvm::Expected<Bytes> finishDevice(DeviceProgram program, const CompileOptions &options,
                                   DeviceStage stage, Messages &messages);

} // namespace het

#endif // HET_LIB_FRONTEND_COMPILE_H
