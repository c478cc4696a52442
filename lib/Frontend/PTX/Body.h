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
#include "llvm/Support/StringSaver.h"

namespace het::ptx {

/// hetIR's address spaces.
enum Space : unsigned {
  Generic = 0,
  Global = 1,
  Shared = 3,
  ConstantSpace = 4,
  Local = 5
};

/// The meaning of a name.
struct Symbol {
  enum class Kind : uint8_t {
    Register,
    Registers, ///< A vector of them: `width` says how many.
    Value,     ///< A register that is only read.
    Label,
    Variable, ///< In memory: `value` is its address.
    Function,
    List ///< Of .branchtargets or .callprototype.
  };
  Kind kind = Kind::Register;
  unsigned width = 0;           ///< Of a register; 1 of a predicate.
  llvm::Value *value = nullptr; ///< A register's variable, or the value itself.
  llvm::BasicBlock *block = nullptr;
  const Statement *list = nullptr;
  const Signature *signature = nullptr; ///< Of a function.
};
using Symbols = llvm::StringMap<Symbol>;

class Body {
public:
  /// `isVolatile`: accesses are neither moved nor repeated. `outside`: the names of the
  /// module whose function it is; null for an asm statement.
  Body(llvm::Function &function, bool isVolatile, const Symbols *outside = nullptr);

  /// A register that statements may read and write.
  llvm::AllocaInst *addRegister(llvm::StringRef name, unsigned width);
  /// A variable in memory.
  void addVariable(llvm::StringRef name, llvm::Value *address);
  /// A register that is only read.
  void addValue(llvm::StringRef name, llvm::Value *value, unsigned width);

  /// Makes all statements. False, with a fault, if one has no meaning.
  bool run(llvm::ArrayRef<Statement> statements);
  const Fault &fault() const { return found; }

  const Symbol *find(llvm::StringRef name);
  /// Where the carry of add.cc and its kin is.
  llvm::Value *carry();
  /// Ends the block here; what follows is not reached by it.
  void startUnreached();
  llvm::BasicBlock *createBlock();
  void fail(const llvm::Twine &why);
  bool isVolatile() const { return volatileAccesses; }
  /// Whether it is a function of a module, not an asm statement.
  bool isOfModule() const { return outside; }
  /// Returns, with what is in the variable of the result.
  void createReturn();
  void setResult(llvm::AllocaInst *variable) { result = variable; }
  llvm::Module &module() { return *function.getParent(); }

  llvm::IRBuilder<> builder;

private:
  struct Range {
    llvm::StringRef prefix;
    unsigned count, width, vector;
  };
  struct Scope {
    Symbols symbols;
    llvm::SmallVector<Range, 4> ranges;
  };

  void openScope(llvm::ArrayRef<Statement> inside);
  bool add(const Statement &statement);
  bool declare(const Variable &variable);
  bool declareMemory(const Variable &variable);
  bool make(const Instruction &instruction);
  bool makeGuarded(const Instruction &instruction);
  const Symbol *findInRange(Scope &scope, llvm::StringRef name);
  llvm::AllocaInst *createVariable(llvm::Type *type);
  void addRegisters(Symbols &symbols, llvm::StringRef name, unsigned width,
                    unsigned vector);
  /// `V` is `{V.x, V.y}`, where it is a vector of registers.
  void spreadVector(Operand &operand);

  llvm::Function &function;
  std::vector<Scope> scopes;
  llvm::SmallPtrSet<llvm::BasicBlock *, 8> placed; ///< Of labels.
  const Symbols *outside;
  llvm::Value *carryFlag = nullptr;
  llvm::AllocaInst *result = nullptr;
  Fault found;
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver names{memory}; ///< Of vectors' registers in operands.
  unsigned line = 0;
  bool volatileAccesses;
};

} // namespace het::ptx

#endif // HET_LIB_FRONTEND_PTX_BODY_H
