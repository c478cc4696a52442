// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linking DeviceCode.c, whose bitcode this plug-in carries.

#include "../../Support/Lowering/TargetLowering.h"
#include "LowerKernel.h"

namespace het::spirv {

static const unsigned char deviceCode[] = {
#embed HET_SPIRV_DEVICE_CODE
};

llvm::Error linkDeviceCode(llvm::Module &module) {
  return target::linkDeviceCode(
      module,
      llvm::StringRef(reinterpret_cast<const char *>(deviceCode), sizeof(deviceCode)));
}

} // namespace het::spirv
