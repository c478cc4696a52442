// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations on halves, alone or in pairs, and on vectors (PTX ISA, atom, red).
// Halves are added as hetIR adds them; what else is done to them is done to the word that
// they are in, by comparing and exchanging it. The elements of a vector are changed one
// by one, as the ISA allows.

#include "Emitter.h"
#include "Floats.h"
#include "Memory.h"

using namespace het::ptx;
using namespace llvm;
using PtxType = het::ptx::Type;

namespace {

/// Half a word, or a whole one, in memory.
class WordPart {
public:
  WordPart(Emitter &e, Value *address, unsigned width) : e(e), width(width) {
    IRBuilder<> &b = e.b;
    word = address;
    if (width == 32)
      return;
    Value *beyond = b.CreateAnd(b.CreatePtrToInt(address, b.getInt64Ty()), b.getInt64(2));
    word = b.CreatePtrAdd(address, b.CreateNeg(beyond));
    shift = b.CreateShl(b.CreateTrunc(beyond, b.getInt32Ty()), 3);
  }

  Value *place() const { return word; }
  Value *read(Value *whole) const {
    return shift ? e.b.CreateTrunc(e.b.CreateLShr(whole, shift), e.integer(width))
                 : whole;
  }
  Value *write(Value *whole, Value *part) const {
    IRBuilder<> &b = e.b;
    if (!shift)
      return part;
    Value *mask = b.CreateShl(b.getInt32(0xFFFF), shift);
    return b.CreateOr(b.CreateAnd(whole, b.CreateNot(mask)),
                      b.CreateShl(b.CreateZExt(part, b.getInt32Ty()), shift));
  }

private:
  Emitter &e;
  unsigned width;
  Value *word, *shift = nullptr;
};

} // namespace

/// What an operation makes of two halves, as a half.
static Value *combineHalves(Emitter &e, Value *old, Value *operand, PtxType type) {
  IRBuilder<> &b = e.b;
  Value *made = b.CreateBinaryIntrinsic(e.has("min") ? Intrinsic::minimumnum
                                                     : Intrinsic::maximumnum,
                                        widened(b, old), widened(b, operand));
  return rounded(e, made, type);
}

/// Changes one value of 16 bits or a pair; returns it as it was. Additions are hetIR's
/// own.
static Value *changeHalves(Emitter &e, Value *address, Value *operand) {
  IRBuilder<> &b = e.b;
  const PtxType type = e.type();
  if (e.has("add"))
    return b.CreateAtomicRMW(
        AtomicRMWInst::FAdd, address, b.CreateBitCast(operand, e.irType(type)),
        Align(type.width() / 8), accessOrder(e).value_or(AtomicOrdering::Monotonic),
        accessScope(e, "device"));
  const WordPart part(e, address, type.width());
  const SyncScope::ID scope = accessScope(e, "device");
  LoadInst *first = b.CreateAlignedLoad(b.getInt32Ty(), part.place(), Align(4));
  first->setAtomic(AtomicOrdering::Monotonic, scope);
  BasicBlock *before = b.GetInsertBlock(), *loop = e.body.createBlock(),
             *behind = e.body.createBlock();
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  PHINode *whole = b.CreatePHI(b.getInt32Ty(), 2);
  whole->addIncoming(first, before);
  Value *old = b.CreateBitCast(part.read(whole), e.irType(type));
  Value *made = e.eachLane(type, {old, operand}, [&](ArrayRef<Value *> own) {
    return combineHalves(e, own[0], own[1], type.lane());
  });
  Value *changed = part.write(whole, b.CreateBitCast(made, e.integer(type.width())));
  const AtomicOrdering order = accessOrder(e).value_or(AtomicOrdering::Monotonic);
  Value *both =
      b.CreateAtomicCmpXchg(part.place(), whole, changed, Align(4), order,
                            AtomicCmpXchgInst::getStrongestFailureOrdering(order), scope);
  whole->addIncoming(b.CreateExtractValue(both, 0), b.GetInsertBlock());
  b.CreateCondBr(b.CreateExtractValue(both, 1), behind, loop);
  b.SetInsertPoint(behind);
  return old;
}

/// Changes the elements in order; `results` are null for red.
static void changeElements(Emitter &e, unsigned place, const Operand *result) {
  IRBuilder<> &b = e.b;
  const PtxType type = e.type();
  const Operand &given = e.operand(place + 1);
  ArrayRef<Operand> operands(given);
  if (given.kind == Operand::Kind::Vector)
    operands = given.parts;
  ArrayRef<Operand> results;
  if (result)
    results = result->kind == Operand::Kind::Vector ? ArrayRef<Operand>(result->parts)
                                                    : ArrayRef<Operand>(*result);
  const unsigned elements = vectorElements(e);
  if (operands.size() != elements || (result && results.size() != elements))
    return e.fail("an operand is not a vector of " + Twine(elements));
  Value *address = e.address(place);
  SmallVector<Value *> old;
  for (auto [index, operand] : enumerate(operands)) {
    Value *own = b.CreatePtrAdd(address, b.getInt64(index * (type.width() / 8)));
    Value *value = e.source(operand, type);
    old.push_back(type.bits == 16 ? changeHalves(e, own, value)
                                  : changeElement(e, own, value));
    if (!old.back())
      return;
  }
  for (auto [index, operand] : enumerate(results)) // which the address may be in
    e.result(operand, old[index]);
}

void het::ptx::emitElementsAtomic(Emitter &e) { changeElements(e, 1, &e.operand(0)); }
void het::ptx::emitElementsReduction(Emitter &e) { changeElements(e, 0, nullptr); }
