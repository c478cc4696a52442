// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bitcode of DeviceCode.c, which this plug-in carries as an array.

#include "Passes.h"

namespace het::spirv {

static const unsigned char deviceCode[] = {
#embed HET_SPIRV_DEVICE_CODE
};

llvm::StringRef deviceCodeBytes() {
  return {reinterpret_cast<const char *>(deviceCode), sizeof(deviceCode)};
}

} // namespace het::spirv
