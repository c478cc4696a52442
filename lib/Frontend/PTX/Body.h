// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the statements of one body in a function of LLVM IR. Registers are local
// variables, which leave memory when the function is optimised.

#ifndef HET_LIB_FRONTEND_PTX_BODY_H
#define HET_LIB_FRONTEND_PTX_BODY_H

#include "Syntax.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"

namespace het::ptx {

/// hetIR's address spaces.
enum Space : unsigned { Generic = 0, Global = 1, Shared = 3, Constant = 4, Local = 5 };

/// What a name stands for.
struct Symbol {
  enum class Kind : uint8_t { Register, Value, Label };
  Kind kind = Kind::Register;
  unsigned width = 0;           ///< Of a register; 1 of a predicate.
  llvm::Value *value = nullptr; ///< A register's variable, or the value itself.
  llvm::BasicBlock *block = nullptr;
};

class Body {
public:
  /// `isVolatile`: accesses are neither moved nor repeated.
  Body(llvm::Function &function, bool isVolatile);

  /// A register that statements may read and write.
  llvm::AllocaInst *addRegister(llvm::StringRef name, unsigned width);
  /// A register that is only read.
  void addValue(llvm::StringRef name, llvm::Value *value, unsigned width);

  /// Makes all statements. False, with a fault, if one has no meaning.
  bool run(llvm::ArrayRef<Statement> statements);
  const Fault &fault() const { return found; }

  const Symbol *find(llvm::StringRef name);
  /// The carry of add.cc and its kin.
  llvm::AllocaInst *carry();
  /// Ends the block here; what follows is not reached by it.
  void startUnreached();
  llvm::BasicBlock *createBlock();
  void fail(const llvm::Twine &why);
  bool isVolatile() const { return volatileAccesses; }
  llvm::Module &module() { return *function.getParent(); }

  llvm::IRBuilder<> builder;

private:
  struct Range {
    llvm::StringRef prefix;
    unsigned count, width;
  };
  struct Scope {
    llvm::StringMap<Symbol> symbols;
    llvm::SmallVector<Range, 4> ranges;
  };

  void openScope(llvm::ArrayRef<Statement> inside);
  bool add(const Statement &statement);
  bool declare(const Variable &variable);
  bool make(const Instruction &instruction);
  bool makeGuarded(const Instruction &instruction);
  const Symbol *findInRange(Scope &scope, llvm::StringRef name);
  llvm::AllocaInst *createVariable(llvm::Type *type);

  llvm::Function &function;
  std::vector<Scope> scopes;
  llvm::SmallPtrSet<llvm::BasicBlock *, 8> placed; ///< Of labels.
  llvm::AllocaInst *carryFlag = nullptr;
  Fault found;
  unsigned line = 0;
  bool volatileAccesses;
};

} // namespace het::ptx

#endif // HET_LIB_FRONTEND_PTX_BODY_H
