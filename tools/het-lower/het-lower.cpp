// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// het-lower: what a target's lowering makes of kernels, without a device; llc for hetIR.
// The input is hetIR, as text or bytecode, or anything that holds packages. With --verify
// it only checks that this is hetIR.

#include "het/Base/Hash.h"
#include "het/IR/Module.h"
#include "het/Package/Embedded.h"
#include "het/Package/Package.h"
#include "het/Target/TargetABI.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"
#include <dlfcn.h>

using namespace llvm;

namespace {

struct Options {
  std::string input, target, arch, kernel, words, output;
  bool verify;
};

/// One kernel to lower: its name and its bytecode.
struct Input {
  std::string kernel;
  std::string code;
};

Expected<std::vector<Input>> readText(StringRef text) {
  mlir::DialectRegistry registry;
  het::ir::registerAllHetDialects(registry);
  mlir::MLIRContext context(registry);
  mlir::OwningOpRef<mlir::ModuleOp> module = het::ir::parseModule(text, context);
  if (!module)
    return createStringError("not hetIR");
  std::string code;
  raw_string_ostream out(code);
  if (failed(het::ir::writeBytecode(*module, out)))
    return createStringError("the module can not be written");
  std::vector<Input> kernels;
  for (auto function : module->getOps<mlir::LLVM::LLVMFuncOp>())
    if (het::ir::isKernel(function))
      kernels.push_back({function.getSymName().str(), code});
  return kernels;
}

Error readPackage(het::ByteView bytes, StringRef origin, std::vector<Input> &kernels) {
  auto package = het::Package::open(bytes, origin.str());
  if (!package.ok())
    return createStringError(package.status().text());
  for (uint32_t i = 0; i < package->kernelCount(); ++i) {
    auto info = package->kernel(i);
    auto code = package->kernelCode(i);
    if (!info.ok() || !code.ok())
      return createStringError((info.ok() ? code.status() : info.status()).text());
    kernels.push_back({info->name, std::string(code->begin(), code->end())});
  }
  return Error::success();
}

Expected<std::vector<Input>> readInput(const Options &options) {
  auto file = MemoryBuffer::getFileOrSTDIN(options.input);
  if (!file)
    return createFileError(options.input, file.getError());
  StringRef data = (*file)->getBuffer();
  het::ByteView bytes(reinterpret_cast<const uint8_t *>(data.data()), data.size());
  het::EmbeddedPackages found = het::findPackages(bytes, options.input);
  if (found.packages.empty())
    return readText(data);
  std::vector<Input> kernels;
  for (const het::EmbeddedPackage &package : found.packages)
    if (Error error = readPackage(package.bytes, options.input, kernels))
      return error;
  return kernels;
}

/// `../lib/het` from the folder of this program.
std::string libraryFolder() {
  SmallString<256> path(
      sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&libraryFolder)));
  sys::path::remove_filename(path);
  sys::path::append(path, "..", "lib", "het");
  return std::string(path);
}

Expected<const HetLoweringABI *> openLowering(StringRef target, StringRef folder) {
  std::string path = (folder + "/targets/het-" + target + "-lowering.so").str();
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return createStringError(dlerror());
  auto entry = reinterpret_cast<HetLoweringEntry>(dlsym(library, "hetLoweringABI"));
  if (!entry || entry()->abiVersion != HET_TARGET_ABI_VERSION)
    return createStringError("%s: not a lowering of this version", path.c_str());
  return entry();
}

/// Lowers one kernel and writes what comes of it.
Error lower(const HetLoweringABI &lowering, const Input &input, const Options &options,
            const std::string &devicelib, raw_ostream &out) {
  HetLowerRequest request = {reinterpret_cast<const uint8_t *>(input.code.data()),
                             input.code.size(),
                             input.kernel.c_str(),
                             options.arch.c_str(),
                             options.words.c_str(),
                             devicelib.c_str()};
  HetLowering lowered = {};
  HetStatus status = {};
  if (lowering.lower(&request, &lowered, &status) != HET_OK)
    return createStringError("kernel %s: %s", input.kernel.c_str(), status.message);
  out << StringRef(reinterpret_cast<const char *>(lowered.data), lowered.size);
  lowering.release(&lowered);
  return Error::success();
}

