// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions look at the stack, what they look for, and how deep calls go.

#include "Stack.h"
#include "../TensixABI.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace het::tensix {

/// The linker gives it its address.
static constexpr StringLiteral limitName = "hetStackLimit";
static constexpr StringLiteral overflowName = "het_core_overflow";

Stack::Stack(Module &module) : module(module) {
  findChecked();
  for (Function &function : module)
    if (checked.contains(&function))
      addCheck(function);
}

/// Any cycle of calls has a checked function in it: one through a pointer leads to a
/// function whose address is taken.
void Stack::findChecked() {
  for (const Function &function : module)
    if (!function.isDeclaration() &&
        function.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false)) {
      byAddress.insert(&function);
      checked.insert(&function);
    }
  CallGraph graph(module);
  for (auto part = scc_begin(&graph); !part.isAtEnd(); ++part)
    if (part.hasCycle())
      for (const CallGraphNode *node : *part)
        if (const Function *function = node->getFunction())
          checked.insert(function);
}

void Stack::addCheck(Function &function) {
  LLVMContext &context = module.getContext();
  Type *i32 = Type::getInt32Ty(context);
  BasicBlock *body = &function.getEntryBlock();
  BasicBlock *after = body->splitBasicBlock(body->getFirstNonPHIOrDbgOrAlloca());
  BasicBlock *overflow = BasicBlock::Create(context, "", &function);
  body->getTerminator()->eraseFromParent();
  IRBuilder<> builder(body);
  Metadata *name = MDString::get(context, "sp");
  Value *stack = builder.CreateIntrinsic(
      Intrinsic::read_register, {i32},
      {MetadataAsValue::get(context, MDNode::get(context, name))});
  Constant *limit = module.getOrInsertGlobal(limitName, Type::getInt8Ty(context));
  builder.CreateCondBr(
      builder.CreateICmpULT(stack, ConstantExpr::getPtrToInt(limit, i32)), overflow,
      after);
  builder.SetInsertPoint(overflow);
  FunctionCallee callee =
      module.getOrInsertFunction(overflowName, Type::getVoidTy(context));
  cast<Function>(callee.getCallee())->setDoesNotReturn();
  builder.CreateCall(callee)->setDoesNotReturn();
  builder.CreateUnreachable();
}

/// That are defined here.
Stack::Functions Stack::calleesOf(const Function &function) const {
  Functions callees;
  for (const BasicBlock &block : function)
    for (const Instruction &instruction : block) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call || call->isInlineAsm())
        continue;
      const Function *callee = call->getCalledFunction();
      if (!callee)
        callees.append(byAddress.begin(), byAddress.end());
      else if (!callee->isDeclaration())
        callees.push_back(callee);
    }
  return callees;
}

namespace {

/// Bytes behind a function's own frame, up to and with the frames of checked functions.
class Depth {
public:
  using Callees = function_ref<SmallVector<const Function *>(const Function &)>;

  Depth(const Frames &frames, const DenseSet<const Function *> &checked, Callees callees)
      : frames(frames), checked(checked), callees(callees) {}

  uint64_t frameOf(const Function &function) const {
    return frames.lookup(function.getName());
  }
  uint64_t behind(const Function &function) {
    if (auto it = known.find(&function); it != known.end())
      return it->second;
    uint64_t most = 0;
    for (const Function *callee : callees(function))
      most = std::max(most, frameOf(*callee) +
                                (checked.contains(callee) ? 0 : behind(*callee)));
    return known[&function] = most;
  }

private:
  const Frames &frames;
  const DenseSet<const Function *> &checked;
  Callees callees;
  DenseMap<const Function *, uint64_t> known;
};

} // namespace

Expected<uint32_t> Stack::limit(const Frames &frames, uint64_t library) const {
  auto callees = [this](const Function &function) { return calleesOf(function); };
  Depth depth(frames, checked, callees);
  // With their own frames: those may be made behind the checks.
  uint64_t behindChecks = 0;
  for (const Function *function : checked)
    behindChecks =
        std::max(behindChecks, depth.frameOf(*function) + depth.behind(*function));
  uint64_t behindEntry = 0;
  for (const Function &entry : module)
    if (!entry.isDeclaration() && !entry.hasLocalLinkage())
      behindEntry = std::max(behindEntry, depth.frameOf(entry) + depth.behind(entry));
  const uint64_t room = HET_TENSIX_STACK_TOP - HET_TENSIX_LOWEST_DATA;
  // The first check is passed.
  const uint64_t needed = library + behindEntry + behindChecks;
  if (needed > room)
    return createStringError(
        "its calls need %llu bytes of a core's stack, of which there are %llu; make "
        "local arrays smaller",
        static_cast<unsigned long long>(needed), static_cast<unsigned long long>(room));
  return HET_TENSIX_LOWEST_DATA + library + behindChecks;
}

Expected<uint64_t> sumOfFrames(StringRef object) {
  auto file = object::ObjectFile::createObjectFile(MemoryBufferRef(object, "Core.o"));
  if (!file)
    return file.takeError();
  uint64_t sum = 0;
  for (const object::SectionRef &section : (*file)->sections()) {
    auto name = section.getName();
    if (!name)
      return name.takeError();
    if (*name != ".stack_sizes")
      continue;
    auto contents = section.getContents();
    if (!contents)
      return contents.takeError();
    // An address of 32 bits, which is the linker's, and the frame.
    for (const uint8_t *at = contents->bytes_begin(), *end = contents->bytes_end();
         end - at > 4;) {
      unsigned size = 0;
      sum += decodeULEB128(at + 4, &size, end);
      at += 4 + size;
    }
  }
  if (!sum)
    return createStringError("the core's library has no sizes of its frames");
  return sum;
}

} // namespace het::tensix
