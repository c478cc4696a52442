// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recursion, which OpenCL has not: the functions of a cycle of calls become one, with a
// stack of frames in memory of its own.
//
//   a frame   the number of the place to return to, the result, the arguments, and all
//             local objects of the function;
//   a call    writes the arguments into the frame behind this one, and goes to the
//             callee's beginning;
//   a return  goes to the place that its frame names. Place 0 is outside.
//
// What lives from one basic block to another goes through local objects first, so that
// a place to return to needs nothing but its frame. Each function of the cycle stays as
// one that makes the stack and the first frame.

#include "../../../Support/Lowering/KernelLowering.h"
#include "../Convert/ConvertToSPIRV.h"
#include "../Passes.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

namespace het::spirv {
namespace {

constexpr uint64_t stackBytes = 64 << 10, frameAlignment = 16;

/// Where things lie in a function's frame, in bytes.
struct Frame {
  uint64_t result = 8; // behind the place to return to
  llvm::SmallVector<uint64_t> arguments;
  llvm::DenseMap<llvm::AllocaInst *, uint64_t> objects;
  uint64_t size = 0;
};

/// A function of the cycle while it is taken apart.
struct Member {
  llvm::Function *function = nullptr;
  Frame frame;
  llvm::BasicBlock *entry = nullptr; ///< in the joint function
};

class Cycle {
public:
  Cycle(llvm::Module &module, llvm::ArrayRef<llvm::Function *> functions)
      : module(module), layout(module.getDataLayout()), builder(module.getContext()) {
    for (llvm::Function *function : functions)
      members[function].function = function;
  }

  llvm::Error run();

private:
  llvm::Error check(llvm::Function &function);
  void separate(Member &member);
  void layOut(Member &member);
  void createJoint();
  void move(Member &member);
  void convertObjects(Member &member);
  void convertCall(llvm::CallInst &call, Member &caller);
  void convertReturn(llvm::ReturnInst &back, Member &member);
  void createOutside(Member &member);

  llvm::Type *i8() { return builder.getInt8Ty(); }
  llvm::Type *i64() { return builder.getInt64Ty(); }
  bool isInside(llvm::CallInst &call) { return members.count(call.getCalledFunction()); }
  /// A place in the current frame.
  llvm::Value *place(uint64_t offset) { return placeBehind(offset, 0); }
  llvm::Value *placeBehind(uint64_t offset, uint64_t frameSize) {
    llvm::Value *at = builder.CreateLoad(i64(), top);
    at = builder.CreateAdd(at, builder.getInt64(offset + frameSize));
    return builder.CreateGEP(i8(), stack, at);
  }

  llvm::Module &module;
  const llvm::DataLayout &layout;
  llvm::IRBuilder<> builder;
  llvm::MapVector<llvm::Function *, Member> members;
  llvm::Function *joint = nullptr;
  llvm::Value *stack = nullptr;    ///< its beginning
  llvm::AllocaInst *top = nullptr; ///< offset of the current frame
  llvm::SwitchInst *dispatch = nullptr;
  llvm::AllocaInst *target = nullptr; ///< the place to go to
};

llvm::Error Cycle::check(llvm::Function &function) {
  auto refuse = [&](const char *what) {
    return llvm::createStringError("recursion of '%s', which has %s: SPIR-V has none",
                                   target::sourceName(function).str().c_str(), what);
  };
  if (function.hasAddressTaken())
    return refuse("its address taken");
  for (llvm::Argument &argument : function.args())
    if (argument.hasPassPointeeByValueCopyAttr())
      return refuse("a structure as an argument");
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *object = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (!llvm::isa<llvm::ConstantInt>(object->getArraySize()) ||
          object->getAlign().value() > frameAlignment)
        return refuse("a local object of variable size or wide alignment");
  return llvm::Error::success();
}

/// Calls inside the cycle get blocks of their own, and no value lives from one block to
/// another.
void Cycle::separate(Member &member) {
  llvm::Function &function = *member.function;
  llvm::SmallVector<llvm::CallInst *> calls;
  llvm::SmallVector<llvm::Instruction *> hints;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
      if (isInside(*call))
        calls.push_back(call);
      if (call->isLifetimeStartOrEnd())
        hints.push_back(call);
    }
  for (llvm::Instruction *hint : hints)
    hint->eraseFromParent();
  for (llvm::CallInst *call : calls) {
    llvm::BasicBlock *own = llvm::SplitBlock(call->getParent(), call);
    llvm::SplitBlock(own, call->getNextNode());
  }
  llvm::SmallVector<llvm::PHINode *> phis;
  llvm::SmallVector<llvm::Instruction *> values;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
      phis.push_back(phi);
    if (!llvm::isa<llvm::AllocaInst>(instruction) &&
        instruction.isUsedOutsideOfBlock(instruction.getParent()))
      values.push_back(&instruction);
  }
  auto begin = function.getEntryBlock().getFirstInsertionPt();
  for (llvm::Instruction *value : values)
    llvm::DemoteRegToStack(*value, /*VolatileLoads=*/false, begin);
  for (llvm::PHINode *phi : phis)
    llvm::DemotePHIToStack(phi, begin);
}

