// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The syntax of a PTX text before it means anything: statements, operands and types, as
// the parser leaves them. Texts are parts of the source, which must outlive them.

#ifndef HET_LIB_FRONTEND_PTX_SYNTAX_H
#define HET_LIB_FRONTEND_PTX_SYNTAX_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace het::ptx {

/// A fundamental type: `u32`, `pred`, `f16x2`.
struct Type {
  enum class Kind : uint8_t { None, Bits, Unsigned, Signed, Float, BFloat, Predicate };
  Kind kind = Kind::None;
  unsigned bits = 0;  ///< Of one lane.
  unsigned lanes = 1; ///< Of a packed type.

  unsigned width() const { return bits * lanes; }
  bool isSigned() const { return kind == Kind::Signed; }
  bool isFloat() const { return kind == Kind::Float || kind == Kind::BFloat; }
  bool isPredicate() const { return kind == Kind::Predicate; }
  /// The type of one lane.
  Type lane() const { return {kind, bits, 1}; }
  static Type ofBits(unsigned bits) { return {Kind::Bits, bits, 1}; }
  static Type predicate() { return {Kind::Predicate, 1, 1}; }
};

/// The type that a word without its dot names; nothing if it names none.
std::optional<Type> readType(llvm::StringRef word);

/// An operand of an instruction.
struct Operand {
  enum class Kind : uint8_t {
    Name,    ///< A register, a variable, a label, a function.
    Integer, ///< A constant: `integer`.
    Real,    ///< A constant of floating point: the bits of a double in `integer`.
    Address, ///< `[name+integer]`; without a name the number alone.
    Vector,  ///< `{a, b}`
    Pair,    ///< `d|p`
    List,    ///< `(a, b)`, of a call
    Sink     ///< `_`
  };
  Kind kind = Kind::Name;
  bool isNegated = false; ///< `!p`
  llvm::StringRef name;
  uint64_t integer = 0;
  std::vector<Operand> parts;
};

/// `@!p opcode.modifier… operands;`
struct Instruction {
  llvm::StringRef text;  ///< Opcode and modifiers.
  llvm::StringRef guard; ///< The predicate's name; empty if there is none.
  bool isGuardNegated = false;
  llvm::StringRef opcode;
  llvm::SmallVector<llvm::StringRef, 6> modifiers;
  llvm::SmallVector<Operand, 4> operands;
};

/// A declaration of registers or of a variable.
struct Variable {
  llvm::StringRef space; ///< `reg`, `shared`, …
  llvm::StringRef name;
  Type type;
  unsigned vector = 1;    ///< `.v4`: how many elements
  unsigned alignment = 0; ///< 0: as the type asks for.
  unsigned range = 0;     ///< `%r<9>`: how many registers; 0: one, of the name itself
  uint64_t count = 0;     ///< Elements of an array, all dimensions; 0: no array.
  bool isOpen = false;    ///< `[]`: as many as there will be.
  std::vector<Operand> values; ///< In their order; the rest is zero.

  uint64_t bytes() const {
    return uint64_t(type.width() < 8 ? 1 : type.width() / 8) * vector *
           (count ? count : 1);
  }
};

/// Who sees a function or variable.
enum class Linkage : uint8_t { Internal, Visible, Extern, Weak };

/// What a function takes and gives.
struct Signature {
  std::vector<Variable> results, parameters;
};

/// A step of a body. Scopes are marked, not nested.
struct Statement {
  enum class Kind : uint8_t {
    Instruction,
    Label,
    Variable,
    Open,
    Close,
    Targets,  ///< `label: .branchtargets …`, the operands of `instruction`
    Prototype ///< `label: .callprototype …`
  };
  Kind kind;
  unsigned line; ///< Of the text, from 1.
  ptx::Instruction instruction;
  ptx::Variable variable;
  llvm::StringRef label;
  ptx::Signature signature;
};

/// A function of a module.
struct ParsedFunction {
  unsigned line = 0;
  bool isEntry = false;
  Linkage linkage = Linkage::Internal;
  llvm::StringRef name;
  ptx::Signature signature;
  /// Of .maxntid or .reqntid, and of .minnctapersm; 0: not said.
  unsigned maxThreads[3] = {0, 0, 0}, minBlocks = 0;
  unsigned cluster[3] = {0, 0, 0}; ///< Of .reqnctapercluster; 0: not said.
  std::optional<std::vector<Statement>> body;
};

/// A variable of a module.
struct ModuleVariable {
  unsigned line = 0;
  Linkage linkage = Linkage::Internal;
  ptx::Variable variable;
};

/// A whole text.
struct ParsedModule {
  unsigned architecture = 0; ///< 80 for `.target sm_80`; 0: it says none.
  std::vector<ModuleVariable> variables;
  std::vector<ParsedFunction> functions;
};

/// Why a text is refused.
struct Fault {
  unsigned line = 0;
  std::string message;
};

} // namespace het::ptx

#endif // HET_LIB_FRONTEND_PTX_SYNTAX_H
