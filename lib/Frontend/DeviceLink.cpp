// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device link. First the lists of symbols, by which what is missing or defined twice
// is told with the places of both. Then the code that files left open: LLVM's linker, and
// the rest of the compilation as that of one file. At last the union with what they
// finished.

#include "het/Frontend/DeviceLink.h"

#include "Compile.h"
#include "Messages.h"
#include "Optimize.h"
#include "Relocatable.h"
#include "het/Package/PackageUnion.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"

using namespace het;
using llvm::StringRef;

namespace {

/// A part that is linked.
struct Input {
  Package package;
  RelocatableCode code;
  const std::string &origin() const { return package.origin(); }
};

class DeviceLinker {
public:
  DeviceLinker(const CompileOptions &options, Messages &messages)
      : options(options), messages(messages) {}

  /// False with the reason shown.
  bool add(const DevicePart &part);
  bool resolve();
  llvm::Expected<Bytes> link();
  std::vector<std::string> ids() const;

private:
  void findKernelsTwice();
  std::vector<const Input *> openInputs() const;
  bool addOpen(PackageUnion &all);
  std::unique_ptr<llvm::Module> linkModules(llvm::ArrayRef<const Input *> open,
                                            llvm::LLVMContext &context);
  void error(const llvm::Twine &text) {
    messages.show(Severity::Error, Messages::Place(), text.str());
    failed = true;
  }

  CompileOptions options;
  Messages &messages;
  std::vector<Input> inputs;
  std::vector<Package> wholes; ///< Those that have no relocatable code.
  llvm::StringSet<> known;     ///< Their ids.
  bool failed = false;
};

} // namespace

bool DeviceLinker::add(const DevicePart &part) {
  Result<Package> package = Package::open(part.package, part.origin);
  if (!package.ok()) {
    error(package.status().text() + "; compile the file again");
    return false;
  }
  Result<std::optional<RelocatableCode>> code = findRelocatableCode(package->table());
  if (!code.ok()) {
    error(code.status().text() + "; compile the file again");
    return false;
  }
  if (!*code && part.mayBeWhole) {
    wholes.push_back(package.take());
    return true;
  }
  if (!*code) {
    error(part.origin + ": found a package without relocatable code, expected one with "
                        "it; compile the file with -rdc=true");
    return false;
  }
  if (known.insert((*code)->id).second)
    inputs.push_back({package.take(), std::move(**code)});
  return true;
}

