// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block's record, and the artifact around the code.

#include "LowerKernel.h"
#include "../../Support/Lowering/BlockConverter.h"
#include "../../Support/Lowering/SpaceMerging.h"
#include "../Artifact.h"
#include <cstddef>

using namespace mlir;

namespace het::null {
namespace {

constexpr target::BlockABI blockABI = target::blockRecordABI<HetNullBlock>(
    target::AddressForm::Bits64, target::AddressForm::Bits64, ir::genericSpace,
    {0, offsetof(HetNullBlock, dynamicSharedBytes)});

/// Services are calls of functions that a device would have to bring along.
class Converter : public target::BlockConverter {
public:
  using BlockConverter::BlockConverter;

protected:
  StringRef targetName() override { return "the null target"; }
  StringRef servicePrefix() override { return "het_null_"; }
};

} // namespace

FailureOr<target::KernelInfo> NullLowering::convert(LLVM::LLVMFuncOp kernel) {
  auto module = kernel->getParentOfType<ModuleOp>();
  auto found =
      target::convertBlocks<Converter>(kernel, blockABI, {HET_NULL_RUN, /*resume=*/{}});
  if (succeeded(found)) // one address space for all
    target::mergeSpaces(module, [](unsigned) { return unsigned(ir::genericSpace); });
  return found;
}

target::Artifact NullLowering::artifact(llvm::ArrayRef<char> code) {
  HetNullArtifact header = {};
  header.magic = HET_NULL_MAGIC;
  header.codeBytes = code.size();
  header.variableCount = info.variableCount;
  header.argumentBytes = info.argumentBytes;
  header.staticSharedBytes = info.staticSharedBytes;
  header.frameBytesPerThread = info.frameBytesPerThread;
  header.frameBytesPerBlock = info.frameBytesPerBlock;
  return target::makeArtifact(header, {target::bytesOf(code)});
}

} // namespace het::null
