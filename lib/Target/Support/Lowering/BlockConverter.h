// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose blocks are one thread of the machine (docs/spec/hetir.md, Frame): what
// their code asks for lies in records that every function takes first. A target says
// where, in a table.

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_BLOCKCONVERTER_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_BLOCKCONVERTER_H

#include "FunctionConverter.h"
#include "KernelInfo.h"
#include <cstddef>

namespace het::target {

/// How an address is stored in memory.
enum class AddressForm { Pointer, Bits32, Bits64 };

struct Field {
  unsigned record = 0; ///< Which of the records.
  uint64_t offset = 0; ///< In bytes.
};

/// A target's records of a launch and a block.
struct BlockABI {
  AddressForm addresses;       ///< In the records.
  AddressForm packedAddresses; ///< Among the arguments, and the variables'.
  unsigned space; ///< hetIR's space of arguments, the variables' table and the frame.

  Field blockId, blockDim, gridDim;              ///< u32[3]
  Field arguments, variables, shared, frame;     ///< addresses
  Field dynamicSharedOffset, dynamicSharedBytes; ///< u32
  Field cooperative;                             ///< u32: 1 or 0
  Field currentLane; ///< u32: before an assertion or a trap, linear in the block

  Field clusterDim;    ///< u32[3]
  Field clusterGiven;  ///< u32: 1 or 0
  Field clusterShared; ///< address: the shared memory of the cluster's first block
  Field clusterStride; ///< u32: from one block's shared memory to the next one's
};

/// The table of a target whose only record is the block's and has fields of these names.
/// `dynamicSharedBytes` is unused where BlockConverter::sharedBytes is overridden.
template <typename Block>
constexpr BlockABI blockRecordABI(AddressForm addresses, AddressForm packedAddresses,
                                  unsigned space, Field dynamicSharedBytes) {
  return {.addresses = addresses,
          .packedAddresses = packedAddresses,
          .space = space,
          .blockId = {0, offsetof(Block, blockId)},
          .blockDim = {0, offsetof(Block, blockDim)},
          .gridDim = {0, offsetof(Block, gridDim)},
          .arguments = {0, offsetof(Block, arguments)},
          .variables = {0, offsetof(Block, variables)},
          .shared = {0, offsetof(Block, shared)},
          .frame = {0, offsetof(Block, frame)},
          .dynamicSharedOffset = {0, offsetof(Block, dynamicSharedOffset)},
          .dynamicSharedBytes = dynamicSharedBytes,
          .cooperative = {0, offsetof(Block, cooperative)},
          .currentLane = {0, offsetof(Block, currentLane)},
          .clusterDim = {0, offsetof(Block, clusterDim)},
          .clusterGiven = {0, offsetof(Block, clusterGiven)},
          .clusterShared = {0, offsetof(Block, clusterShared)},
          .clusterStride = {0, offsetof(Block, clusterStride)}};
}

/// An address that lies behind a record's beginning.
mlir::Value loadAddress(mlir::ImplicitLocOpBuilder &builder, mlir::Value record,
                        uint64_t offset, AddressForm form, unsigned space);

class BlockConverter : public FunctionConverter {
public:
  BlockConverter(mlir::LLVM::LLVMFuncOp function, unsigned recordCount,
                 const BlockABI &abi, const KernelObjects &objects,
                 const KernelInfo &info)
      : FunctionConverter(function, recordCount), abi(abi), objects(objects), info(info) {
  }

protected:
  mlir::Value position(Position which, ir::Dim dim) override;
  mlir::Value isCooperative() override {
    return load(abi.cooperative, builder.getI32Type());
  }
  mlir::Value isClusterGiven() override {
    return load(abi.clusterGiven, builder.getI32Type());
  }
  mlir::Value mapToCluster(mlir::Value pointer, mlir::Value rank) override;
  mlir::Value rankInCluster(mlir::Value pointer) override;
  mlir::Value clusterAddress(mlir::Value pointer) override;
  mlir::Value clusterPointer(mlir::Value address) override;
  mlir::Value isGlobal(mlir::Value pointer) override;
  mlir::Value dynamicShared() override;
  mlir::Value frame(mlir::Type type) override;
  mlir::Value addressOf(mlir::LLVM::AddressOfOp address) override;
  mlir::Value isShared(mlir::Value pointer) override;
  mlir::LogicalResult noteLane(mlir::Value lane) override;

  /// Where the block's shared memory begins, and its bytes, an i64.
  virtual mlir::Value sharedBase();
  virtual mlir::Value sharedBytes();

  /// An i64: the address of the shared memory of the cluster's first block.
  mlir::Value clusterBase();
  /// Whether code of the module is about clusters.
  bool usesClusters() const;

  mlir::Value load(Field field, mlir::Type type);
  /// A u32, as an i64.
  mlir::Value loadWide(Field field);
  mlir::Value loadAddress(Field field, unsigned space);

  const BlockABI &abi;
  const KernelObjects &objects;
  const KernelInfo &info;
};

/// The kernel's own arguments, off the packed ones. Those that are passed by value get
/// addresses there: see passByAddress.
void appendArguments(mlir::ImplicitLocOpBuilder &builder, mlir::LLVM::LLVMFuncOp kernel,
                     unsigned firstArgument, llvm::ArrayRef<uint32_t> offsets,
                     mlir::Value packed, const BlockABI &abi,
                     mlir::SmallVectorImpl<mlir::Value> &arguments);
/// The kernel takes addresses where it took structures by value.
void passByAddress(mlir::LLVM::LLVMFuncOp kernel);

/// Names of `i32 run(block, i32 pc)`, and of the same for blocks that were suspended.
struct BlockEntries {
  llvm::StringRef run;
  llvm::StringRef resume; ///< Empty: blocks are never suspended.
  bool always = false;    ///< `resume` is also there where it would be the same.
};

/// Converts a segmented kernel's module where the block's record is the only one; but for
/// the address spaces. `create` makes a converter for each function.
mlir::FailureOr<KernelInfo>
convertBlocks(mlir::LLVM::LLVMFuncOp kernel, const BlockABI &abi,
              const BlockEntries &entries,
              llvm::function_ref<std::unique_ptr<FunctionConverter>(
                  mlir::LLVM::LLVMFuncOp, const KernelObjects &, const KernelInfo &)>
                  create);

/// The same by converters that are made as a BlockConverter is.
template <typename Converter>
mlir::FailureOr<KernelInfo> convertBlocks(mlir::LLVM::LLVMFuncOp kernel,
                                          const BlockABI &abi,
                                          const BlockEntries &entries) {
  return convertBlocks(kernel, abi, entries,
                       [&](mlir::LLVM::LLVMFuncOp function, const KernelObjects &objects,
                           const KernelInfo &info) {
                         return std::make_unique<Converter>(function, /*recordCount=*/1,
                                                            abi, objects, info);
                       });
}

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_BLOCKCONVERTER_H
