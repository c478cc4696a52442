// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes SPIR-V in words.

#include "ModuleBuilder.h"

namespace het::spirv {

void ModuleBuilder::write(Section &section, spv::Op op, Words operands) {
  section.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 |
                    static_cast<uint32_t>(op));
  section.insert(section.end(), operands.begin(), operands.end());
}

/// A type or a constant; `type` is 0 for a type.
Id ModuleBuilder::unique(spv::Op op, Id type, Words operands) {
  std::vector<uint32_t> key = {static_cast<uint32_t>(op), type};
  key.insert(key.end(), operands.begin(), operands.end());
  auto [place, isNew] = known.try_emplace(std::move(key), 0);
  if (!isNew)
    return place->second;
  place->second = newId();
  llvm::SmallVector<uint32_t> words;
  if (type)
    words.push_back(type);
  words.push_back(place->second);
  words.append(operands.begin(), operands.end());
  write(globals, op, words);
  return place->second;
}

Id ModuleBuilder::integer(unsigned bits) {
  if (bits == 8)
    require(spv::CapabilityInt8);
  if (bits == 16)
    require(spv::CapabilityInt16);
  if (bits == 64)
    require(spv::CapabilityInt64);
  return unique(spv::OpTypeInt, 0, {bits, 0});
}

Id ModuleBuilder::number(unsigned bits) {
  if (bits == 16)
    require(spv::CapabilityFloat16);
  if (bits == 64)
    require(spv::CapabilityFloat64);
  return unique(spv::OpTypeFloat, 0, {bits});
}

Id ModuleBuilder::function(Id result, Words parameters) {
  llvm::SmallVector<uint32_t> words = {result};
  words.append(parameters.begin(), parameters.end());
  return unique(spv::OpTypeFunction, 0, words);
}

Id ModuleBuilder::constant(unsigned bits, uint64_t value) {
  auto low = static_cast<uint32_t>(value), high = static_cast<uint32_t>(value >> 32);
  if (bits == 64)
    return constant(integer(64), Words{low, high});
  return constant(integer(bits), Words{low});
}

Id ModuleBuilder::specialised(uint32_t number, uint32_t value) {
  Id id = newId(), type = integer(32);
  write(globals, spv::OpSpecConstant, {type, id, value});
  decorate(id, spv::DecorationSpecId, number);
  return id;
}

Id ModuleBuilder::variable(spv::StorageClass storage, Id type) {
  Id id = newId(), place = pointer(storage, type);
  write(globals, spv::OpVariable, {place, id, static_cast<uint32_t>(storage)});
  variables.push_back(id);
  return id;
}

Id ModuleBuilder::newStructure(Words members) {
  Id id = newId();
  llvm::SmallVector<uint32_t> words = {id};
  words.append(members.begin(), members.end());
  write(globals, spv::OpTypeStruct, words);
  return id;
}

void ModuleBuilder::decorate(Id id, spv::Decoration decoration, Words operands) {
  llvm::SmallVector<uint32_t> words = {id, static_cast<uint32_t>(decoration)};
  words.append(operands.begin(), operands.end());
  write(decorations, spv::OpDecorate, words);
}

void ModuleBuilder::decorateMember(Id id, uint32_t member, spv::Decoration decoration,
                                   Words operands) {
  llvm::SmallVector<uint32_t> words = {id, member, static_cast<uint32_t>(decoration)};
  words.append(operands.begin(), operands.end());
  write(decorations, spv::OpMemberDecorate, words);
}

void ModuleBuilder::setMode(spv::ExecutionMode mode, Words operands, bool byId) {
  modes.push_back({mode, operands.vec(), byId});
}

Id ModuleBuilder::extendedInstructions() {
  if (!imported)
    imported = newId();
  return imported;
}

Id ModuleBuilder::append(spv::Op op, Id type, Words operands) {
  return appendTo(newId(), op, type, operands);
}

Id ModuleBuilder::appendTo(Id result, spv::Op op, Id type, Words operands) {
  llvm::SmallVector<uint32_t> words = {type, result};
  words.append(operands.begin(), operands.end());
  append(op, words);
  return result;
}

/// With a NUL, in whole words.
llvm::SmallVector<uint32_t> ModuleBuilder::wordsOf(llvm::StringRef text) {
  llvm::SmallVector<uint32_t> words(text.size() / 4 + 1, 0);
  for (size_t at = 0; at < text.size(); ++at)
    words[at / 4] |= uint32_t(static_cast<unsigned char>(text[at])) << at % 4 * 8;
  return words;
}

std::string ModuleBuilder::finish(Id entry, llvm::StringRef name) {
  constexpr uint32_t version = 0x00010600;
  Section all = {spv::MagicNumber, version, 0, bound, 0};
  for (uint32_t capability : capabilities)
    write(all, spv::OpCapability, capability);
  if (imported) {
    llvm::SmallVector<uint32_t> words = {imported};
    words.append(wordsOf("GLSL.std.450"));
    write(all, spv::OpExtInstImport, words);
  }
  write(all, spv::OpMemoryModel,
        {spv::AddressingModelPhysicalStorageBuffer64, spv::MemoryModelVulkan});
  llvm::SmallVector<uint32_t> words = {spv::ExecutionModelGLCompute, entry};
  words.append(wordsOf(name));
  words.append(variables);
  write(all, spv::OpEntryPoint, words);
  for (const Mode &mode : modes) {
    words = {entry, static_cast<uint32_t>(mode.mode)};
    words.append(mode.operands.begin(), mode.operands.end());
    write(all, mode.byId ? spv::OpExecutionModeId : spv::OpExecutionMode, words);
  }
  for (const Section *section : {&decorations, &globals, &functions})
    all.insert(all.end(), section->begin(), section->end());
  return {reinterpret_cast<const char *>(all.data()), all.size() * sizeof(uint32_t)};
}

} // namespace het::spirv
