// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR → object → ELF shared object, for this machine's processor. The artifact
// is a shared object and not code of a JIT because a later process must be able to
// load it without LLVM.

#include "../HostABI.h"
#include "LowerKernel.h"
#include "../../Support/Lowering/TargetLowering.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"
#include <cstddef>
#include <mutex>

LLD_HAS_DRIVER(elf)

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

/// Of a large kernel the segments stay functions of their own. In one function they would
/// share the block's size, its frame and the conditions of their loops, and what LLVM asks
/// of a value it asks of all its uses.
static void keepSegmentsApart(llvm::Module &module) {
  constexpr unsigned large = 4000; // instructions
  llvm::SmallVector<llvm::Function *> segments;
  unsigned size = 0;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && function.getName().contains(".segment.")) {
      segments.push_back(&function);
      size += function.getInstructionCount();
    }
  if (size > large)
    for (llvm::Function *segment : segments)
      segment->addFnAttr(llvm::Attribute::NoInline);
}

static llvm::Error emitObject(llvm::Module &module, llvm::TargetMachine &machine,
                              llvm::StringRef path) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (error)
    return llvm::createStringError(error, "%s: %s", path.str().c_str(),
                                   error.message().c_str());
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, out, nullptr,
                                  llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("LLVM can not emit an object for this machine");
  passes.run(module);
  return llvm::Error::success();
}

/// Runs lld in this process; one link at a time, since it has globals.
static llvm::Error link(llvm::StringRef object, llvm::StringRef output) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  std::string objectPath = object.str(), outputPath = output.str(), messages;
  llvm::raw_string_ostream out(messages);
  const char *arguments[] = {"ld.lld", "-shared",        "-z",
                             "now",    "--gc-sections",  "--threads=1",
                             "-o",     outputPath.c_str(), objectPath.c_str()};
  lld::Result result = lld::lldMain(arguments, out, out,
                                    {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return llvm::createStringError(std::errc::io_error, "lld: %s", messages.c_str());
  return llvm::Error::success();
}

llvm::Expected<llvm::SmallVector<char, 0>>
generateSharedObject(llvm::Module &module, llvm::TargetMachine &machine) {
  setFunctionAttributes(module, machine);
  lowerSharedAtomics(module);
  keepSegmentsApart(module);
  target::defineDivisions(module);
  target::optimizeForSpeed(module, machine, target::CLibrary::Present);
  llvm::SmallString<128> directory;
  if (std::error_code error =
          llvm::sys::fs::createUniqueDirectory("het-host", directory))
    return llvm::createStringError(error, "temporary directory: %s",
                                   error.message().c_str());
  auto pathOf = [&](llvm::StringRef name) {
    llvm::SmallString<128> path = directory;
    llvm::sys::path::append(path, name);
    return path;
  };
  llvm::scope_exit remove(
      [&] { llvm::sys::fs::remove_directories(directory); });
  llvm::SmallString<128> object = pathOf("kernel.o"), shared = pathOf("kernel.so");
  if (llvm::Error error = emitObject(module, machine, object))
    return error;
  if (llvm::Error error = link(object, shared))
    return error;
  auto buffer = llvm::MemoryBuffer::getFile(shared, false, false);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "%s: %s", shared.c_str(),
                                   buffer.getError().message().c_str());
  return llvm::SmallVector<char, 0>((*buffer)->getBufferStart(),
                                    (*buffer)->getBufferEnd());
}

} // namespace het::host