void Cycle::layOut(Member &member) {
  Frame &frame = member.frame;
  uint64_t end = frame.result;
  auto add = [&](uint64_t bytes, llvm::Align alignment) {
    uint64_t offset = llvm::alignTo(end, alignment);
    end = offset + bytes;
    return offset;
  };
  auto addValue = [&](llvm::Type *type) {
    return add(layout.getTypeAllocSize(type), layout.getABITypeAlign(type));
  };
  if (llvm::Type *type = member.function->getReturnType(); !type->isVoidTy())
    frame.result = addValue(type);
  for (llvm::Argument &argument : member.function->args())
    frame.arguments.push_back(addValue(argument.getType()));
  for (llvm::Instruction &instruction : llvm::instructions(*member.function))
    if (auto *object = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      frame.objects[object] = add(*object->getAllocationSize(layout), object->getAlign());
  frame.size = llvm::alignTo(end, frameAlignment);
}

/// joint(launch, number of the function to begin with, stack)
void Cycle::createJoint() {
  llvm::LLVMContext &context = module.getContext();
  llvm::Function &first = *members.begin()->first;
  llvm::Type *types[] = {first.getArg(0)->getType(), builder.getInt32Ty(),
                         builder.getPtrTy()};
  joint = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), types, false),
      llvm::GlobalValue::InternalLinkage, first.getName() + ".iterative", module);
  joint->setDoesNotThrow();
  joint->addFnAttr(llvm::Attribute::NoInline);
  stack = joint->getArg(2);
  auto *begin = llvm::BasicBlock::Create(context, "begin", joint);
  auto *go = llvm::BasicBlock::Create(context, "go", joint);
  auto *out = llvm::BasicBlock::Create(context, "out", joint);
  builder.SetInsertPoint(begin);
  top = builder.CreateAlloca(i64());
  target = builder.CreateAlloca(builder.getInt32Ty());
  builder.CreateStore(builder.getInt64(0), top);
  auto *start = builder.CreateSwitch(joint->getArg(1), out, members.size());
  for (auto [index, entry] : llvm::enumerate(members)) {
    entry.second.entry = llvm::BasicBlock::Create(context, "entry", joint);
    start->addCase(builder.getInt32(index), entry.second.entry);
  }
  builder.SetInsertPoint(go);
  dispatch = builder.CreateSwitch(builder.CreateLoad(builder.getInt32Ty(), target), out);
  builder.SetInsertPoint(out);
  builder.CreateRetVoid();
}

/// Objects and arguments are in the frame.
void Cycle::convertObjects(Member &member) {
  for (auto [object, offset] : member.frame.objects) {
    for (llvm::Use &use : llvm::make_early_inc_range(object->uses())) {
      builder.SetInsertPoint(llvm::cast<llvm::Instruction>(use.getUser()));
      use.set(place(offset));
    }
    object->eraseFromParent();
  }
  for (auto [index, argument] : llvm::enumerate(member.function->args()))
    for (llvm::Use &use : llvm::make_early_inc_range(argument.uses())) {
      builder.SetInsertPoint(llvm::cast<llvm::Instruction>(use.getUser()));
      use.set(
          builder.CreateLoad(argument.getType(), place(member.frame.arguments[index])));
    }
}

void Cycle::move(Member &member) {
  llvm::Function &function = *member.function;
  llvm::SmallVector<llvm::BasicBlock *> blocks;
  for (llvm::BasicBlock &block : function)
    blocks.push_back(&block);
  convertObjects(member);
  builder.SetInsertPoint(member.entry);
  builder.CreateBr(blocks.front());
  joint->splice(joint->end(), &function);
  llvm::SmallVector<llvm::CallInst *> calls;
  llvm::SmallVector<llvm::ReturnInst *> returns;
  for (llvm::BasicBlock *block : blocks)
    for (llvm::Instruction &instruction : *block) {
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && isInside(*call))
        calls.push_back(call);
      if (auto *back = llvm::dyn_cast<llvm::ReturnInst>(&instruction))
        returns.push_back(back);
    }
  for (llvm::CallInst *call : calls)
    convertCall(*call, member);
  for (llvm::ReturnInst *back : returns)
    convertReturn(*back, member);
}