Error verifyCode(StringRef code) {
  if (!mlir::isBytecode(MemoryBufferRef(code, "hetIR")))
    return createStringError("found no MLIR bytecode");
  mlir::DialectRegistry registry;
  het::ir::registerAllHetDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  return het::ir::parseModule(code, context) ? Error::success()
                                             : createStringError("it is not hetIR");
}

/// Reads the code of all kernels as lowerings do. The name of each is written before, so
/// that it is known whichever way this ends.
Error verify(const het::Package &package) {
  StringSet<> seen; // kernels may share their code
  for (uint32_t i = 0; i < package.kernelCount(); ++i) {
    auto info = package.kernel(i);
    if (!info.ok())
      return createStringError(info.status().text());
    outs() << info->name << '\n';
    outs().flush();
    if (!seen.insert(het::hex(package.codeDigest(*info))).second)
      continue;
    auto code = package.kernelCode(i);
    if (!code.ok())
      return createStringError(code.status().text());
    if (Error error = verifyCode(het::ByteView(*code).text()))
      return error;
  }
  return Error::success();
}

Error verify(const Options &options) {
  auto file = MemoryBuffer::getFileOrSTDIN(options.input);
  if (!file)
    return createFileError(options.input, file.getError());
  StringRef data = (*file)->getBuffer();
  het::ByteView bytes(reinterpret_cast<const uint8_t *>(data.data()), data.size());
  het::EmbeddedPackages found = het::findPackages(bytes, options.input);
  if (found.packages.empty())
    return verifyCode(data);
  for (const het::EmbeddedPackage &one : found.packages) {
    auto package = het::Package::open(one.bytes, options.input);
    if (!package.ok())
      return createStringError(package.status().text());
    if (Error error = verify(*package))
      return error;
  }
  return Error::success();
}

Error run(const Options &options) {
  if (options.verify)
    return verify(options);
  std::string folder = libraryFolder();
  auto lowering = openLowering(options.target, folder);
  if (!lowering)
    return lowering.takeError();
  auto kernels = readInput(options);
  if (!kernels)
    return kernels.takeError();
  std::error_code code;
  ToolOutputFile out(options.output, code, sys::fs::OF_None);
  if (code)
    return createFileError(options.output, code);
  bool any = false;
  std::string devicelib = folder + "/devicelib.bc";
  for (const Input &kernel : *kernels) {
    if (!options.kernel.empty() && kernel.kernel != options.kernel)
      continue;
    any = true;
    if (Error error = lower(**lowering, kernel, options, devicelib, out.os()))
      return error;
  }
  if (!any)
    return createStringError("%s: there is no kernel '%s'", options.input.c_str(),
                             options.kernel.c_str());
  out.keep();
  return Error::success();
}

} // namespace

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::OptionCategory category("het-lower");
  cl::opt<std::string> input(cl::Positional, cl::desc("<input>"), cl::init("-"),
                             cl::cat(category));
  cl::opt<std::string> target("target", cl::desc("the target's name"), cl::cat(category));
  cl::opt<bool> verify("verify", cl::desc("check the input and lower nothing"),
                       cl::cat(category));
  cl::opt<std::string> arch("arch", cl::desc("as in the device's properties"),
                            cl::cat(category));
  cl::opt<std::string> kernel("kernel", cl::desc("only this one (mangled)"),
                              cl::cat(category));
  cl::opt<std::string> words("options", cl::desc("words for the lowering"),
                             cl::cat(category));
  cl::opt<bool> timed("timed", cl::desc("report how long passes take"),
                      cl::cat(category));
  cl::opt<std::string> output("o", cl::desc("the output"), cl::init("-"),
                              cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "hetIR lowering driver\n");
  if (target.empty() == !verify) {
    WithColor::error(errs(), "het-lower") << "say either --target or --verify\n";
    return 1;
  }
  if (timed)
    words += " timed";
  if (Error error = run({input, target, arch, kernel, words, output, verify})) {
    WithColor::error(errs(), "het-lower") << toString(std::move(error)) << '\n';
    return 1;
  }
  return 0;
}
