// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front end from top to bottom: Clang's device pass, LLVM's optimiser,
// import and raise, the kernels' passes, the package; Clang's host pass beside
// all that.

#include "het/Frontend/Frontend.h"
#include "ClangPasses.h"
#include "Compile.h"
#include "IncludedFiles.h"
#include "Messages.h"
#include "Optimize.h"
#include "PTX/ModuleBuilder.h"
#include "Relocatable.h"
#include "het/IR/LLVMErrors.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"

using namespace het;

static llvm::Error reported() { return llvm::make_error<Reported>(); }

static llvm::raw_ostream &streamOf(const CompileOptions &options) {
  return options.diagnostics ? *options.diagnostics : llvm::errs();
}

//===----------------------------------------------------------------------===//
// Device
//===----------------------------------------------------------------------===//

/// Whether a file has kernels as PTX text instead of CUDA source.
static bool isPtx(const CompileOptions &options) {
  return options.isPtxText || llvm::StringRef(options.inputFile).ends_with(".ptx");
}

/// The module of a file of PTX text; null, with the reason shown, if it is none.
static std::unique_ptr<llvm::Module> readPtxFile(const CompileOptions &options,
                                                 llvm::LLVMContext &context,
                                                 Messages &messages) {
  auto file = llvm::MemoryBuffer::getFile(options.inputFile, /*IsText=*/true);
  if (!file) {
    messages.show(Severity::Error, {options.inputFile}, file.getError().message());
    return nullptr;
  }
  ptx::Fault fault;
  auto module = ptx::readModule((*file)->getBuffer(), context, fault);
  if (!module)
    messages.show(Severity::Error, {options.inputFile, fault.line, 1}, fault.message);
  return module;
}

static llvm::Expected<Bytes> runDevice(const CompileOptions &options, DeviceStage stage,
                                       Messages &messages, IncludedFiles &included) {
  llvm::LLVMContext context;
  printErrorsOnly(context);
  std::unique_ptr<llvm::Module> source =
      isPtx(options) ? readPtxFile(options, context, messages)
                     : runDevicePass(options, context, messages, included);
  if (!source)
    return reported();
  prepareModule(*source, options);
  if (!options.relocatable) {
    numberKernels(*source);
    return finishDevice({std::move(source)}, options, stage, messages);
  }
  RelocatableFile file = splitRelocatable(std::move(source), options);
  return finishDevice({std::move(file.closed), Sharing::Variables, &file.code}, options,
                      stage, messages);
}

llvm::Expected<Bytes> het::compileDevice(const CompileOptions &options,
                                         DeviceStage stage) {
  Messages messages = options.inMemory ? Messages(streamOf(options), options.inputFile)
                                       : Messages(streamOf(options), options.color);
  IncludedFiles included;
  llvm::Expected<Bytes> result = runDevice(options, stage, messages, included);
  messages.summarize();
  return result;
}

//===----------------------------------------------------------------------===//
// Host
//===----------------------------------------------------------------------===//

/// Appends a file to the output, which is a path or "-".
static llvm::Error append(llvm::StringRef file, const std::string &output) {
  auto contents = llvm::MemoryBuffer::getFile(file);
  if (!contents)
    return llvm::createFileError(file, contents.getError());
  std::error_code error;
  llvm::raw_fd_ostream stream(output, error, llvm::sys::fs::OF_Append);
  if (error)
    return llvm::createFileError(output, error);
  stream << (*contents)->getBuffer();
  stream.flush();
  if (!stream.has_error())
    return llvm::Error::success();
  error = stream.error();
  stream.clear_error();
  return llvm::createFileError(output, error);
}

/// The source as kernels see it, which is what nvcc prints, and then as the host sees it:
/// ccache takes equal outputs for equal sources.
static llvm::Error printPreprocessed(const CompileOptions &options,
                                     const std::string &output, Messages &messages) {
  llvm::SmallString<128> place;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("hetcc-host", "ii", place))
    return llvm::createFileError("a temporary file", error);
  llvm::FileRemover remover(place);
  IncludedFiles included;
  bool ok = preprocessDevice(options, output, messages, included) &&
            runHostPass(options, HostStage::Preprocess, nullptr, place.str().str(),
                        messages, included);
  messages.summarize();
  return ok ? append(place, output) : reported();
}

llvm::Error het::preprocess(const CompileOptions &options, HostStage stage,
                            const std::string &output) {
  Messages messages(streamOf(options), options.color);
  if (stage == HostStage::Preprocess)
    return printPreprocessed(options, output, messages);
  IncludedFiles included;
  bool ok = runHostPass(options, stage, nullptr, output, messages, included) &&
            preprocessDevice(options, "", messages, included) && included.write(messages);
  messages.summarize();
  return ok ? llvm::Error::success() : reported();
}

llvm::Error het::compileHost(const CompileOptions &options, HostStage stage,
                             ByteView embedded, const std::string &output) {
  Messages messages(streamOf(options), options.color);
  PendingImage image;
  image.provide(embedded.copy());
  IncludedFiles included;
  bool ok = runHostPass(options, stage, &image, output, messages, included) &&
            included.write(messages);
  messages.summarize();
  return ok ? llvm::Error::success() : reported();
}

/// The device side for the host pass that waits for it.
static llvm::Error makeImage(const CompileOptions &options, const Embed &embed,
                             PendingImage &image, Messages &messages,
                             IncludedFiles &included) {
  llvm::Expected<Bytes> package =
      runDevice(options, DeviceStage::Package, messages, included);
  if (package && embed)
    package = embed(std::move(*package));
  if (!package) {
    image.fail();
    return package.takeError();
  }
  image.provide(std::move(*package));
  return llvm::Error::success();
}

llvm::Error het::compile(const CompileOptions &options, HostStage stage,
                         const std::string &output, Embed embed) {
  Messages messages(streamOf(options), options.color);
  PendingImage image;
  IncludedFiles included;
  llvm::Error deviceError = llvm::Error::success();
  // Clang needs a main thread's stack.
  llvm::thread device(std::optional<unsigned>(8u << 20), [&] {
    llvm::Error error = makeImage(options, embed, image, messages, included);
    deviceError = llvm::joinErrors(std::move(deviceError), std::move(error));
  });
  bool hostOk = runHostPass(options, stage, &image, output, messages, included);
  device.join();
  hostOk = hostOk && !deviceError && included.write(messages);
  messages.summarize();
  if (deviceError)
    return deviceError;
  return hostOk ? llvm::Error::success() : reported();
}