/// A stack that has no room ends the thread with a fault.
void Cycle::convertCall(llvm::CallInst &call, Member &caller) {
  llvm::LLVMContext &context = module.getContext();
  Member &callee = members.find(call.getCalledFunction())->second;
  uint64_t size = caller.frame.size;
  llvm::BasicBlock *before = call.getParent();
  llvm::BasicBlock *back = llvm::SplitBlock(before, &call);
  auto *enter = llvm::BasicBlock::Create(context, "enter", joint);
  auto *overflow = llvm::BasicBlock::Create(context, "overflow", joint);
  before->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(before);
  for (auto [index, argument] : llvm::enumerate(call.args()))
    builder.CreateStore(argument, placeBehind(callee.frame.arguments[index], size));
  llvm::Value *next =
      builder.CreateAdd(builder.CreateLoad(i64(), top), builder.getInt64(size));
  llvm::Value *most = builder.getInt64(stackBytes - callee.frame.size);
  builder.CreateCondBr(builder.CreateICmpULE(next, most), enter, overflow);
  builder.SetInsertPoint(overflow);
  llvm::Type *launch = joint->getArg(0)->getType();
  builder.CreateCall(module.getOrInsertFunction("__het_spirv_stack_overflow",
                                                builder.getVoidTy(), launch),
                     joint->getArg(0));
  builder.CreateCall(module.getOrInsertFunction(endThreadName, builder.getVoidTy()));
  builder.CreateUnreachable();
  builder.SetInsertPoint(enter);
  unsigned number = dispatch->getNumCases() + 1;
  builder.CreateStore(next, top);
  builder.CreateStore(builder.getInt32(number), place(0));
  builder.CreateBr(callee.entry);
  dispatch->addCase(builder.getInt32(number), back);
  builder.SetInsertPoint(back, back->begin());
  builder.CreateStore(
      builder.CreateSub(builder.CreateLoad(i64(), top), builder.getInt64(size)), top);
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(
        builder.CreateLoad(call.getType(), placeBehind(callee.frame.result, size)));
  call.eraseFromParent();
}

void Cycle::convertReturn(llvm::ReturnInst &back, Member &member) {
  builder.SetInsertPoint(&back);
  if (llvm::Value *value = back.getReturnValue())
    builder.CreateStore(value, place(member.frame.result));
  builder.CreateStore(builder.CreateLoad(builder.getInt32Ty(), place(0)), target);
  builder.CreateBr(dispatch->getParent());
  back.eraseFromParent();
}

/// The function as others call it.
void Cycle::createOutside(Member &member) {
  llvm::Function &function = *member.function;
  builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", &function));
  auto *memory = builder.CreateAlloca(llvm::ArrayType::get(i8(), stackBytes));
  memory->setAlignment(llvm::Align(frameAlignment));
  auto at = [&](uint64_t offset) {
    return builder.CreateConstGEP1_64(i8(), memory, offset);
  };
  builder.CreateStore(builder.getInt32(0), at(0));
  for (auto [index, argument] : llvm::enumerate(function.args()))
    builder.CreateStore(&argument, at(member.frame.arguments[index]));
  unsigned number = std::distance(members.begin(), members.find(&function));
  builder.CreateCall(joint, {function.getArg(0), builder.getInt32(number), memory});
  function.removeFnAttr(llvm::Attribute::NoInline);
  function.removeFnAttr(llvm::Attribute::Memory);
  if (function.getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(
        builder.CreateLoad(function.getReturnType(), at(member.frame.result)));
}

llvm::Error Cycle::run() {
  for (auto &[function, member] : members)
    if (llvm::Error error = check(*function))
      return error;
  for (auto &[function, member] : members) {
    separate(member);
    layOut(member);
    if (member.frame.size > stackBytes)
      return llvm::createStringError("recursion of '%s', whose frame is too large",
                                     target::sourceName(*function).str().c_str());
  }
  createJoint();
  for (auto &[function, member] : members)
    move(member);
  for (auto &[function, member] : members)
    createOutside(member);
  return llvm::Error::success();
}

} // namespace

llvm::Error makeIterative(llvm::Module &module) {
  llvm::SmallVector<llvm::SmallVector<llvm::Function *>> cycles;
  {
    llvm::CallGraph graph(module);
    for (auto it = llvm::scc_begin(&graph); !it.isAtEnd(); ++it) {
      if (!it.hasCycle())
        continue;
      cycles.emplace_back();
      for (llvm::CallGraphNode *node : *it)
        if (llvm::Function *function = node->getFunction())
          cycles.back().push_back(function);
    }
  }
  for (auto &cycle : cycles)
    if (llvm::Error error = Cycle(module, cycle).run())
      return error;
  return llvm::Error::success();
}

} // namespace het::spirv
