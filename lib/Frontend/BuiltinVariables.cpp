// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// threadIdx, blockIdx, blockDim and gridDim. The headers declare them as objects, of the
// types that they have in nvcc. A member that is read becomes a read of the special
// register; code that uses one in another way, copies it whole or binds a reference, gets
// a local copy.

#include "Optimize.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace het;
using namespace llvm;

namespace {

constexpr unsigned dimensions = 3;

struct BuiltinVariable {
  StringLiteral name;
  Intrinsic::ID registers[dimensions];
};

class BuiltinVariableReader {
public:
  BuiltinVariableReader(GlobalVariable &variable, const BuiltinVariable &builtin)
      : variable(variable), builtin(builtin) {}

  void run();

private:
  void readMembers(Instruction &pointer, uint64_t offset);
  Value *read(IRBuilder<> &builder, unsigned dimension) {
    return builder.CreateIntrinsic(builtin.registers[dimension], {});
  }
  Value *copyIn(Function &function);

  GlobalVariable &variable;
  const BuiltinVariable &builtin;
  DenseMap<Function *, Value *> copies;
};

} // namespace

/// Replaces the loads of single members through a pointer to the byte at `offset`.
void BuiltinVariableReader::readMembers(Instruction &pointer, uint64_t offset) {
  for (User *user : make_early_inc_range(pointer.users())) {
    auto *instruction = cast<Instruction>(user);
    if (auto *member = dyn_cast<GetElementPtrInst>(instruction)) {
      APInt distance(64, 0);
      if (member->accumulateConstantOffset(variable.getDataLayout(), distance))
        readMembers(*member, offset + distance.getZExtValue());
      continue;
    }
    auto *load = dyn_cast<LoadInst>(instruction);
    if (!load || !load->getType()->isIntegerTy(32) || offset % 4 ||
        offset / 4 >= dimensions)
      continue;
    IRBuilder<> builder(load);
    load->replaceAllUsesWith(read(builder, offset / 4));
    load->eraseFromParent();
  }
  if (pointer.use_empty())
    pointer.eraseFromParent();
}

/// The object of a function that uses the variable as a whole.
Value *BuiltinVariableReader::copyIn(Function &function) {
  Value *&copy = copies[&function];
  if (copy)
    return copy;
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
  Type *type = variable.getValueType();
  copy = builder.CreateAlloca(type);
  for (unsigned i = 0; i < dimensions; ++i)
    builder.CreateStore(read(builder, i),
                        builder.CreateConstInBoundsGEP2_32(type, copy, 0, i));
  return copy;
}

void BuiltinVariableReader::run() {
  convertUsersOfConstantsToInstructions({&variable});
  for (User *user : make_early_inc_range(variable.users()))
    if (auto *cast = dyn_cast<AddrSpaceCastInst>(user))
      readMembers(*cast, 0);
  for (Use &use : make_early_inc_range(variable.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    Value *copy = copyIn(*user->getFunction());
    if (isa<AddrSpaceCastInst>(user) && user->getType() == copy->getType()) {
      user->replaceAllUsesWith(copy);
      user->eraseFromParent();
    } else {
      use.set(IRBuilder<>(user).CreateAddrSpaceCast(copy, variable.getType()));
    }
  }
  variable.eraseFromParent();
}

void het::readBuiltinVariables(Module &module) {
  static constexpr BuiltinVariable variables[] = {
      {"threadIdx",
       {Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
        Intrinsic::nvvm_read_ptx_sreg_tid_z}},
      {"blockIdx",
       {Intrinsic::nvvm_read_ptx_sreg_ctaid_x, Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
        Intrinsic::nvvm_read_ptx_sreg_ctaid_z}},
      {"blockDim",
       {Intrinsic::nvvm_read_ptx_sreg_ntid_x, Intrinsic::nvvm_read_ptx_sreg_ntid_y,
        Intrinsic::nvvm_read_ptx_sreg_ntid_z}},
      {"gridDim",
       {Intrinsic::nvvm_read_ptx_sreg_nctaid_x, Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
        Intrinsic::nvvm_read_ptx_sreg_nctaid_z}}};
  for (const BuiltinVariable &builtin : variables)
    if (GlobalVariable *variable = module.getNamedGlobal(builtin.name);
        variable && variable->isDeclaration())
      BuiltinVariableReader(*variable, builtin).run();
}
