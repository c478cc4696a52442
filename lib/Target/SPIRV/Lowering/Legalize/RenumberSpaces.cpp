// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From hetIR's numbers of address spaces to those of OpenCL in LLVM: generic 0
// → 4, local 5 → 0 (private); global 1 and shared 3 stay.

#include "../Fp64/RemapTypes.h"
#include "../Passes.h"
#include "llvm/IR/DerivedTypes.h"

namespace het::spirv {
namespace {

class SpaceImages : public TypeImages {
  llvm::Type *image(llvm::Type *type) override {
    auto *pointer = llvm::dyn_cast<llvm::PointerType>(type);
    if (!pointer)
      return type;
    unsigned space = pointer->getAddressSpace();
    return llvm::PointerType::get(type->getContext(), space == ir::genericSpace ? 4
                                                      : space == ir::localSpace ? 0
                                                                                : space);
  }
};

} // namespace

void renumberSpaces(llvm::Module &module) {
  SpaceImages images;
  remapTypes(module, images);
}

} // namespace het::spirv
