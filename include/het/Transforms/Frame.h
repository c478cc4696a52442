// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frame: the memory that holds a block's state at a safe point.
//
// A block of `n` threads is padded to `p`, the next multiple of 32. Its frame is
//
//   block area   one copy of each slot, for values that are uniform over the block,
//                and what the block itself keeps
//   pcs          p x u32: the safe point each lane stands at, or `endedPc`
//   slot k       p x size(k), for k = 0, 1, …: those of the safe points
//   locals       p x localBytes: each lane's local objects
//   slot k       likewise: further ones, for operands and results of operations
//
// so the address of lane l's slot k is base + blockBytes + offset(k) * p + l * size(k),
// where offset(k) is the sum of what a lane has before it; where a slot or the locals are
// aligned to more than 32 bytes, it is rounded up so that they are. The base is aligned
// to 128, and so no object may ask for more.
// Normative text: docs/spec/hetir.md, Frame.

#ifndef HET_TRANSFORMS_FRAME_H
#define HET_TRANSFORMS_FRAME_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"
#include <map>

namespace het::transforms {

/// The pc of a lane that has returned.
constexpr uint32_t endedPc = 0xFFFFFFFF;

/// Largest alignment of a frame's base.
constexpr uint64_t maxAlignment = 128;

/// Whether a frame has room for a local object: it is made where its function begins, and
/// its size is constant.
bool isOfFrame(mlir::LLVM::AllocaOp object);

/// Reports a local object of the kernel that a frame has no room for, or that is aligned
/// to more than a frame's base.
mlir::LogicalResult checkLocalObjects(mlir::LLVM::LLVMFuncOp kernel);

/// Reports a safe point of the kernel whose values have no slots, as before
/// --hetir-insert-safe-points.
mlir::LogicalResult checkSlots(mlir::LLVM::LLVMFuncOp kernel);

/// Where one slot lies.
struct FrameSlot {
  mlir::Type type;
  uint64_t size;        ///< bytes of one lane's copy
  uint64_t offset;      ///< bytes a thread before it
  uint64_t blockOffset; ///< of the uniform copy, from the base
};

/// The layout of one kernel's frame.
class FrameLayout {
public:
  /// Reads the slots off the kernel's safe points and its local objects off its
  /// entry block.
  explicit FrameLayout(mlir::LLVM::LLVMFuncOp kernel);

  /// Adds a slot that no safe point names (for operands and results of team
  /// operations); the same `role` and type give the same slot.
  unsigned addSlot(llvm::StringRef role, mlir::Type type);

  /// Adds memory of the block's own to its area, aligned to 16; where it starts.
  uint64_t addBlockMemory(uint64_t bytes);

  const FrameSlot &slot(unsigned index) const { return slots[index]; }
  unsigned slotCount() const { return slots.size(); }
  uint64_t localOffset(mlir::Operation *alloca) const { return locals.lookup(alloca); }
  uint64_t bytesPerThread() const { return offset; }
  uint64_t bytesPerBlock() const {
    return llvm::alignTo(std::max(blockBytes, leastBlockBytes), maxAlignment);
  }
  uint64_t bytesOfLocals() const { return localBytes; }
  uint64_t offsetOfLocals() const { return localsOffset; }
  /// Bytes of a thread's state: its pc, the safe points' slots and its local objects.
  uint64_t bytesOfState() const { return localsOffset + localBytes; }

  /// Makes the block's area at least so large.
  void reserveBlockBytes(uint64_t bytes) { leastBlockBytes = bytes; }

  /// Hash of all that a suspended block's state depends on: the points, their slots and
  /// these types, the local and shared objects. Equal layouts have equal hashes; never 0.
  uint64_t hash(mlir::LLVM::LLVMFuncOp kernel) const;

private:
  unsigned append(mlir::Type type);
  void alignArray(uint64_t alignment);

  mlir::DataLayout layout;
  llvm::SmallVector<FrameSlot> slots;
  std::map<std::pair<std::string, const void *>, unsigned> roles;
  llvm::DenseMap<mlir::Operation *, uint64_t> locals;
  uint64_t offset = 4; // the pcs
  uint64_t blockBytes = 0, leastBlockBytes = 0;
  uint64_t localBytes = 0, localsOffset = 0, localAlignment = 16;
};

/// Builds addresses into a block's frame inside one function.
class FrameAccess {
public:
  /// Emits what all addresses share: the base and the padded thread count.
  FrameAccess(const FrameLayout &layout, mlir::ImplicitLocOpBuilder &builder);

  mlir::Value threads() const { return threadCount; } ///< i64, not padded
  mlir::Value pcs(mlir::ImplicitLocOpBuilder &builder) const;
  mlir::Value slotArray(mlir::ImplicitLocOpBuilder &builder, unsigned slot) const;
  mlir::Value slotOfLane(mlir::ImplicitLocOpBuilder &builder, unsigned slot,
                         mlir::Value lane) const;
  mlir::Value slotOfBlock(mlir::ImplicitLocOpBuilder &builder, unsigned slot) const;
  /// Pointer into the memory that `addBlockMemory` gave.
  mlir::Value blockMemory(mlir::ImplicitLocOpBuilder &builder, uint64_t offset) const;
  mlir::Value local(mlir::ImplicitLocOpBuilder &builder, mlir::Operation *alloca,
                    mlir::Value lane) const;

private:
  mlir::Value array(mlir::ImplicitLocOpBuilder &builder, uint64_t offset) const;
  mlir::Value element(mlir::ImplicitLocOpBuilder &builder, mlir::Value base,
                      mlir::Value lane, uint64_t size) const;

  const FrameLayout &layout;
  mlir::Value base, threadCount, padded;
};

} // namespace het::transforms

#endif // HET_TRANSFORMS_FRAME_H
