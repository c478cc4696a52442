// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From LLVM IR whose control flow is structured and whose addresses are numbers to the
// words of SPIR-V for Vulkan.

#ifndef HET_LIB_TARGET_SPIRV_LOWERING_VULKAN_TRANSLATOR_H
#define HET_LIB_TARGET_SPIRV_LOWERING_VULKAN_TRANSLATOR_H

#include "../Passes.h"
#include "ModuleBuilder.h"
#include "Vulkan.h"
#include "llvm/IR/Instructions.h"

namespace het::spirv {

class Translator {
public:
  Translator(llvm::Module &module, const Machine &machine, uint32_t localWords)
      : module(module), machine(machine), localWords(localWords) {}

  /// The module's words, or the first thing that has none.
  llvm::Expected<std::string> run();

private:
  // Values (Translator.cpp).
  Id typeOf(llvm::Type *type);
  Id idOf(llvm::Value *value);
  Id constantOf(llvm::Constant &constant);
  Id labelOf(llvm::BasicBlock *block);
  Id u32(uint32_t value) { return builder.constant32(value); }
  Id fail(const llvm::Twine &what);
  Id failAt(const llvm::Instruction &instruction);

  // Functions and blocks.
  void translate(llvm::Function &function);
  void translate(llvm::BasicBlock &block, const Structure &structure);
  void translateEnd(llvm::Instruction &end);
  Id createMain();

  // Instructions (Instructions.cpp).
  void translate(llvm::Instruction &instruction);
  bool translateBinary(llvm::BinaryOperator &op);
  bool translateCast(llvm::CastInst &cast);
  bool translateCompare(llvm::CmpInst &compare);
  void compareNumbers(llvm::CmpInst &compare);
  bool translateComposite(llvm::Instruction &instruction);
  void translatePhi(llvm::PHINode &phi);
  Id make(llvm::Instruction &instruction, spv::Op op, Words operands);
  /// A result that is computed without contraction.
  Id makeExact(llvm::Instruction &instruction, spv::Op op, Words operands);
  Id asNumber(llvm::Value *truth, bool isSigned);

  // Memory (Memory.cpp).
  void translateLoad(llvm::LoadInst &load);
  void translateStore(llvm::StoreInst &store);
  void translateUpdate(llvm::AtomicRMWInst &update);
  void translateExchange(llvm::AtomicCmpXchgInst &exchange);
  /// A pointer for an access of this type.
  Id placeOf(llvm::Value *pointer, llvm::Type *type);
  Id sharedWord(Id index);
  Id localWord(Id index);
  Id scopeOf(const llvm::Instruction &instruction);
  Id sharedVariable();
  Id localVariable();

  // Calls (Calls.cpp).
  void translateCall(llvm::CallInst &call);
  bool translateIntrinsic(llvm::CallInst &call);
  bool translateBits(llvm::CallInst &call);
  bool translateKnown(llvm::CallInst &call, llvm::StringRef name);
  bool translateTeamCall(llvm::CallInst &call, llvm::StringRef name);
  void translateBarrier(llvm::CallInst &call, bool isControl);
  Id readInput(spv::BuiltIn input, unsigned components);
  Id readPosition(spv::BuiltIn input, llvm::Value *dimension);
  Id readPushed(PushedWord word, unsigned bits);

  llvm::Module &module;
  const Machine &machine;
  const uint32_t localWords;
  ModuleBuilder builder;
  llvm::DenseMap<const llvm::Value *, Id> ids;
  std::map<uint32_t, Id> inputs;
  std::set<unsigned> numberWidths;
  Id shared = 0, local = 0, pushed = 0;
  std::string failure;
};

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_LOWERING_VULKAN_TRANSLATOR_H
