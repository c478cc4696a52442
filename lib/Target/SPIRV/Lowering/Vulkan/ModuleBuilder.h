// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A SPIR-V module in words, section by section, for a compute shader of Vulkan's. Types
// and constants are made once.
//
// Source: SPIR-V specification, "Logical Layout of a Module".

#ifndef HET_LIB_TARGET_SPIRV_LOWERING_VULKAN_MODULEBUILDER_H
#define HET_LIB_TARGET_SPIRV_LOWERING_VULKAN_MODULEBUILDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <set>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.hpp>
#include <string>
#include <vector>

namespace het::spirv {

using Id = uint32_t;
using Words = llvm::ArrayRef<uint32_t>;

class ModuleBuilder {
public:
  Id newId() { return bound++; }
  void require(spv::Capability capability) { capabilities.insert(capability); }

  // Types and constants.
  Id integer(unsigned bits);
  Id number(unsigned bits); ///< of floating point
  Id truth() { return unique(spv::OpTypeBool, 0, {}); }
  Id nothing() { return unique(spv::OpTypeVoid, 0, {}); }
  Id vector(Id element, unsigned count) {
    return unique(spv::OpTypeVector, 0, {element, count});
  }
  Id array(Id element, Id length) {
    return unique(spv::OpTypeArray, 0, {element, length});
  }
  Id structure(Words members) { return unique(spv::OpTypeStruct, 0, members); }
  Id pointer(spv::StorageClass storage, Id type) {
    return unique(spv::OpTypePointer, 0, {static_cast<uint32_t>(storage), type});
  }
  Id function(Id result, Words parameters);
  Id constant(Id type, Words value) { return unique(spv::OpConstant, type, value); }
  Id constant(unsigned bits, uint64_t value);
  Id constant32(uint32_t value) { return constant(32, value); }
  Id truth(bool value) {
    return unique(value ? spv::OpConstantTrue : spv::OpConstantFalse, truth(), {});
  }
  Id null(Id type) { return unique(spv::OpConstantNull, type, {}); }
  Id composite(Id type, Words parts) {
    return unique(spv::OpConstantComposite, type, parts);
  }
  /// An integer of 32 bits that the pipeline sets, by its number.
  Id specialised(uint32_t number, uint32_t value);
  /// A new variable of the module.
  Id variable(spv::StorageClass storage, Id type);
  Id newStructure(Words members);

  void decorate(Id id, spv::Decoration decoration, Words operands = {});
  void decorateMember(Id id, uint32_t member, spv::Decoration decoration, Words operands);
  void setMode(spv::ExecutionMode mode, Words operands, bool byId = false);
  /// The imported set GLSL.std.450.
  Id extendedInstructions();

  /// An instruction of a function, without or with a result.
  void append(spv::Op op, Words operands) { write(functions, op, operands); }
  Id append(spv::Op op, Id type, Words operands);
  Id appendTo(Id result, spv::Op op, Id type, Words operands);

  /// The module with this function as its entry.
  std::string finish(Id entry, llvm::StringRef name);

private:
  using Section = std::vector<uint32_t>;
  static void write(Section &section, spv::Op op, Words operands);
  Id unique(spv::Op op, Id type, Words operands);
  static llvm::SmallVector<uint32_t> wordsOf(llvm::StringRef text);

  Id bound = 1, imported = 0;
  std::set<uint32_t> capabilities;
  std::map<std::vector<uint32_t>, Id> known;
  llvm::SmallVector<Id> variables;
  struct Mode {
    spv::ExecutionMode mode;
    std::vector<uint32_t> operands;
    bool byId;
  };
  std::vector<Mode> modes;
  Section decorations, globals, functions;
};

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_LOWERING_VULKAN_MODULEBUILDER_H
