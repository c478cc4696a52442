// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry of a kernel for the vector unit: over the rows of a block, and over the
// threads of a row as many as fit.

#include "VectorKernel.h"
#include "../../../Support/Lowering/KernelLowering.h"
#include "../ConvertToTensix.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace het::tensix {
namespace {

/// The entry's body as a function of a row: block, first thread, threads, y and z.
Function *makeRow(Function *entry) {
  LLVMContext &context = entry->getContext();
  Type *i32 = Type::getInt32Ty(context);
  Type *types[] = {entry->getArg(0)->getType(), i32, i32, i32, i32};
  auto *row =
      Function::Create(FunctionType::get(i32, types, false), GlobalValue::InternalLinkage,
                       "__het_vector_row", entry->getParent());
  row->splice(row->begin(), entry);
  entry->getArg(0)->replaceAllUsesWith(row->getArg(0));
  entry->getArg(1)->replaceAllUsesWith(ConstantInt::get(i32, 0));
  for (Instruction &inst : make_early_inc_range(instructions(row))) {
    auto *call = dyn_cast<CallInst>(&inst);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    for (unsigned dimension : {1, 2})
      if (callee && callee->getName() == markerNames[dimension]) {
        call->replaceAllUsesWith(row->getArg(2 + dimension));
        call->eraseFromParent();
        callee = nullptr;
      }
  }
  return row;
}

/// The loop `for (i = 0; i < end;)`: its body is where the builder is left, with i.
struct RowLoop {
  BasicBlock *head, *exit;
  PHINode *counter;
};

RowLoop openLoop(IRBuilder<> &builder, Function *function, Value *end) {
  LLVMContext &context = builder.getContext();
  BasicBlock *before = builder.GetInsertBlock();
  RowLoop loop;
  loop.head = BasicBlock::Create(context, "", function);
  auto *body = BasicBlock::Create(context, "", function);
  loop.exit = BasicBlock::Create(context, "", function);
  builder.CreateBr(loop.head);
  builder.SetInsertPoint(loop.head);
  loop.counter = builder.CreatePHI(builder.getInt32Ty(), 2);
  loop.counter->addIncoming(builder.getInt32(0), before);
  builder.CreateCondBr(builder.CreateICmpULT(loop.counter, end), body, loop.exit);
  builder.SetInsertPoint(body);
  return loop;
}

void closeLoop(IRBuilder<> &builder, RowLoop &loop, Value *step) {
  loop.counter->addIncoming(builder.CreateAdd(loop.counter, step),
                            builder.GetInsertBlock());
  builder.CreateBr(loop.head);
  builder.SetInsertPoint(loop.exit);
}

/// The row in integers, and the one by the unit's own instructions, if there is one.
struct Rows {
  Function *exact, *native;
};

Value *runRow(IRBuilder<> &builder, const Rows &rows, ArrayRef<Value *> arguments) {
  if (!rows.native)
    return builder.CreateCall(rows.exact, arguments);
  Function *entry = builder.GetInsertBlock()->getParent();
  auto *again = BasicBlock::Create(builder.getContext(), "", entry);
  auto *done = BasicBlock::Create(builder.getContext(), "", entry);
  Value *first = builder.CreateCall(rows.native, arguments);
  BasicBlock *before = builder.GetInsertBlock();
  builder.CreateCondBr(builder.CreateICmpEQ(first, builder.getInt32(doubtful)), again,
                       done);
  builder.SetInsertPoint(again);
  Value *second = builder.CreateCall(rows.exact, arguments);
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  PHINode *finished = builder.CreatePHI(builder.getInt32Ty(), 2);
  finished->addIncoming(first, before);
  finished->addIncoming(second, again);
  return finished;
}

/// Runs the rows; a call of a row says how many of its threads are done.
void fillEntry(Function *entry, const Rows &rows) {
  Module &module = *entry->getParent();
  IRBuilder<> builder(BasicBlock::Create(entry->getContext(), "", entry));
  Type *i32 = builder.getInt32Ty();
  builder.CreateCall(module.getOrInsertFunction(
      "het_vector_start", FunctionType::get(builder.getVoidTy(), false)));
  Value *block = entry->getArg(0), *dims[3];
  for (unsigned i = 0; i < 3; ++i)
    dims[i] = builder.CreateLoad(
        i32, builder.CreateConstGEP1_32(builder.getInt8Ty(), block,
                                        offsetof(HetTensixBlock, blockDim) + 4 * i));
  RowLoop z = openLoop(builder, entry, dims[2]);
  RowLoop y = openLoop(builder, entry, dims[1]);
  RowLoop x = openLoop(builder, entry, dims[0]);
  Value *left = builder.CreateSub(dims[0], x.counter);
  Value *count =
      builder.CreateBinaryIntrinsic(Intrinsic::umin, left, builder.getInt32(rowThreads));
  Value *finished =
      runRow(builder, rows, {block, x.counter, count, y.counter, z.counter});
  closeLoop(builder, x, finished);
  closeLoop(builder, y, builder.getInt32(1));
  closeLoop(builder, z, builder.getInt32(1));
  builder.CreateRet(builder.getInt32(HET_TENSIX_ENDED));
}

Reason vectorizeRow(Rows &rows) {
  Function *row = rows.exact;
  IRBuilder<> builder(&*row->getEntryBlock().getFirstInsertionPt());
  RowBounds bounds{row->getArg(1), builder.CreateAlloca(builder.getInt32Ty())};
  builder.CreateStore(row->getArg(2), bounds.count);
  convertIfs(*row);
  SmallVector<ReturnInst *> ends;
  for (BasicBlock &block : *row)
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator()))
      ends.push_back(end);
  if (Reason reason = lowerGuards(*row, bounds))
    return reason;
  for (ReturnInst *end : ends) {
    builder.SetInsertPoint(end);
    end->setOperand(0, builder.CreateLoad(builder.getInt32Ty(), bounds.count));
  }
  SplitAllCriticalEdges(*row, CriticalEdgeSplittingOptions());
  if (canDoubt(*row, bounds)) {
    ValueToValueMapTy copies;
    rows.native = CloneFunction(row, copies);
    RowBounds copy{copies[bounds.first], cast<AllocaInst>(copies[bounds.count])};
    if (Reason reason = emitVectors(*rows.native, copy, Floats::Native))
      return reason;
  }
  return emitVectors(*row, bounds, Floats::Exact);
}

} // namespace

Reason vectorizeKernel(Module &module) {
  Function *entry = module.getFunction(entryName);
  for (Function &function : module)
    if (&function != entry && !function.isDeclaration() && !function.use_empty())
      return "it calls " + target::sourceName(function).str();
  Rows rows{makeRow(entry), nullptr};
  if (Reason reason = vectorizeRow(rows))
    return reason;
  fillEntry(entry, rows);
  return std::nullopt;
}

} // namespace het::tensix
