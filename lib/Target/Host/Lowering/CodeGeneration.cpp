// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR → object → ELF shared object, for this machine's processor. The artifact
// is a shared object and not code of a JIT because a later process must be able to
// load it without LLVM.

#include "../HostABI.h"
#include "LowerKernel.h"
#include "../../Support/Lowering/ElfLinker.h"
#include "../../Support/Lowering/TargetLowering.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/RuntimeLibcalls.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"
#include <cstddef>
#include <mutex>

namespace het::host {

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createHostMachine() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string reason;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, reason);
  if (!target)
    return llvm::createStringError(reason);
  std::string features;
  for (const auto &[name, has] : llvm::sys::getHostCPUFeatures())
    features += (features.empty() ? "" : ",") + std::string(has ? "+" : "-") +
                name.str();
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, llvm::sys::getHostCPUName(), features, options, llvm::Reloc::PIC_,
      llvm::CodeModel::Small, llvm::CodeGenOptLevel::Aggressive));
}

static void setFunctionAttributes(llvm::Module &module,
                                  const llvm::TargetMachine &machine) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    function.addFnAttr("prefer-vector-width", "512");
    function.addFnAttr("no-trapping-math", "true");
    function.setDoesNotThrow();
  }
}

/// Whether a pointer is to the block's shared memory: an offset from the field
/// `shared` of the HetHostBlock that a function takes first.
static bool isShared(const llvm::Value *pointer, const llvm::DataLayout &layout) {
  auto *base = llvm::dyn_cast<llvm::LoadInst>(
      llvm::getUnderlyingObject(pointer, /*MaxLookup=*/0));
  if (!base || !base->hasMetadata(llvm::LLVMContext::MD_invariant_load))
    return false;
  int64_t offset = 0;
  const llvm::Value *block = llvm::GetPointerBaseWithConstantOffset(
      base->getPointerOperand(), offset, layout);
  auto *argument = llvm::dyn_cast<llvm::Argument>(block);
  return argument && argument->getArgNo() == 0 &&
         offset == offsetof(HetHostBlock, shared);
}

/// A block's threads are one thread of this process: what they do to their shared
/// memory can not be torn by anybody, and needs no locked instruction.
static void lowerSharedAtomics(llvm::Module &module) {
  const llvm::DataLayout &layout = module.getDataLayout();
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
      auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
      if (update && !update->isVolatile() &&
          isShared(update->getPointerOperand(), layout))
        llvm::lowerAtomicRMWInst(update);
      else if (exchange && !exchange->isVolatile() &&
               isShared(exchange->getPointerOperand(), layout))
        llvm::lowerAtomicCmpXchgInst(exchange);
    }
}

static llvm::Expected<llvm::SmallVector<char, 0>>
emitObject(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream out(object);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, out, nullptr,
                                  llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("LLVM can not emit an object for this machine");
  passes.run(module);
  return object;
}

/// Whether LLVM itself may have come to call a function, in generating code or for a loop
/// that is one.
static bool isCompilersOwn(llvm::StringRef name, const llvm::Triple &triple) {
  static const llvm::RTLIB::RuntimeLibcallsInfo known(triple);
  return known.getSupportedLibcallImpl(name) != llvm::RTLIB::Unsupported ||
         llvm::is_contained({"memcmp", "bcmp", "strlen", "wcslen"}, name);
}

/// Refuses what would be bound to anything else of the process that loads it.
static llvm::Error checkImports(llvm::StringRef shared, const llvm::Triple &triple) {
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(shared, "kernel"));
  if (!file)
    return file.takeError();
  for (const llvm::object::ELFSymbolRef &symbol :
       llvm::cast<llvm::object::ELFObjectFileBase>(**file).getDynamicSymbolIterators()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (!flags || !name)
      return llvm::joinErrors(flags.takeError(), name.takeError());
    if ((*flags & llvm::object::SymbolRef::SF_Undefined) && !name->empty() &&
        !isCompilersOwn(*name, triple))
      return llvm::createStringError(
          "the kernel refers to '%s', which is not in its package",
          name->str().c_str());
  }
  return llvm::Error::success();
}

llvm::Expected<llvm::SmallVector<char, 0>>
generateSharedObject(llvm::Module &module, llvm::TargetMachine &machine) {
  setFunctionAttributes(module, machine);
  lowerSharedAtomics(module);
  target::defineDivisions(module);
  target::optimizeForSpeed(module, machine, target::CLibrary::Present);
  auto object = emitObject(module, machine);
  if (!object)
    return object.takeError();
  auto shared = target::linkELF(
      {{"kernel.o", llvm::StringRef(object->data(), object->size())}},
      {"-shared", "-z", "now", "--gc-sections", "@kernel.o"});
  if (!shared)
    return shared.takeError();
  if (llvm::Error error = checkImports({shared->data(), shared->size()},
                                       machine.getTargetTriple()))
    return error;
  return shared;
}

} // namespace het::host
