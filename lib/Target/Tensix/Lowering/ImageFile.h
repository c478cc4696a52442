// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An artifact's image as an ELF file, for disassemblers and loaders.

#ifndef HET_LIB_TARGET_TENSIX_LOWERING_IMAGEFILE_H
#define HET_LIB_TARGET_TENSIX_LOWERING_IMAGEFILE_H

#include "../../Support/Lowering/KernelLowering.h"

namespace het::tensix {

/// A program for rv32: the image at its address, what it holds only when it runs (.bss),
/// and constants of the chip's DRAM (.constants), which no core has at an address of its
/// own.
llvm::Expected<target::Artifact> makeImageFile(llvm::ArrayRef<uint8_t> artifact);

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_LOWERING_IMAGEFILE_H
