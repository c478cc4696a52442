// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The core's library, which this plug-in carries as an object and a linker script, and
// DeviceCode.c, as bitcode.

#include "../../Support/Lowering/ElfLinker.h"
#include "../TensixABI.h"
#include "Passes.h"
#include <cstring>

namespace het::tensix {

static const unsigned char deviceCode[] = {
#embed HET_TENSIX_DEVICE_CODE
};
static const unsigned char wormholeCore[] = {
#embed HET_TENSIX_WORMHOLE_CORE
};
static const unsigned char blackholeCore[] = {
#embed HET_TENSIX_BLACKHOLE_CORE
};
static const unsigned char linkerScript[] = {
#embed HET_TENSIX_LINKER_SCRIPT
};

template <size_t size> static llvm::StringRef textOf(const unsigned char (&bytes)[size]) {
  return llvm::StringRef(reinterpret_cast<const char *>(bytes), size);
}

llvm::StringRef coreLibrary(llvm::StringRef arch) {
  return arch == blackhole ? textOf(blackholeCore) : textOf(wormholeCore);
}

llvm::StringRef deviceCodeBytes() { return textOf(deviceCode); }

llvm::Expected<llvm::SmallVector<char, 0>> linkImage(llvm::StringRef object,
                                                     llvm::StringRef arch,
                                                     uint32_t stackLimit,
                                                     uint32_t &memoryBytes) {
  auto image =
      target::linkELF({{"kernel.o", object},
                       {"Core.o", coreLibrary(arch)},
                       {"Core.ld", textOf(linkerScript)}},
                      {"-melf32lriscv", "--gc-sections", "--no-relax", "--oformat=binary",
                       "--defsym=hetStackLimit=" + std::to_string(stackLimit),
                       "-T@Core.ld", "@kernel.o", "@Core.o"});
  if (!image)
    return image.takeError();
  if (image->size() < sizeof(HetTensixImage))
    return llvm::createStringError("the linker made no image");
  HetTensixImage head;
  std::memcpy(&head, image->data(), sizeof(head));
  memoryBytes = head.end - HET_TENSIX_IMAGE;
  return image;
}

} // namespace het::tensix
