// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of instructions: which there are, in which forms, and what makes them.

#ifndef HET_LIB_FRONTEND_PTX_TABLE_H
#define HET_LIB_FRONTEND_PTX_TABLE_H

#include "Syntax.h"

#include <string>

namespace het::ptx {

class Emitter;

/// Makes one instruction in LLVM IR.
using EmitFunction = void (*)(Emitter &);

/// One form of an instruction; Instructions.def says how it is written.
struct Entry {
  llvm::StringLiteral opcode;
  llvm::StringLiteral modifiers;
  llvm::StringLiteral operands;
  EmitFunction emit;
};

/// The form that an instruction has; null, with the reason, if there is none.
const Entry *findEntry(const Instruction &instruction, std::string &why);

#define PTX(opcode, modifiers, operands, function) void function(Emitter &emitter);
#include "Instructions.def"

} // namespace het::ptx

#endif // HET_LIB_FRONTEND_PTX_TABLE_H
