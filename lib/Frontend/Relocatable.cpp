// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relocatable device code. What other files can complete is kept in LLVM IR, since
// linking and inlining across files is LLVM's work; what a device link can tell without
// reading it is listed beside it.

#include "Relocatable.h"

#include "Optimize.h"
#include "Raise.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <set>

using namespace het;
using namespace llvm;

std::string het::relocatableId(const CompileOptions &options) {
  SHA256 hash;
  auto add = [&](StringRef text) {
    hash.update(text);
    hash.update(StringRef("", 1));
  };
  SmallString<256> path;
  if (sys::fs::real_path(options.inputFile, path))
    path = options.inputFile;
  add(path);
  add(options.arch);
  if (options.inMemory)
    add(options.inMemory->text);
  // The lines of a dry run repeat options, and say hetcc's own macros.
  std::set<StringRef> words;
  for (const auto *list : {&options.clangArguments, &options.hostArguments})
    words.insert(list->begin(), list->end());
  for (StringRef word : words)
    if (!word.starts_with("-D__CUDA"))
      add(word);
  return toHex(hash.final(), /*LowerCase=*/true).substr(0, 16);
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

namespace {

/// An option that the link takes over from the files.
struct LinkOption {
  const char *flag;     ///< The module's.
  const char *spelling; ///< The user's.
  unsigned (*get)(const CompileOptions &options);
  void (*set)(CompileOptions &options, unsigned value);
};

constexpr LinkOption linkOptions[] = {
    {"het.flush-to-zero", "-ftz",
     [](const CompileOptions &options) -> unsigned { return options.flushToZero; },
     [](CompileOptions &options, unsigned value) { options.flushToZero = value; }},
    {"het.device-debug", "-G",
     [](const CompileOptions &options) -> unsigned { return options.deviceDebug; },
     [](CompileOptions &options, unsigned value) { options.deviceDebug = value; }},
    {"het.line-info", "-lineinfo",
     [](const CompileOptions &options) -> unsigned { return options.lineInfo; },
     [](CompileOptions &options, unsigned value) { options.lineInfo = value; }},
    {"het.math", "--het-math",
     [](const CompileOptions &options) { return unsigned(options.math); },
     [](CompileOptions &options, unsigned value) { options.math = MathMode(value); }},
    {"het.safe-points", "--het-safe-points",
     [](const CompileOptions &options) { return unsigned(options.safePoints); },
     [](CompileOptions &options, unsigned value) {
       options.safePoints = SafePointMode(value);
     }},
};

} // namespace

const char *het::readLinkOptions(const Module &module, bool isFirst,
                                 CompileOptions &options) {
  for (const LinkOption &option : linkOptions) {
    auto *flag = mdconst::extract_or_null<ConstantInt>(module.getModuleFlag(option.flag));
    const unsigned value = flag ? static_cast<unsigned>(flag->getZExtValue()) : 0;
    if (isFirst)
      option.set(options, value);
    else if (option.get(options) != value)
      return option.spelling;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

llvm::StringRef het::withoutId(StringRef name) {
  for (const char *mark : {"__intern__", "__static__"}) {
    auto [stem, id] = name.rsplit(mark);
    if (!stem.empty() && id.size() == 16 && all_of(id, isHexDigit))
      return stem;
  }
  return name;
}

/// Clang gives a static variable a name of its own once it finds that the host uses it.
/// What came before in the source has the name without the id.
static void joinStatics(Module &module) {
  for (GlobalVariable &variable : module.globals()) {
    const StringRef stem = withoutId(variable.getName());
    GlobalVariable *other = module.getGlobalVariable(stem, /*AllowInternal=*/true);
    if (variable.isDeclaration() || !other || other == &variable ||
        !other->isDeclaration())
      continue;
    other->replaceAllUsesWith(
        ConstantExpr::getPointerBitCastOrAddrSpaceCast(&variable, other->getType()));
  }
}

/// Makes the names of internal functions and variables differ from those of other files.
static void renameInternals(Module &module, const CompileOptions &options) {
  const std::string suffix = "." + relocatableId(options);
  for (GlobalValue &value : module.global_values())
    if (value.hasLocalLinkage() && !value.getName().starts_with("llvm."))
      value.setName(value.getName() + suffix);
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

static std::string placeOf(const DILocation *location) {
  return location ? (location->getFilename() + ":" + Twine(location->getLine())).str()
                  : "";
}

/// Where a function is defined; of a variable no more is known than the file.
static std::string placeOfDefinition(const GlobalValue &value) {
  const auto *function = dyn_cast<Function>(&value);
  const DISubprogram *program = function ? function->getSubprogram() : nullptr;
  return program ? (program->getFilename() + ":" + Twine(program->getLine())).str()
                 : value.getParent()->getSourceFileName();
}

/// Where it is used first, as far as users tell.
static std::string placeOfUse(const Constant &value) {
  for (const User *user : value.users()) {
    std::string place;
    if (const auto *instruction = dyn_cast<Instruction>(user))
      place = placeOf(instruction->getDebugLoc());
    else if (const auto *constant = dyn_cast<Constant>(user))
      place = placeOfUse(*constant);
    if (!place.empty())
      return place;
  }
  return "";
}

/// Whether another file must define it. Dynamic shared memory is declared only.
static bool isNeeded(const GlobalValue &value) {
  return value.isDeclaration() && !value.use_empty() &&
         value.getAddressSpace() != ir::sharedSpace && !isKnownFunction(value.getName());
}

/// Lists what other files define or may use.
static void listSymbols(const Module &module, RelocatableCode &code) {
  for (const GlobalValue &value : module.global_values()) {
    if (value.hasLocalLinkage() || value.getName().starts_with("llvm."))
      continue;
    std::string name = value.getName().str();
    if (isNeeded(value))
      code.needed.push_back({std::move(name), placeOfUse(value)});
    else if (value.isDeclaration())
      continue;
    else if (value.hasExternalLinkage())
      code.defined.push_back({std::move(name), placeOfDefinition(value)});
    else
      code.shared.push_back({std::move(name), placeOfDefinition(value)});
  }
}

//===----------------------------------------------------------------------===//
// Open and closed kernels
//===----------------------------------------------------------------------===//

namespace {

/// Finds what depends on other files. Code and variables are open if something that they
/// reach is defined elsewhere, or can be; and if they have or call a pointer to a
/// function, since the functions of all files can be behind one.
class OpenCode {
public:
  explicit OpenCode(const Module &module) {
    for (const GlobalValue &value : module.global_values())
      if (isOpen(value))
        open.push_back(&value);
    seen.insert(open.begin(), open.end());
    while (!open.empty()) {
      const Value *value = open.pop_back_val();
      for (const User *user : value->users())
        reach(*user);
    }
  }

  bool contains(const GlobalValue &value) const { return seen.contains(&value); }

private:
  void reach(const User &user) {
    const Value *reached = &user;
    if (const auto *instruction = dyn_cast<Instruction>(&user))
      reached = instruction->getFunction();
    if (seen.insert(reached).second)
      open.push_back(reached);
  }

  static bool isOpen(const GlobalValue &value) {
    if (isNeeded(value) || (!value.isDeclaration() && value.isInterposable()))
      return true;
    const auto *function = dyn_cast<Function>(&value);
    if (!function || function->isIntrinsic())
      return false;
    return (!isKernelFunction(*function) && hasPointer(*function)) ||
           any_of(instructions(*function), [](const Instruction &instruction) {
             const auto *call = dyn_cast<CallBase>(&instruction);
             return call && call->isIndirectCall();
           });
  }

  static bool hasPointer(const Function &function) {
    return function.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false,
                                    /*IgnoreAssumeLikeCalls=*/false);
  }

  SmallVector<const Value *> open;
  DenseSet<const Value *> seen;
};

} // namespace

/// Makes declarations of what is open, or of the kernels that are not, and takes away
/// what nothing reaches any more.
static void remove(Module &module, const StringSet<> &names) {
  for (Function &function : module)
    if (names.contains(function.getName())) {
      function.deleteBody();
      function.setComdat(nullptr);
    }
  for (GlobalVariable &variable : module.globals())
    if (names.contains(variable.getName())) {
      variable.setInitializer(nullptr);
      variable.setLinkage(GlobalValue::ExternalLinkage);
      variable.setComdat(nullptr);
    }
  removeUnreached(module);
}

static bool isKernel(const GlobalValue &value) {
  const auto *function = dyn_cast<Function>(&value);
  return function && isKernelFunction(*function);
}

RelocatableFile het::splitRelocatable(std::unique_ptr<Module> module,
                                      const CompileOptions &options) {
  joinStatics(*module);
  renameInternals(*module, options);
  RelocatableFile file;
  file.code.id = relocatableId(options);
  listSymbols(*module, file.code);
  numberKernels(*module);
  const OpenCode openCode(*module);
  StringSet<> open, closedKernels;
  for (const GlobalValue &value : module->global_values()) {
    if (value.isDeclaration() || value.getName().starts_with("llvm."))
      continue;
    if (openCode.contains(value)) {
      open.insert(value.getName());
      file.code.isOpen |= isKernel(value) || isa<GlobalVariable>(value);
    } else if (isKernel(value)) {
      closedKernels.insert(value.getName());
    }
  }
  file.closed = CloneModule(*module);
  remove(*file.closed, open);
  remove(*module, closedKernels);
  for (const LinkOption &option : linkOptions)
    module->addModuleFlag(Module::Error, option.flag, option.get(options));
  SmallVector<char, 0> bitcode;
  raw_svector_ostream stream(bitcode);
  WriteBitcodeToFile(*module, stream);
  file.code.bitcode.assign(bitcode.begin(), bitcode.end());
  return file;
}