std::vector<std::string> DeviceLinker::ids() const {
  std::vector<std::string> all;
  for (const Input &input : inputs)
    all.push_back(input.code.id);
  return all;
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// "'a.o' (a.cu:12)"
static std::string where(const Input &input, const LinkSymbol &symbol) {
  std::string text = "'" + input.origin() + "'";
  return symbol.place.empty() ? text : text + " (" + symbol.place + ")";
}

/// Whole packages have no lists of symbols: their kernels of external linkage.
void DeviceLinker::findKernelsTwice() {
  llvm::StringMap<std::string> origins;
  for (const Package &whole : wholes) {
    Result<std::vector<KernelInfo>> kernels = whole.kernels();
    if (!kernels.ok())
      return error(kernels.status().text());
    for (const KernelInfo &kernel : *kernels) {
      const StringRef name = kernel.name;
      // Several files may have the same instance of a template, whose name has a result.
      if (name.starts_with("_ZL") || name.contains("_GLOBAL__N_") ||
          StringRef(llvm::demangle(name)).starts_with("void "))
        continue;
      auto [first, isNew] = origins.try_emplace(name, whole.origin());
      if (!isNew)
        error("multiple definition of '" + llvm::demangle(name) + "': in '" +
              first->second + "' and in '" + whole.origin() + "'");
    }
  }
}

bool DeviceLinker::resolve() {
  findKernelsTwice();
  using Place = std::pair<const Input *, const LinkSymbol *>;
  llvm::StringMap<Place> defined;
  llvm::StringSet<> shared;
  for (const Input &input : inputs) {
    for (const LinkSymbol &symbol : input.code.shared)
      shared.insert(symbol.name);
    for (const LinkSymbol &symbol : input.code.defined) {
      auto [first, isNew] = defined.try_emplace(symbol.name, &input, &symbol);
      if (!isNew)
        error("multiple definition of '" + llvm::demangle(symbol.name) + "': in " +
              where(*first->second.first, *first->second.second) + " and in " +
              where(input, symbol));
    }
  }
  llvm::StringSet<> said;
  for (const Input &input : inputs)
    for (const LinkSymbol &symbol : input.code.needed)
      if (!defined.contains(symbol.name) && !shared.contains(symbol.name) &&
          said.insert(symbol.name).second)
        error("undefined reference to '" + llvm::demangle(symbol.name) + "' in " +
              where(input, symbol) + "; no file of the device link defines it");
  return !failed;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

namespace {

/// Shows what LLVM's linker reports.
class LinkDiagnostics : public llvm::DiagnosticHandler {
public:
  explicit LinkDiagnostics(Messages &messages) : messages(messages) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return true;
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    messages.show(Severity::Error, Messages::Place(), text);
    return true;
  }

private:
  Messages &messages;
};

} // namespace

/// Files of which code is compiled: those that left some open, and those that define what
/// these need.
std::vector<const Input *> DeviceLinker::openInputs() const {
  llvm::StringMap<const Input *> definitions;
  for (const Input &input : inputs)
    for (const auto *list : {&input.code.defined, &input.code.shared})
      for (const LinkSymbol &symbol : *list)
        definitions.try_emplace(symbol.name, &input);
  llvm::SetVector<const Input *> open;
  for (const Input &input : inputs)
    if (input.code.isOpen)
      open.insert(&input);
  for (size_t i = 0; i < open.size(); ++i)
    for (const LinkSymbol &symbol : open[i]->code.needed)
      if (const Input *input = definitions.lookup(symbol.name))
        open.insert(input);
  return {open.begin(), open.end()};
}

std::unique_ptr<llvm::Module>
DeviceLinker::linkModules(llvm::ArrayRef<const Input *> open,
                          llvm::LLVMContext &context) {
  context.setDiagnosticHandler(std::make_unique<LinkDiagnostics>(messages));
  auto program = std::make_unique<llvm::Module>("device link", context);
  llvm::Linker linker(*program);
  for (const Input *input : open) {
    const Bytes &bytes = input->code.bitcode;
    const StringRef bitcode(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    auto module = llvm::parseBitcodeFile({bitcode, input->origin()}, context);
    if (!module) {
      error(input->origin() + ": found device code that cannot be read (" +
            llvm::toString(module.takeError()) +
            "), expected that of this version of hetcc; compile the file again");
      return nullptr;
    }
    const bool isFirst = input == open.front();
    if (const char *option = readLinkOptions(**module, isFirst, options)) {
      error("'" + open.front()->origin() + "' and '" + input->origin() +
            "' were compiled with different " + option +
            " and share kernels' code; compile both alike");
      return nullptr;
    }
    if (isFirst) {
      program->setDataLayout((*module)->getDataLayout());
      program->setTargetTriple((*module)->getTargetTriple());
    }
    if (linker.linkInModule(std::move(*module)))
      return nullptr;
  }
  return program;
}

/// Compiles what the files left open. False with the reason shown.
bool DeviceLinker::addOpen(PackageUnion &all) {
  const std::vector<const Input *> open = openInputs();
  if (open.empty())
    return true;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> program = linkModules(open, context);
  if (!program)
    return false;
  numberKernels(*program, /*isLinked=*/true);
  llvm::Expected<Bytes> bytes = finishDevice({std::move(program), Sharing::Variables},
                                             options, DeviceStage::Package, messages);
  if (!bytes) {
    llvm::handleAllErrors(
        bytes.takeError(), [](const Reported &) {},
        [&](const llvm::ErrorInfoBase &info) { error(info.message()); });
    return false;
  }
  Result<Package> package = Package::open(*bytes, "the device link");
  Status status = package.ok() ? all.add(*package) : package.status();
  if (!status.ok())
    error(status.text());
  return status.ok();
}

llvm::Expected<Bytes> DeviceLinker::link() {
  PackageUnion all("hetcc " HET_VERSION);
  for (const Input &input : inputs)
    if (Status status = all.add(input.package); !status.ok()) {
      error(status.text());
      return llvm::make_error<Reported>();
    }
  for (const Package &whole : wholes)
    if (Status status = all.add(whole); !status.ok()) {
      error(status.text());
      return llvm::make_error<Reported>();
    }
  if (!addOpen(all))
    return llvm::make_error<Reported>();
  Result<Bytes> package = all.finish();
  if (!package.ok())
    return llvm::createStringError("package: " + package.status().message);
  return package.take();
}

llvm::Expected<LinkedDevice> het::linkDevice(llvm::ArrayRef<DevicePart> parts,
                                             const CompileOptions &options) {
  Messages messages(options.diagnostics ? *options.diagnostics : llvm::errs(),
                    options.color);
  DeviceLinker linker(options, messages);
  bool ok = true;
  for (const DevicePart &part : parts)
    ok &= linker.add(part);
  if (!ok || !linker.resolve()) {
    messages.summarize();
    return llvm::make_error<Reported>();
  }
  llvm::Expected<Bytes> package = linker.link();
  messages.summarize();
  if (!package)
    return package.takeError();
  return LinkedDevice{std::move(*package), linker.ids()};
}
