// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "het/Frontend/PtxText.h"
#include "Compile.h"
#include "Messages.h"
#include "PTX/ModuleBuilder.h"
#include "het/IR/LLVMErrors.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace het;

static constexpr const char *name = "PTX text";

llvm::Expected<Bytes> het::compilePtxText(llvm::StringRef text) {
  std::string log;
  llvm::raw_string_ostream stream(log);
  Messages messages(stream, /*color=*/false);
  CompileOptions options;
  options.inputFile = name;
  llvm::LLVMContext context;
  printErrorsOnly(context);
  ptx::Fault fault;
  std::unique_ptr<llvm::Module> module = ptx::readModule(text, context, fault);
  if (!module)
    return llvm::createStringError(std::string(name) + ", line " +
                                   std::to_string(fault.line) + ": " + fault.message);
  prepareModule(*module, options);
  llvm::Expected<Bytes> package =
      finishDevice({std::move(module)}, options, DeviceStage::Package, messages);
  if (package || !package.errorIsA<Reported>())
    return package;
  llvm::consumeError(package.takeError());
  return llvm::createStringError(llvm::StringRef(log).rtrim());
}
