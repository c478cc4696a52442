// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cores' part of the conversion: addresses of 32 bits in their own memory, services
// by functions of DeviceCode.c and of the core's library, and notes of which segment
// runs.

#include "ConvertToTensix.h"
#include "../../Support/Lowering/BlockConverter.h"
#include "../../Support/Lowering/SpaceMerging.h"
#include "../../Support/Lowering/TargetLowering.h"
#include "../TensixABI.h"
#include "Passes.h"
#include <cstddef>

using namespace mlir;

namespace het::tensix {
namespace {

constexpr target::BlockABI blockABI = target::blockRecordABI<HetTensixBlock>(
    target::AddressForm::Bits32, target::AddressForm::Bits64, ir::localSpace,
    /*dynamicSharedBytes=*/{});

class Converter : public target::BlockConverter {
public:
  using BlockConverter::BlockConverter;

protected:
  StringRef targetName() override { return "Tensix cores"; }
  Value parking() override { return call("het_core_parking", builder.getI32Type(), {}); }
  Value pollInterval() override {
    return call("het_core_poll_interval", builder.getI32Type(), {});
  }
  StringRef fenceScope(ir::FenceScope scope) override {
    return scope == ir::FenceScope::System ? StringRef(systemScopeName)
                                           : BlockConverter::fenceScope(scope);
  }
  StringRef servicePrefix() override { return "__het_tensix_"; }
  /// All clocks count the chip's, of about a nanosecond each.
  Value clock(ir::ClockKind) override {
    return call("het_core_clock", builder.getI64Type(), {});
  }
  Value sharedBytes() override {
    return loadWide({0, offsetof(HetTensixBlock, sharedBytes)});
  }
  Value isLocal(Value pointer) override;
  Value isGridConstant(Value pointer) override;

private:
  Value i64(uint64_t value) { return target::constantI64(builder, value); }
};

/// On the stack, or in a frame; behind the block's are those of other blocks.
Value Converter::isLocal(Value pointer) {
  Value address = integer(pointer);
  Value frame = loadWide(abi.frame);
  Value behind = LLVM::SubOp::create(builder, i64(uint64_t(1) << 32), frame);
  Value isOnStack = target::isWithin(builder, address, i64(HET_TENSIX_LOWEST_DATA),
                                     i64(HET_TENSIX_STACK_TOP - HET_TENSIX_LOWEST_DATA));
  return LLVM::OrOp::create(builder, isOnStack,
                            target::isWithin(builder, address, frame, behind));
}

/// The packed arguments are one object as far as this goes; variables lie behind them.
Value Converter::isGridConstant(Value pointer) {
  if (info.gridConstants.empty())
    return target::constantI1(builder, false);
  Value begin = loadWide(abi.arguments), end = loadWide(abi.variables);
  return target::isWithin(builder, integer(pointer), begin,
                          LLVM::SubOp::create(builder, end, begin));
}

/// Leaves in the mailbox where its block is, for the message about a core that is stuck.
void noteSegment(LLVM::LLVMFuncOp function) {
  auto segment = function->getAttrOfType<IntegerAttr>(ir::segmentAttrName);
  if (!segment)
    return;
  Block &entry = function.getBody().front();
  ImplicitLocOpBuilder builder(function.getLoc(), &entry, entry.begin());
  auto note = [&](uint64_t offset, Value value) {
    Value address = LLVM::IntToPtrOp::create(
        builder, target::pointerTo(builder, ir::localSpace),
        target::constantI32(builder, HET_TENSIX_MAILBOX + offset));
    LLVM::StoreOp::create(builder, value, address, /*alignment=*/4, /*isVolatile=*/true);
  };
  const bool ofTeam = function->hasAttr(ir::segmentOfTeamAttrName);
  const unsigned count = function.getNumArguments();
  note(offsetof(HetTensixMailbox, segment),
       target::constantI32(builder, segment.getInt()));
  note(offsetof(HetTensixMailbox, team),
       ofTeam ? Value(function.getArgument(count - 2))
              : target::constantI32(builder, HET_TENSIX_ALL_TEAMS));
  if (ofTeam)
    note(offsetof(HetTensixMailbox, lanes), function.getArgument(count - 1));
}

} // namespace

FailureOr<target::KernelInfo> convertToTensix(LLVM::LLVMFuncOp kernel) {
  auto module = kernel->getParentOfType<ModuleOp>();
  auto info = target::convertBlocks<Converter>(kernel, blockABI, {entryName, resumeName});
  if (failed(info))
    return failure();
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    noteSegment(function);
  target::setPlainLayout(module);
  return info;
}

} // namespace het::tensix
