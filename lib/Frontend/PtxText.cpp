// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts become one module of LLVM, by its linker, and the rest is the compilation of one
// file.

#include "het/Frontend/PtxText.h"
#include "Compile.h"
#include "Messages.h"
#include "PTX/ModuleBuilder.h"
#include "het/IR/LLVMErrors.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/raw_ostream.h"

using namespace het;
using llvm::GlobalValue;

namespace {

/// Links texts, and says what is wrong by their names.
class TextLinker {
public:
  TextLinker()
      : program(std::make_unique<llvm::Module>("ptx", context)), linker(*program) {
    printErrorsOnly(context);
  }

  llvm::Error add(const PtxText &text);
  llvm::Error finish();
  llvm::Expected<Bytes> compile();

private:
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> program;
  llvm::Linker linker;
  llvm::StringMap<std::string> definedIn; ///< The text's name.
};

} // namespace

llvm::Error TextLinker::add(const PtxText &text) {
  ptx::Fault fault;
  std::unique_ptr<llvm::Module> module = ptx::readModule(text.text, context, fault);
  if (!module)
    return llvm::createStringError(text.name + ", line " + std::to_string(fault.line) +
                                   ": " + fault.message);
  for (const GlobalValue &value : module->global_values()) {
    if (value.isDeclaration() || !value.hasExternalLinkage())
      continue;
    auto [first, isNew] = definedIn.try_emplace(value.getName(), text.name);
    if (!isNew)
      return llvm::createStringError("'" + value.getName() + "' is defined in " +
                                     first->second + " and in " + text.name);
  }
  if (linker.linkInModule(std::move(module)))
    return llvm::createStringError(text.name + ": does not fit the texts before it");
  return llvm::Error::success();
}

/// What texts say of a function must be the same.
llvm::Error TextLinker::finish() {
  for (llvm::Function &function : *program)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      auto *callee =
          call ? llvm::dyn_cast<llvm::Function>(call->getCalledOperand()) : nullptr;
      if (callee && callee->getFunctionType() != call->getFunctionType())
        return llvm::createStringError("'" + callee->getName() +
                                       "' is declared with other parameters than it has");
    }
  // From here on it is one file, whose symbols are all there is.
  for (GlobalValue &value : program->global_values())
    if (value.hasWeakAnyLinkage())
      value.setLinkage(GlobalValue::ExternalLinkage);
  return llvm::Error::success();
}

llvm::Expected<Bytes> TextLinker::compile() {
  std::string log;
  llvm::raw_string_ostream stream(log);
  Messages messages(stream, /*color=*/false);
  CompileOptions options;
  options.inputFile = "PTX text";
  prepareModule(*program, options);
  llvm::Expected<Bytes> package =
      finishDevice({std::move(program)}, options, DeviceStage::Package, messages);
  if (package || !package.errorIsA<Reported>())
    return package;
  llvm::consumeError(package.takeError());
  return llvm::createStringError(llvm::StringRef(log).rtrim());
}

llvm::Error het::checkPtxText(const PtxText &text) { return TextLinker().add(text); }

llvm::Expected<Bytes> het::compilePtxTexts(llvm::ArrayRef<PtxText> texts) {
  TextLinker linker;
  for (const PtxText &text : texts)
    if (llvm::Error error = linker.add(text))
      return std::move(error);
  if (llvm::Error error = linker.finish())
    return std::move(error);
  return linker.compile();
}

llvm::Expected<Bytes> het::compilePtxText(llvm::StringRef text) {
  return compilePtxTexts(PtxText{"PTX text", text});
}
