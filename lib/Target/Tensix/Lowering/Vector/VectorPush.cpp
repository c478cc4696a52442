// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VectorPush.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace het::tensix {
namespace {

/// Where baby core B pushes instructions of thread 0 (PushTensixInstruction.md).
constexpr uint32_t instructionBuffer = 0xFFE40000;

/// Instructions that wait to be written as one piece of assembly.
class Pusher {
public:
  explicit Pusher(IRBuilder<> &builder) : builder(builder) {}
  ~Pusher() { flush(); }
  void push(uint32_t word) {
    text += "\t.4byte 0x" + utohexstr(sfpu::pushed(word)) + "\n";
  }
  void push(Value *word) {
    flush();
    auto *pointer =
        builder.CreateIntToPtr(builder.getInt32(instructionBuffer),
                               PointerType::get(builder.getContext(), ir::localSpace));
    builder.CreateStore(word, pointer, true);
  }
  void call(Function *routine) {
    flush();
    builder.CreateCall(routine);
  }

private:
  void flush() {
    if (text.empty())
      return;
    auto *type = FunctionType::get(builder.getVoidTy(), false);
    builder.CreateCall(InlineAsm::get(type, text, "~{memory}", true));
    text.clear();
  }
  IRBuilder<> &builder;
  std::string text;
};

using Words = SmallVector<VectorWord, 0>;

/// The core's values as SFPLOADI's halves.
struct Halves {
  Value *upper, *lower;
};

Halves halve(IRBuilder<> &builder, Value *value) {
  if (value->getType()->isFloatTy())
    value = builder.CreateBitCast(value, builder.getInt32Ty());
  value = builder.CreateZExtOrTrunc(value, builder.getInt32Ty());
  return {builder.CreateLShr(value, 16), builder.CreateAnd(value, 0xFFFF)};
}

void pushWords(IRBuilder<> &builder, const Words &words, ArrayRef<Halves> halves) {
  Module &module = *builder.GetInsertBlock()->getModule();
  Pusher pusher(builder);
  for (const VectorWord &word : words)
    switch (word.kind) {
    case VectorWord::Instruction:
      pusher.push(word.word);
      break;
    case VectorWord::UpperOf:
      pusher.push(builder.CreateOr(halves[word.scalar].upper, word.word));
      break;
    case VectorWord::LowerOf:
      pusher.push(builder.CreateOr(halves[word.scalar].lower, word.word));
      break;
    case VectorWord::Routine:
      pusher.call(getRoutine(module, static_cast<Routine>(word.word)));
      break;
    }
}

/// The place of the first thread of a step: a step's rows have threads 16 * row + column,
/// in even columns or in odd ones.
Value *firstThread(IRBuilder<> &builder, Value *row, const RowBounds &bounds) {
  Value *group = builder.CreateShl(builder.CreateAnd(row, ~3u), 4);
  Value *parity = builder.CreateAnd(builder.CreateLShr(row, 1), 1);
  return builder.CreateAdd(bounds.first, builder.CreateOr(group, parity));
}

} // namespace

Lanes VectorPiece::broadcast(Value *value) {
  auto [it, isNew] = scalars.try_emplace(value, scalars.size() + 1);
  return code.broadcast(it->second);
}

Lanes VectorPiece::threads() {
  usesThreads = true;
  return code.add(code.broadcast(0), code.doubleLane());
}

bool pushPiece(VectorPiece &piece, ArrayRef<unsigned> freeSlots, Instruction *at,
               const RowBounds &bounds, bool collectsDoubts) {
  if (piece.code.empty())
    return true;
  std::optional<Words> words = assemble(piece.code, freeSlots, collectsDoubts);
  if (!words)
    return false;
  IRBuilder<> builder(at);
  Type *i32 = builder.getInt32Ty();
  Value *count = builder.CreateLoad(i32, bounds.count);
  Value *groups = builder.CreateLShr(builder.CreateAdd(count, builder.getInt32(63)), 6);
  Value *end = builder.CreateShl(groups, 2);
  SmallVector<Halves> halves{{nullptr, nullptr}};
  for (auto [value, number] : piece.scalars)
    halves.push_back(halve(builder, value));
  BasicBlock *before = at->getParent();
  BasicBlock *after = SplitBlock(before, at);
  auto *loop =
      BasicBlock::Create(at->getContext(), "vector.step", before->getParent(), after);
  before->getTerminator()->setSuccessor(0, loop);
  builder.SetInsertPoint(loop);
  PHINode *row = builder.CreatePHI(i32, 2);
  row->addIncoming(builder.getInt32(0), before);
  if (piece.usesThreads)
    halves[0] = halve(builder, firstThread(builder, row, bounds));
  Pusher(builder).push(builder.CreateOr(builder.CreateShl(row, 14), sfpu::encodeRow(0)));
  pushWords(builder, *words, halves);
  Value *next = builder.CreateAdd(row, builder.getInt32(2));
  row->addIncoming(next, loop);
  builder.CreateCondBr(builder.CreateICmpULT(next, end), loop, after);
  return true;
}

void clearDoubts(Instruction *at) {
  IRBuilder<> builder(at);
  Pusher(builder).push(sfpu::encodeImmediate(doubtRegister, sfpu::zeroExtended, 0));
}

Function *getRoutine(Module &module, Routine routine) {
  std::string name = std::string("__het_vector_") + nameOf(routine);
  if (Function *known = module.getFunction(name))
    return known;
  LLVMContext &context = module.getContext();
  auto *function = Function::Create(FunctionType::get(Type::getVoidTy(context), false),
                                    GlobalValue::InternalLinkage, name, module);
  function->addFnAttr(Attribute::NoInline);
  function->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  SmallVector<unsigned> slots;
  for (unsigned slot = valueSlots; slot < slotCount; ++slot)
    slots.push_back(slot);
  // That its slots do is tested for every routine.
  std::optional<Words> words = assemble(makeRoutine(routine), slots,
                                        routine == Routine::NativeMultiplyAdd ||
                                            routine == Routine::MultiplyIntegers);
  if (!words)
    report_fatal_error("a routine of the vector unit has no room");
  pushWords(builder, *words, {});
  builder.CreateRetVoid();
  return function;
}

} // namespace het::tensix
