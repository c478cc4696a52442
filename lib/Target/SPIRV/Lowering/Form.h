// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms that a kernel takes in SPIR-V: how its threads become work-items.

#ifndef HET_LIB_TARGET_SPIRV_LOWERING_FORM_H
#define HET_LIB_TARGET_SPIRV_LOWERING_FORM_H

#include "het/IR/Module.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <string>

namespace het::spirv {

/// How a kernel is run (SPIRVArtifact.h).
enum class Form {
  Native,    ///< work-items are threads, in up to three dimensions
  Flat,      ///< in one dimension; sub-groups of 32 are teams
  Split,     ///< in one dimension; a team is two or four sub-groups
  Segmented, ///< a work-item is a block
};

/// A form and, of Form::Segmented, why: part of a sentence.
struct FormChoice {
  Form form;
  std::string reason;
};

/// The fastest form that is right for the kernel, whatever the device makes of
/// divergent control flow. `lanes`: of a sub-group, 8, 16 or 32; 0: the device's
/// sub-groups can not be used.
FormChoice chooseForm(mlir::LLVM::LLVMFuncOp kernel, unsigned lanes);

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_LOWERING_FORM_H
