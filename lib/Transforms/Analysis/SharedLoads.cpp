// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers cut a kernel's code into pieces. The pieces that control reaches from behind
// a barrier, or from the entry, before the next one are an interval: if threads come to
// barriers together, what they all do between two of them lies in one. An object that no
// operation of an interval writes is constant there.

#include "SharedLoads.h"
#include "ObjectAddresses.h"
#include "het/IR/Module.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace het::transforms {

namespace {

bool isPlainLoad(Operation &op) {
  auto load = dyn_cast<LLVM::LoadOp>(op);
  return load && !load.getVolatile_() &&
         load.getOrdering() == LLVM::AtomicOrdering::not_atomic;
}

bool isSharedObject(Value object) {
  auto type = cast<LLVM::LLVMPointerType>(object.getType());
  return object.getDefiningOp<ir::DynamicSharedOp>() ||
         (object.getDefiningOp<LLVM::AddressOfOp>() &&
          type.getAddressSpace() == ir::sharedSpace);
}

class Finder {
public:
  explicit Finder(LLVM::LLVMFuncOp kernel) : kernel(kernel), addresses(kernel) {}

  llvm::DenseSet<Operation *> find() {
    findAccesses();
    llvm::DenseSet<Operation *> settled;
    if (loads.empty() || addresses.findKeptAddress())
      return settled;
    findIntervals();
    findWritten();
    for (auto [load, object, piece] : loads)
      if (!isWritten(object, piece))
        settled.insert(load);
    return settled;
  }

private:
  struct Load {
    Operation *op;
    Value object;
    unsigned piece;
  };
  struct Written {
    Value object;                 ///< Null: any.
    SmallVector<unsigned> writes; ///< Pieces.
    llvm::BitVector pieces;       ///< Pieces of all intervals with such a write.
  };

  void findAccesses() {
    starts.push_back(0);
    for (Block &block : kernel.getBody()) {
      first[&block] = blockOf.size();
      blockOf.push_back(&block);
      for (Operation &op : block) {
        if (ir::isWholeBarrier(&op)) {
          starts.push_back(blockOf.size());
          blockOf.push_back(&block);
        } else {
          note(op, blockOf.size() - 1);
        }
      }
    }
  }

  void note(Operation &op, unsigned piece) {
    if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
      std::optional<Value> object = addresses.objectOf(load.getAddr());
      if (isPlainLoad(op) && object && *object && isSharedObject(*object))
        loads.push_back({load, *object, piece});
      return;
    }
    Value address;
    if (auto store = dyn_cast<LLVM::StoreOp>(op))
      address = store.getAddr();
    else if (auto update = dyn_cast<LLVM::AtomicRMWOp>(op))
      address = update.getPtr();
    else if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op))
      address = exchange.getPtr();
    else if (auto matrices = dyn_cast<ir::MatrixStoreOp>(op))
      address = matrices.getAddress();
    else if (isMemoryEffectFree(&op) || !mayWrite(op))
      return;
    std::optional<Value> object = address ? addresses.objectOf(address) : std::nullopt;
    if (!object || *object)
      writesOf(object.value_or(Value())).push_back(piece);
  }

  llvm::SmallVector<unsigned> &writesOf(Value object) {
    auto isSame = [&](const Written &one) {
      return one.object && object ? ObjectAddresses::areSame(one.object, object)
                                  : one.object == object;
    };
    auto found = llvm::find_if(written, isSame);
    if (found == written.end()) {
      written.push_back({object, {}, {}});
      found = std::prev(written.end());
    }
    return found->writes;
  }

  /// hetIR's own operations write the program's memory only where they are
  /// given its address.
  static bool mayWrite(Operation &op) {
    return !isa<LLVM::LifetimeStartOp, LLVM::LifetimeEndOp, ir::SafePointOp,
                ir::MatrixLoadOp>(op) &&
           !op.hasTrait<OpTrait::IsTerminator>() &&
           (!isa<ir::HetIRDialect>(op.getDialect()) ||
            llvm::any_of(op.getOperandTypes(), llvm::IsaPred<LLVM::LLVMPointerType>));
  }

  bool endsInBarrier(unsigned piece) const {
    return piece + 1 < blockOf.size() && blockOf[piece + 1] == blockOf[piece];
  }

  void findIntervals() {
    for (unsigned start : starts) {
      llvm::BitVector &interval = intervals.emplace_back(blockOf.size());
      SmallVector<unsigned> stack{start};
      interval.set(start);
      while (!stack.empty()) {
        const unsigned piece = stack.pop_back_val();
        if (endsInBarrier(piece))
          continue;
        for (Block *next : blockOf[piece]->getSuccessors())
          if (unsigned to = first.lookup(next); !interval.test(to)) {
            interval.set(to);
            stack.push_back(to);
          }
      }
    }
  }

  void findWritten() {
    for (Written &one : written) {
      llvm::BitVector writes(blockOf.size());
      for (unsigned piece : one.writes)
        writes.set(piece);
      one.pieces.resize(blockOf.size());
      for (const llvm::BitVector &interval : intervals)
        if (interval.anyCommon(writes))
          one.pieces |= interval;
    }
  }

  bool isWritten(Value object, unsigned piece) const {
    return llvm::any_of(written, [&](const Written &one) {
      return one.pieces.test(piece) &&
             (!one.object || ObjectAddresses::areSame(one.object, object));
    });
  }

  LLVM::LLVMFuncOp kernel;
  ObjectAddresses addresses;
  SmallVector<Load> loads;
  SmallVector<Written> written;
  SmallVector<Block *> blockOf;            ///< Each piece's.
  llvm::DenseMap<Block *, unsigned> first; ///< Piece of a block.
  SmallVector<unsigned> starts;            ///< Pieces that intervals begin with.
  SmallVector<llvm::BitVector> intervals;  ///< Their pieces.
};

} // namespace

llvm::DenseSet<Operation *> findSettledLoads(LLVM::LLVMFuncOp kernel) {
  return Finder(kernel).find();
}

} // namespace het::transforms
