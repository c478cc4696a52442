// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device pass and the host pass of Clang.
//
// Clang reads the fat binary through its virtual file system when it ends the
// translation unit. So the host pass starts at once, beside the device pass,
// and the package appears to it as a file that takes a while to open.

#include "ClangPasses.h"
#include "ClangInvocation.h"
#include "DeviceConsumers.h"
#include "HostCalls.h"
#include "MemorySource.h"
#include "Messages.h"
#include "RegistrationOrder.h"
#include "Relocatable.h"
#include "RelocatableObject.h"
#include "RunTimeSource.h"

#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"

using namespace het;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// The image as a file
//===----------------------------------------------------------------------===//

void PendingImage::provide(Bytes bytes) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    image = std::move(bytes);
  }
  ready.notify_all();
}

void PendingImage::fail() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    failed = true;
  }
  ready.notify_all();
}

const Bytes *PendingImage::wait() {
  std::unique_lock<std::mutex> lock(mutex);
  ready.wait(lock, [&] { return image || failed; });
  return image ? &*image : nullptr;
}

namespace {

/// One open file over borrowed bytes.
class ImageFile : public llvm::vfs::File {
public:
  explicit ImageFile(const Bytes &bytes) : bytes(bytes) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override {
    return llvm::vfs::Status(imagePath, llvm::sys::fs::UniqueID(),
                             llvm::sys::TimePoint<>(), 0, 0, bytes.size(),
                             llvm::sys::fs::file_type::regular_file,
                             llvm::sys::fs::perms::all_read);
  }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  getBuffer(const llvm::Twine &name, int64_t, bool, bool) override {
    return llvm::MemoryBuffer::getMemBufferCopy(
        StringRef(reinterpret_cast<const char *>(bytes.data()), bytes.size()), name);
  }
  std::error_code close() override { return {}; }

private:
  const Bytes &bytes;
};

/// The real file system with the image in it.
class ImageFileSystem : public llvm::vfs::ProxyFileSystem {
public:
  ImageFileSystem(PendingImage &image, bool isRelocatable)
      : ProxyFileSystem(llvm::vfs::createPhysicalFileSystem()), image(image),
        isRelocatable(isRelocatable) {}

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override {
    llvm::SmallString<64> storage;
    if (path.toStringRef(storage) != imagePath)
      return ProxyFileSystem::openFileForRead(path);
    if (isRelocatable) // Clang wants one; RelocatableObject.cpp embeds the real one
      return std::make_unique<ImageFile>(placeholder);
    if (const Bytes *bytes = image.wait())
      return std::make_unique<ImageFile>(*bytes);
    return std::make_error_code(std::errc::no_such_file_or_directory);
  }

private:
  PendingImage &image;
  const bool isRelocatable;
  const Bytes placeholder = {0};
};

} // namespace

//===----------------------------------------------------------------------===//
// Device
//===----------------------------------------------------------------------===//

/// Refuses variables of an incomplete type, as one that is only declared may have:
/// hetIR has no size for them.
static bool checkTypes(const llvm::Module &module, Messages &messages) {
  for (const llvm::GlobalVariable &variable : module.globals()) {
    if (variable.getValueType()->isSized())
      continue;
    messages.show(Severity::Error, Messages::Place(),
                  "'" + llvm::demangle(variable.getName()) + "' has an incomplete type");
    return false;
  }
  return true;
}

namespace {

class EmitDeviceModule : public clang::EmitLLVMOnlyAction {
public:
  EmitDeviceModule(llvm::LLVMContext *context, SourceInMemory *source)
      : EmitLLVMOnlyAction(context), source(source) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        StringRef file) override {
    auto all = behindDeviceConsumers(
        compiler, EmitLLVMOnlyAction::CreateASTConsumer(compiler, file));
    if (!source)
      return all;
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(createHostEntityCheck(compiler, *source));
    consumers.push_back(
        createNameLowering(compiler, *source, [this] { return getCodeGenerator(); }));
    consumers.push_back(std::move(all));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

private:
  SourceInMemory *source;
};

} // namespace

std::unique_ptr<llvm::Module> het::runDevicePass(const CompileOptions &options,
                                                 llvm::LLVMContext &context,
                                                 Messages &messages,
                                                 IncludedFiles &included) {
  ClangArguments arguments = commonClangArguments(options);
  arguments.insert(arguments.end(),
                   {"--cuda-device-only", "-S", "-emit-llvm", "-O3",
                    // Without a recent PTX, Clang knows only a part of what sm_90 has.
                    "--cuda-feature=+ptx86",
                    // Optimised by us, with no target in mind; locations are always kept.
                    "-Xclang", "-disable-llvm-passes", "-Xclang",
                    "-debug-info-kind=line-tables-only",
                    // A function may end without a value where nobody looks at it.
                    "-fno-strict-return",
                    // As nvcc's: kernels may look at an object as another type's words.
                    "-fno-strict-aliasing",
                    options.contract ? "-ffp-contract=fast" : "-ffp-contract=off"});
  arguments.insert(arguments.end(), {"-o", "-", pathOf(options)});

  EmitDeviceModule action(&context, options.inMemory);
  if (!runClang(arguments, options, messages, filesOf(options), action, included))
    return nullptr;
  std::unique_ptr<llvm::Module> module = action.takeModule();
  if (options.inMemory)
    exposeVariables(*module, *options.inMemory, options.relocatable);
  trapHostCalls(*module);
  return checkTypes(*module, messages) ? std::move(module) : nullptr;
}

