// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emitter of one instruction: its operands as LLVM values, and its results. A
// register is an integer of its width; floating point is a way to look at it.

#ifndef HET_LIB_FRONTEND_PTX_EMITTER_H
#define HET_LIB_FRONTEND_PTX_EMITTER_H

#include "Body.h"
#include "Table.h"

namespace het::ptx {

class Emitter {
public:
  Emitter(Body &body, const Instruction &instruction);

  llvm::IRBuilder<> &b;
  Body &body;
  const Instruction &instruction;

  bool has(llvm::StringRef word) const;
  /// The first modifier that is one of these; empty if none is.
  llvm::StringRef firstOf(llvm::ArrayRef<llvm::StringRef> words) const;
  /// The types among the modifiers, in their order.
  Type type(unsigned index = 0) const;
  unsigned typeCount() const { return types.size(); }

  unsigned count() const { return instruction.operands.size(); }
  const Operand &operand(unsigned index) const { return instruction.operands[index]; }

  /// An operand's value, in the type that LLVM has for it.
  llvm::Value *source(unsigned index, Type type);
  llvm::Value *source(unsigned index) { return source(index, type()); }
  llvm::Value *source(const Operand &operand, Type type);
  llvm::Value *bits(unsigned index, unsigned width) {
    return source(index, Type::ofBits(width));
  }
  llvm::Value *predicate(unsigned index) { return source(index, Type::predicate()); }
  /// A value that may be in a register wider than it.
  llvm::Value *narrow(const Operand &operand, Type type);
  /// A constant integer; fails if the operand is none.
  uint64_t constant(unsigned index);

  /// Stores a result. Into a wider register it goes with its sign or with zeros.
  void result(const Operand &operand, llvm::Value *value, bool isSigned = false);
  void result(unsigned index, llvm::Value *value, bool isSigned = false) {
    result(operand(index), value, isSigned);
  }
  void result(llvm::Value *value, bool isSigned = false) { result(0, value, isSigned); }

  /// The pointer that an address makes, in the space that the modifiers name.
  llvm::Value *address(unsigned index) { return address(index, space()); }
  llvm::Value *address(unsigned index, unsigned space);
  /// The space that the modifiers name; generic if they name none.
  unsigned space() const;

  /// A call of a function of CUDA's device library.
  llvm::Value *library(const llvm::Twine &name, llvm::ArrayRef<llvm::Value *> arguments,
                       llvm::Type *type);
  llvm::Type *irType(Type type) const;
  /// Does it for each lane of packed values.
  llvm::Value *
  eachLane(Type type, llvm::ArrayRef<llvm::Value *> values,
           llvm::function_ref<llvm::Value *(llvm::ArrayRef<llvm::Value *>)> make);

  llvm::IntegerType *integer(unsigned width) const { return b.getIntNTy(width); }
  void fail(const llvm::Twine &why);

private:
  llvm::Value *addressBits(llvm::Value *pointer, uint64_t offset, unsigned width);
  llvm::Value *constantOf(const Operand &operand, Type type);
  llvm::Value *loadRegister(const Operand &operand, unsigned width, bool mayBeWider);
  llvm::Value *asType(llvm::Value *value, Type type);

  llvm::SmallVector<Type, 4> types;
};

/// A pointer of 64 bits to shared memory out of an address of 32.
llvm::Value *sharedFrom32(llvm::IRBuilder<> &b, llvm::Module &module, llvm::Value *low);

/// A generic pointer to the shared memory of a cluster out of an address in it.
llvm::Value *clusterPointer(llvm::IRBuilder<> &b, llvm::Module &module,
                            llvm::Value *address);
/// A function of the front end's own about such memory (Raise.h).
llvm::FunctionCallee clusterFunction(llvm::Module &module, llvm::StringRef name,
                                     llvm::Type *result,
                                     llvm::ArrayRef<llvm::Type *> operands);

} // namespace het::ptx

#endif // HET_LIB_FRONTEND_PTX_EMITTER_H
