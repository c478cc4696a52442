// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetIR → segments → LLVM IR of one kernel.

#include "LowerKernel.h"
#include "../../Support/Lowering/TargetLowering.h"
#include "het/Transforms/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"

using namespace mlir;

namespace het::host {
namespace {

LogicalResult formSegments(ModuleOp module, const LowerOptions &options) {
  PassManager passes(module.getContext());
  transforms::InsertSafePointsOptions safePoints;
  safePoints.teamOps = true;
  safePoints.uniformLoops = !options.schedule;
  safePoints.parkable = options.pollInterval != 0;
  safePoints.pollInterval = options.pollInterval;
  passes.addPass(transforms::createInsertSafePoints(safePoints));
  transforms::FormSegmentsOptions segments;
  segments.schedule = options.schedule;
  passes.addPass(transforms::createFormSegments(segments));
  return passes.run(module);
}

} // namespace

/// A structure of HostABI.h as a constant: its fields must be those of
/// HetHostKernel, in order.
void addKernelHeader(llvm::Module &module, llvm::StringRef kernel,
                     const KernelLayout &layout) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *i32 = llvm::Type::getInt32Ty(context);
  llvm::Type *i64 = llvm::Type::getInt64Ty(context);
  auto word = [&](uint64_t value) { return llvm::ConstantInt::get(i32, value); };
  llvm::Constant *text = llvm::ConstantDataArray::getString(context, kernel);
  auto *name = new llvm::GlobalVariable(module, text->getType(), /*isConstant=*/true,
                                        llvm::GlobalValue::PrivateLinkage, text);
  llvm::Function *resume = module.getFunction(resumeName);
  llvm::Constant *fields[] = {
      word(HET_HOST_ABI_VERSION),
      word(layout.staticSharedBytes),
      word(128),
      word(0),
      llvm::ConstantInt::get(i64, layout.frameBytesPerThread),
      llvm::ConstantInt::get(i64, layout.frameBytesPerBlock),
      module.getFunction(entryName),
      name,
      llvm::ConstantInt::get(i64, layout.hash),
      llvm::ConstantInt::get(i64, layout.stateBytes),
      resume ? static_cast<llvm::Constant *>(resume)
             : llvm::ConstantPointerNull::get(llvm::PointerType::get(context, 0))};
  auto *value = llvm::ConstantStruct::getAnon(context, fields);
  auto *header = new llvm::GlobalVariable(
      module, value->getType(), /*isConstant=*/true,
      llvm::GlobalValue::ExternalLinkage, value, "het_kernel");
  header->setVisibility(llvm::GlobalValue::DefaultVisibility);
}

llvm::Expected<llvm::SmallVector<char, 0>>
lowerKernel(llvm::StringRef code, llvm::StringRef kernel,
            const LowerOptions &options) {
  target::LoweringContext context;
  OwningOpRef<ModuleOp> module = context.parse(code);
  if (!module)
    return context.error();
  target::noteLanes(*module);
  if (failed(formSegments(*module, options)))
    return context.error();
  FailureOr<KernelLayout> layout = convertToHost(*module, kernel);
  if (failed(layout) || failed(verify(*module)))
    return context.error();

  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> llvmModule =
      context.translate(*module, llvmContext, kernel);
  if (!llvmModule)
    return context.error();
  auto machine = createHostMachine();
  if (!machine)
    return machine.takeError();
  llvmModule->setTargetTriple((*machine)->getTargetTriple());
  llvmModule->setDataLayout((*machine)->createDataLayout());
  if (llvm::Error error = target::linkDeviceLibrary(*llvmModule, options.devicelibPath))
    return error;
  addKernelHeader(*llvmModule, kernel, *layout);
  return generateSharedObject(*llvmModule, **machine);
}

} // namespace het::host
