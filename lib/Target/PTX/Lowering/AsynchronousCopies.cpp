// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies from global to shared memory: the machine's cp.async. The store of
// what has been loaded just before says that it is one (docs/spec/hetir.md).
//
// Source: PTX ISA, "Data Movement and Conversion Instructions: Non-bulk copy".

#include "../../Support/Lowering/TargetLowering.h"
#include "ConvertToPTX.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace het::ptx {

/// The load that a copy consists of, if it has stayed what cp.async does.
static LLVM::LoadOp loadOfCopy(LLVM::StoreOp store) {
  auto spaceOf = [](Value pointer) {
    return cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace();
  };
  auto load = store.getValue().getDefiningOp<LLVM::LoadOp>();
  if (!load || !load->hasOneUse() || load->getNextNode() != store ||
      spaceOf(load.getAddr()) != ir::globalSpace ||
      spaceOf(store.getAddr()) != ir::sharedSpace)
    return {};
  const uint64_t size = DataLayout::closest(store).getTypeSize(load.getType());
  const bool isAligned =
      store.getAlignment().value_or(1) >= size && load.getAlignment().value_or(1) >= size;
  return isAligned && (size == 4 || size == 8 || size == 16) ? load : LLVM::LoadOp();
}

static void convertCopy(LLVM::StoreOp store) {
  auto cache = store->getAttrOfType<StringAttr>(ir::copyAttrName);
  if (!cache)
    return;
  store->removeAttr(ir::copyAttrName);
  LLVM::LoadOp load = loadOfCopy(store);
  if (!load)
    return;
  const uint64_t size = DataLayout::closest(store).getTypeSize(load.getType());
  ImplicitLocOpBuilder builder(store.getLoc(), store);
  const std::string name =
      ("llvm.nvvm.cp.async." + (size == 16 ? cache.getValue() : StringRef("ca")) +
       ".shared.global." + Twine(size))
          .str();
  callIntrinsic(builder, name, nullptr, {store.getAddr(), load.getAddr()});
  store.erase();
  load.erase();
}

void convertCopies(ModuleOp module) {
  module.walk([](LLVM::StoreOp store) { convertCopy(store); });
  module.walk([](ir::CopyGroupOp group) {
    ImplicitLocOpBuilder builder(group.getLoc(), group);
    callIntrinsic(builder, "llvm.nvvm.cp.async.commit.group", nullptr, {});
    group.erase();
  });
  module.walk([](ir::CopyWaitOp wait) {
    ImplicitLocOpBuilder builder(wait.getLoc(), wait);
    if (auto pending = wait.getPending())
      callIntrinsic(builder, "llvm.nvvm.cp.async.wait.group", nullptr,
                    constantI32(builder, *pending));
    else
      callIntrinsic(builder, "llvm.nvvm.cp.async.wait.all", nullptr, {});
    wait.erase();
  });
}

} // namespace het::ptx
