// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds an instruction's form. Modifiers are taken in any order, as ptxas takes them; of
// two that could be each other's, such as the types of cvt, the order counts.

#include "Table.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace het::ptx;
using llvm::StringRef;

static constexpr Entry entries[] = {
#define PTX(opcode, modifiers, operands, function)                                       \
  {opcode, modifiers, operands, function},
#include "Instructions.def"
};

using Forms = llvm::StringMap<llvm::SmallVector<const Entry *>>;

static const Forms &allForms() {
  static const Forms forms = [] {
    Forms filled;
    for (const Entry &entry : entries)
      filled[entry.opcode].push_back(&entry);
    return filled;
  }();
  return forms;
}

/// Whether a word is one of `a|b|c`; `L1::*` is each word that begins so.
static bool isOneOf(StringRef word, StringRef alternatives) {
  for (StringRef alternative : llvm::split(alternatives, '|'))
    if (alternative.consume_back("*") ? word.starts_with(alternative)
                                      : word == alternative)
      return true;
  return false;
}

static bool matches(const Instruction &instruction, const Entry &entry) {
  llvm::SmallVector<StringRef> groups;
  StringRef(entry.modifiers).split(groups, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : instruction.modifiers) {
    auto *group = llvm::find_if(
        groups, [&](StringRef each) { return isOneOf(word, each.rtrim('?')); });
    if (group == groups.end())
      return false;
    groups.erase(group);
  }
  return llvm::all_of(groups, [](StringRef group) { return group.ends_with('?'); });
}

static bool fits(const Operand &operand, char expected) {
  using Kind = Operand::Kind;
  switch (expected) {
  case 'd':
    return operand.kind == Kind::Name || operand.kind == Kind::Sink;
  case 'D':
    return operand.kind == Kind::Name || operand.kind == Kind::Sink ||
           operand.kind == Kind::Vector;
  case 'P':
    return operand.kind == Kind::Name || operand.kind == Kind::Sink ||
           operand.kind == Kind::Pair;
  case 's':
    return operand.kind == Kind::Name || operand.kind == Kind::Integer ||
           operand.kind == Kind::Real;
  case 'S':
    return fits(operand, 's') || operand.kind == Kind::Vector;
  case 'i':
    return operand.kind == Kind::Integer;
  case 'm':
    return operand.kind == Kind::Address;
  default: // l
    return operand.kind == Kind::Name;
  }
}

static StringRef nameOf(char expected) {
  switch (expected) {
  case 'd':
    return "a register";
  case 'D':
    return "a register or a vector of them";
  case 'P':
    return "a register, or one and a predicate";
  case 's':
    return "a register or a constant";
  case 'S':
    return "a register, a constant or a vector of them";
  case 'i':
    return "a constant integer";
  case 'm':
    return "an address in brackets";
  default:
    return "a name";
  }
}

/// Why an instruction's operands are not those of a form; empty if they are.
static std::string problemOf(const Instruction &instruction, const Entry &entry) {
  const StringRef pattern = entry.operands;
  if (pattern == "c") // The emitter knows.
    return {};
  const size_t most = pattern.size() - pattern.count('?');
  const size_t fewest = most - pattern.count('?');
  const size_t count = instruction.operands.size();
  if (count < fewest || count > most) {
    std::string expected = std::to_string(fewest);
    if (most != fewest)
      expected += (most == fewest + 1 ? " or " : " to ") + std::to_string(most);
    return "found " + std::to_string(count) + (count == 1 ? " operand" : " operands") +
           ", expected " + expected;
  }
  size_t index = 0;
  for (const char expected : pattern) {
    if (expected == '?' || index == count)
      continue;
    if (!fits(instruction.operands[index], expected))
      return "operand " + std::to_string(index + 1) + " is not " + nameOf(expected).str();
    ++index;
  }
  return {};
}

const Entry *het::ptx::findEntry(const Instruction &instruction, std::string &why) {
  why = "is not supported yet";
  auto forms = allForms().find(instruction.opcode);
  if (forms == allForms().end())
    return nullptr;
  for (const Entry *entry : forms->second) {
    if (!matches(instruction, *entry))
      continue;
    std::string problem = problemOf(instruction, *entry);
    if (problem.empty())
      return entry;
    why = std::move(problem);
  }
  return nullptr;
}
