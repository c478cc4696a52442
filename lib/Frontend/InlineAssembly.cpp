// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes statements of inline PTX apart. The text is as LLVM has it: `$0` is the
// first operand; the outputs come before the inputs, and an input may be tied to
// an output ("+r" in the source).

#include "InlineAssembly.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace het;
using namespace llvm;

/// A value as another type of the same or another width.
static Value *adapt(IRBuilder<> &builder, Value *value, Type *type) {
  Type *from = value->getType();
  if (from == type)
    return value;
  unsigned fromBits = from->getPrimitiveSizeInBits();
  unsigned toBits = type->getPrimitiveSizeInBits();
  if (!from->isIntegerTy())
    value = builder.CreateBitCast(value, builder.getIntNTy(fromBits));
  value = builder.CreateZExtOrTrunc(value, builder.getIntNTy(toBits));
  return type->isIntegerTy() ? value : builder.CreateBitCast(value, type);
}

Value *PtxInstruction::source(unsigned index, Type *type) const {
  // A literal is signed, as C's are.
  if (auto *number = dyn_cast<ConstantInt>(sources[index]))
    if (type->isIntegerTy())
      return ConstantInt::get(type,
                              number->getValue().sextOrTrunc(type->getIntegerBitWidth()));
  return adapt(builder, sources[index], type);
}

namespace {

const PtxTable &ptxTable() {
  static const PtxTable table = [] {
    PtxTable filled;
    addPtxIntegers(filled);
    addPtxFloats(filled);
    addPtxSystem(filled);
    return filled;
  }();
  return table;
}

/// Finds the value behind each operand of one statement.
class Statement {
public:
  explicit Statement(CallInst &call)
      : call(call),
        constraints(cast<InlineAsm>(call.getCalledOperand())->ParseConstraints()) {
    for (const InlineAsm::ConstraintInfo &constraint : constraints) {
      indirect |= constraint.isIndirect;
      outputs += constraint.Type == InlineAsm::isOutput;
    }
  }

  /// Whether there is at most one result, and all operands are values.
  bool isSimple() const { return !indirect && outputs <= 1; }
  bool hasOutput() const { return outputs == 1; }

  /// The input behind "$3", also as an address, "[$3]", or a literal; null if it is none.
  Value *source(StringRef text) const {
    if (text.consume_front("[") && !text.consume_back("]"))
      return nullptr;
    int64_t literal = 0;
    if (!text.getAsInteger(0, literal))
      return ConstantInt::get(Type::getInt64Ty(call.getContext()), literal,
                              /*IsSigned=*/true);
    unsigned index = 0;
    if (!text.consume_front("$") || text.getAsInteger(10, index) ||
        index >= constraints.size())
      return nullptr;
    if (index < outputs)
      index = tiedTo(index);
    unsigned argument = index - outputs;
    return index >= outputs && argument < call.arg_size() ? call.getArgOperand(argument)
                                                          : nullptr;
  }

private:
  /// The input that shares an output's register; 0 if there is none.
  unsigned tiedTo(unsigned output) const {
    for (unsigned i = outputs; i < constraints.size(); ++i)
      if (!constraints[i].hasMatchingInput() && !constraints[i].Codes.empty() &&
          constraints[i].Codes.front() == std::to_string(output))
        return i;
    return 0;
  }

  CallInst &call;
  InlineAsm::ConstraintInfoVector constraints;
  bool indirect = false;
  unsigned outputs = 0;
};

/// The one instruction of a text; nothing if there are more or none.
std::optional<StringRef> onlyInstruction(StringRef text) {
  text = text.trim(" \t\n");
  // Braces only bound the names that are declared inside.
  if (text.consume_front("{"))
    text.consume_back("}");
  text = text.trim(" \t\n;");
  if (text.empty() || text.contains(';') || text.contains("//"))
    return std::nullopt;
  return text;
}

std::optional<PtxEntry> findInstruction(StringRef name) {
  auto entry = ptxTable().find(name);
  return entry == ptxTable().end() ? readPtxAccess(name) : entry->second;
}

/// Replaces a statement if its instruction is known.
void expand(CallInst &call, const CompileOptions &options) {
  auto *assembly = cast<InlineAsm>(call.getCalledOperand());
  std::optional<StringRef> text = onlyInstruction(assembly->getAsmString());
  Statement statement(call);
  if (!text || !statement.isSimple())
    return;
  size_t end = std::min(text->find_first_of(" \t\n"), text->size());
  std::optional<PtxEntry> entry = findInstruction(text->take_front(end));
  SmallVector<StringRef> operands;
  text->drop_front(end).trim().split(operands, ',', -1, /*KeepEmpty=*/false);
  for (StringRef &operand : operands)
    operand = operand.trim();
  // A special register is a source that is an instruction of its own.
  bool isMove =
      text->starts_with("mov.") && operands.size() == 2 && operands[1].starts_with("%");
  if (isMove)
    entry = findInstruction(operands.pop_back_val());
  if (!entry)
    return;
  size_t fewest = entry->sources + statement.hasOutput();
  if (operands.size() < fewest || operands.size() > fewest + entry->optionalSources ||
      (statement.hasOutput() && operands.front() != "$0"))
    return;

  IRBuilder<> builder(&call);
  PtxInstruction instruction{builder, call, options, {}, call.getType()};
  for (StringRef operand : ArrayRef(operands).drop_front(statement.hasOutput())) {
    Value *source = statement.source(operand);
    if (!source)
      return;
    instruction.sources.push_back(source);
  }
  Value *value = entry->handler(instruction);
  if (statement.hasOutput())
    call.replaceAllUsesWith(adapt(builder, value, call.getType()));
  call.eraseFromParent();
}

} // namespace

void het::expandInlineAssembly(Module &module, const CompileOptions &options) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<CallInst>(&instruction);
      if (call && call->isInlineAsm())
        expand(*call, options);
    }
}
