// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From LLVM IR whose control flow is structured and whose addresses are numbers to the
// words of SPIR-V for Vulkan: in layers, each of which knows those below it.

#ifndef HET_LIB_TARGET_SPIRV_LOWERING_VULKAN_TRANSLATOR_H
#define HET_LIB_TARGET_SPIRV_LOWERING_VULKAN_TRANSLATOR_H

#include "../Passes.h"
#include "ModuleBuilder.h"
#include "Vulkan.h"
#include "llvm/IR/Instructions.h"

namespace het::spirv {

/// Types, constants and values (Values.cpp).
class Values {
protected:
  explicit Values(const Machine &machine) : machine(machine) {}

  Id typeOf(llvm::Type *type);
  Id idOf(llvm::Value *value);
  Id constantOf(llvm::Constant &constant);
  Id u32(uint32_t value) { return builder.constant32(value); }
  /// An instruction's own result.
  Id make(llvm::Instruction &instruction, spv::Op op, Words operands);
  /// Likewise, computed without contraction.
  Id makeExact(llvm::Instruction &instruction, spv::Op op, Words operands);
  /// The first failure stays.
  Id fail(const llvm::Twine &what);
  Id failAt(const llvm::Instruction &instruction);

  const Machine &machine;
  ModuleBuilder builder;
  llvm::DenseMap<const llvm::Value *, Id> ids;
  std::set<unsigned> numberWidths;
  std::string failure;
};

/// Memory, and what a launch and a position give (Memory.cpp).
class AccessTranslator : protected Values {
protected:
  AccessTranslator(const Machine &machine, uint32_t localWords)
      : Values(machine), localWords(localWords) {}

  void translateLoad(llvm::LoadInst &load);
  void translateStore(llvm::StoreInst &store);
  void translateUpdate(llvm::AtomicRMWInst &update);
  void translateExchange(llvm::AtomicCmpXchgInst &exchange);
  /// A pointer for an access of this type.
  Id placeOf(llvm::Value *pointer, llvm::Type *type);
  Id sharedWord(Id index);
  Id localWord(Id index);
  Id scopeOf(const llvm::Instruction &instruction);
  Id readInput(spv::BuiltIn input, unsigned components);
  Id readPosition(spv::BuiltIn input, llvm::Value *dimension);
  Id readPushed(PushedWord word, unsigned bits);

private:
  Id sharedVariable();
  Id localVariable();

  const uint32_t localWords;
  std::map<uint32_t, Id> inputs;
  Id shared = 0, local = 0, pushed = 0;
};

/// Calls (Calls.cpp).
class CallTranslator : protected AccessTranslator {
protected:
  using AccessTranslator::AccessTranslator;

  void translateCall(llvm::CallInst &call);

private:
  bool translateIntrinsic(llvm::CallInst &call);
  bool translateBits(llvm::CallInst &call);
  bool translateKnown(llvm::CallInst &call, llvm::StringRef name);
  bool translateTeamCall(llvm::CallInst &call, llvm::StringRef name);
  void translateBarrier(llvm::CallInst &call, bool isControl);
  void updateNothing();
};

/// Instructions (Instructions.cpp).
class InstructionTranslator : protected CallTranslator {
protected:
  using CallTranslator::CallTranslator;

  void translateInstruction(llvm::Instruction &instruction);

private:
  bool translateBinary(llvm::BinaryOperator &op);
  void translateForLlvmpipe(llvm::BinaryOperator &op, spv::Op made,
                            llvm::MutableArrayRef<uint32_t> operands);
  bool translateCast(llvm::CastInst &cast);
  bool translateCompare(llvm::CmpInst &compare);
  void compareNumbers(llvm::CmpInst &compare);
  bool translateComposite(llvm::Instruction &instruction);
  void translatePhi(llvm::PHINode &phi);
  Id asNumber(llvm::Value *truth, bool isSigned);
};

/// Functions and blocks (Translator.cpp).
class Translator : InstructionTranslator {
public:
  Translator(llvm::Module &module, const Machine &machine, uint32_t localWords)
      : InstructionTranslator(machine, localWords), module(module) {}

  /// The module's words, or the first thing that has none.
  llvm::Expected<std::string> run();

private:
  void translate(llvm::Function &function);
  void translate(llvm::BasicBlock &block, const Structure &structure);
  void translateEnd(llvm::Instruction &end);
  void setModes();
  Id createMain();

  llvm::Module &module;
};

/// Whether an instruction is its operand in other words.
bool isAlias(const llvm::Instruction &instruction);

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_LOWERING_VULKAN_TRANSLATOR_H
