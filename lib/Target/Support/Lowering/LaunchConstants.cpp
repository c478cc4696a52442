// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants of launches: their words, and arguments in a kernel's code.

#include "LaunchConstants.h"
#include "TargetLowering.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

namespace het::target {
namespace {

llvm::Error badWord(llvm::StringRef word) {
  return llvm::createStringError("options: found '%s', expected block=X,Y,Z, "
                                 "argument=INDEX:BYTES or parkable[=N|=entry]",
                                 word.str().c_str());
}

/// "X,Y,Z", none of them 0.
bool parseBlock(llvm::StringRef text, std::array<uint32_t, 3> &out) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  if (parts.size() != out.size())
    return false;
  for (auto [part, size] : llvm::zip(parts, out))
    if (part.getAsInteger(10, size) || !size)
      return false;
  return true;
}

/// "INDEX:BYTES", two hexadecimal digits a byte.
bool parseArgument(llvm::StringRef text, LaunchConstants::Argument &out) {
  auto [index, digits] = text.split(':');
  std::string bytes;
  if (index.getAsInteger(10, out.index) || digits.empty() || digits.size() % 2 ||
      !llvm::tryGetFromHex(digits, bytes))
    return false;
  out.bytes.assign(bytes.begin(), bytes.end());
  return true;
}

/// The constant of these bytes; null where the type takes none, or not of this size.
llvm::Constant *constantOf(llvm::Type *type, llvm::ArrayRef<uint8_t> bytes) {
  unsigned bits = 8 * bytes.size();
  llvm::APInt value(bits, 0);
  for (unsigned i = 0; i < bytes.size(); ++i)
    value.insertBits(bytes[i], 8 * i, 8);
  if (type->isIntegerTy(1) && bits == 8 && value.ult(2))
    return llvm::ConstantInt::get(type, value.getZExtValue());
  if (type->isIntegerTy(bits))
    return llvm::ConstantInt::get(type, value);
  if (type->isFloatingPointTy() && type->getPrimitiveSizeInBits() == bits)
    return llvm::ConstantFP::get(type, llvm::APFloat(type->getFltSemantics(), value));
  return nullptr;
}

/// Null: no result depends on what the optimiser knows.
const llvm::Instruction *findApproximation(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (llvm::isa<llvm::FPMathOperator>(instruction) &&
          instruction.getFastMathFlags().any())
        return &instruction;
  return nullptr;
}

} // namespace

llvm::Expected<LaunchConstants> LaunchConstants::parse(llvm::StringRef options) {
  LaunchConstants constants;
  llvm::SmallVector<llvm::StringRef> words;
  options.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words) {
    auto [name, value] = word.split('=');
    if (name == "block" && !constants.block) {
      if (!parseBlock(value, constants.block.emplace()))
        return badWord(word);
    } else if (name == "argument") {
      if (!parseArgument(value, constants.arguments.emplace_back()))
        return badWord(word);
    } else if (auto interval = parsePollInterval(word);
               interval && !constants.pollInterval) {
      constants.pollInterval = *interval;
    } else {
      return badWord(word);
    }
  }
  return constants;
}

llvm::Error foldArguments(llvm::Module &module, llvm::StringRef kernel,
                          const LaunchConstants &constants) {
  if (constants.empty())
    return llvm::Error::success();
  if (const llvm::Instruction *found = findApproximation(module))
    return llvm::createStringError(
        "constants: found '%s' that may be approximated, expected code of one result",
        found->getOpcodeName());
  llvm::Function *function = module.getFunction(kernel);
  for (const LaunchConstants::Argument &given : constants.arguments) {
    if (given.index >= function->arg_size())
      return llvm::createStringError(
          "constants: found argument %u, expected less than %u", given.index,
          unsigned(function->arg_size()));
    llvm::Argument *argument = function->getArg(given.index);
    if (llvm::Constant *constant = constantOf(argument->getType(), given.bytes))
      argument->replaceAllUsesWith(constant);
  }
  return llvm::Error::success();
}

} // namespace het::target