bool het::preprocessDevice(const CompileOptions &options, const std::string &output,
                           Messages &messages, IncludedFiles &included) {
  ClangArguments arguments = commonClangArguments(options);
  arguments.insert(arguments.end(), {"--cuda-device-only", "--cuda-feature=+ptx86"});
  std::unique_ptr<clang::FrontendAction> action;
  if (output.empty()) {
    action = std::make_unique<clang::PreprocessOnlyAction>();
    arguments.insert(arguments.end(), {"-o", "-"});
  } else {
    action = std::make_unique<clang::PrintPreprocessedAction>();
    arguments.insert(arguments.end(), {"-E", "-o", output});
  }
  arguments.push_back(options.inputFile);
  return runClang(arguments, options, messages, llvm::vfs::createPhysicalFileSystem(),
                  *action, included);
}

//===----------------------------------------------------------------------===//
// Host
//===----------------------------------------------------------------------===//

/// CodeGenPrepare goes through a function once more for each of many changes; in one of
/// more blocks than this it looks at those alone that have changed. By LLVM's own number
/// host functions with tens of launches of large objects take a minute.
static void limitRepetitions() {
  auto &options = llvm::cl::getRegisteredOptions();
  if (auto option = options.find("cgpp-huge-func"); option != options.end())
    option->second->addOccurrence(0, option->first, "100");
}

static void initializeHostTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
    limitRepetitions();
  });
}

static ClangArguments hostArguments(const CompileOptions &options, HostStage stage,
                                    const std::string &output) {
  ClangArguments arguments = commonClangArguments(options);
  arguments.insert(arguments.end(),
                   {"--cuda-host-only", "-O" + std::to_string(options.optimization)});
  if (options.debug)
    arguments.push_back("-g");
  arguments.insert(arguments.end(), options.hostArguments.begin(),
                   options.hostArguments.end());
  if (stage == HostStage::Object)
    arguments.push_back("-c");
  else if (stage == HostStage::Assembly)
    arguments.push_back("-S");
  else if (stage == HostStage::Preprocess)
    arguments.push_back("-E");
  if (stage == HostStage::Object || stage == HostStage::Assembly)
    arguments.insert(arguments.end(),
                     {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", imagePath});
  arguments.insert(arguments.end(), {"-o", output, options.inputFile});
  return arguments;
}

namespace {

/// Generates host code around the image.
template <typename Action> class EmitHost : public Action {
public:
  EmitHost(const CompileOptions &options, PendingImage *image)
      : options(options), image(image) {}

protected:
  bool PrepareToExecuteAction(clang::CompilerInstance &compiler) override {
    registerFirst(compiler.getCodeGenOpts());
    trapDeviceCalls(compiler.getCodeGenOpts());
    if (options.relocatable && image)
      embedRelocatable(compiler.getCodeGenOpts(), *image, relocatableId(options));
    return Action::PrepareToExecuteAction(compiler);
  }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        StringRef file) override {
    auto generation = Action::CreateASTConsumer(compiler, file);
    if (!generation)
      return nullptr; // The output can not be written, which has been said.
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(createHostCallCheck(compiler));
    consumers.push_back(std::move(generation));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

private:
  const CompileOptions &options;
  PendingImage *image;
};

} // namespace

static std::unique_ptr<clang::FrontendAction>
hostAction(HostStage stage, const CompileOptions &options, PendingImage *image) {
  switch (stage) {
  case HostStage::Object:
    return std::make_unique<EmitHost<clang::EmitObjAction>>(options, image);
  case HostStage::Assembly:
    return std::make_unique<EmitHost<clang::EmitAssemblyAction>>(options, image);
  case HostStage::Preprocess:
    return std::make_unique<clang::PrintPreprocessedAction>();
  case HostStage::Dependencies:
    return std::make_unique<clang::PreprocessOnlyAction>();
  }
  llvm_unreachable("unknown stage");
}

bool het::runHostPass(const CompileOptions &options, HostStage stage, PendingImage *image,
                      const std::string &output, Messages &messages,
                      IncludedFiles &included) {
  initializeHostTarget();
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files;
  if (image)
    files = llvm::makeIntrusiveRefCnt<ImageFileSystem>(*image, options.relocatable);
  else
    files = llvm::vfs::createPhysicalFileSystem();
  auto action = hostAction(stage, options, image);
  return runClang(hostArguments(options, stage, output), options, messages, files,
                  *action, included, imagePath);
}
