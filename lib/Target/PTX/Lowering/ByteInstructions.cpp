// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions on the bytes of words: those of the device library that stay within a word,
// since PTX has no vectors of bytes, with the machine's instructions in them for what it
// can do at once (PTX ISA, "prmt", "vabsdiff4").

#include "ConvertToPTX.h"
#include "Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace het::ptx {

/// "vadd4": their names are CUDA's (runtime/include/__het/byte_functions.def).
bool convertBytes(ir::MathOp op) {
  StringRef function = op.getFunction();
  const bool isOfBytes = function.starts_with("v") && function.ends_with("4");
  if (!isOfBytes || op.getAccuracy() != ir::Accuracy::Exact ||
      op->getNumOperands() == 0 || !op.getType().isInteger(32) ||
      !all_of(op->getOperandTypes(), [](mlir::Type type) { return type.isInteger(32); }))
    return false;
  op.setFunction((function + "_word").str());
  return true;
}

void useByteInstructions(Module &module) {
  static constexpr struct {
    StringLiteral function, text, constraints;
  } instructions[] = {
      {"__het_spread_high_i32", "prmt.b32 $0, $1, $2, 0xba98;", "=r,r,r"},
      {"__het_vabsdiffu4_word_i32", "vabsdiff4.u32.u32.u32 $0, $1, $2, $3;", "=r,r,r,r"},
      {"__het_vsadu4_word_i32", "vabsdiff4.u32.u32.u32.add $0, $1, $2, $3;", "=r,r,r,r"}};
  for (const auto &[name, text, constraints] : instructions) {
    Function *function = module.getFunction(name);
    if (!function || function->isDeclaration())
      continue;
    const GlobalValue::LinkageTypes linkage = function->getLinkage();
    function->deleteBody();
    function->setLinkage(linkage);
    function->removeFnAttr(Attribute::NoInline);
    function->addFnAttr(Attribute::AlwaysInline);
    IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", function));
    SmallVector<Value *> operands(make_pointer_range(function->args()));
    operands.push_back(builder.getInt32(0)); // vabsdiff4 takes no constant
    SmallVector<Type *> types(operands.size(), builder.getInt32Ty());
    InlineAsm *code =
        InlineAsm::get(FunctionType::get(builder.getInt32Ty(), types, /*isVarArg=*/false),
                       text, constraints, /*hasSideEffects=*/false);
    builder.CreateRet(builder.CreateCall(code, operands));
  }
}

} // namespace het::ptx
