// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contract between a target and its kernels' way to code. One driver goes the way:
//
//   parse → form → convert → verify → translate → link → optimise → legalise → emit →
//   artifact
//
// and asks the target by hooks. Those that have a body need not be overridden; a target
// that overrides nothing but `convert` and `artifact` gets LLVM IR of a kernel whose
// blocks are one thread each. docs/design/lowering-contract.md; after GPUCompiler.jl's
// interface.

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_KERNELLOWERING_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_KERNELLOWERING_H

#include "KernelInfo.h"
#include "TargetLowering.h"
#include <mutex>

namespace het::target {

using Artifact = llvm::SmallVector<char, 0>;

/// A request: the kernel to lower, and how.
struct LowerRequest {
  llvm::StringRef code, kernel; ///< hetIR bytecode; the kernel's name, mangled.
  std::string devicelibPath;
  /// Running blocks can be suspended, with so much work between polls; 0: they can not.
  unsigned pollInterval = 0;
  /// It serves until better code is there: the sooner the better.
  bool isInterim = false;
  bool isTimed = false; ///< A report on stderr says what took how long.
  std::string options;  ///< Words that are left to the target.
};

class KernelLowering {
public:
  explicit KernelLowering(const LowerRequest &request) : request(request) {}
  virtual ~KernelLowering() = default;

  llvm::Expected<Artifact> run();

protected:
  // In the order in which they are asked. An error in MLIR is a diagnostic.

  /// hetIR → hetIR: how threads become what the machine has. By default segments: a block
  /// is one thread.
  virtual mlir::LogicalResult form(mlir::LLVM::LLVMFuncOp kernel);
  /// hetIR → LLVM dialect, and `info`.
  virtual mlir::FailureOr<KernelInfo> convert(mlir::LLVM::LLVMFuncOp kernel) = 0;
  /// Whether the package's functions and constants keep their names in the code. By
  /// default they get others, since a program may call its own as the target, a library
  /// or generated code calls another. See sourceName.
  virtual bool keepsNames() { return false; }
  /// Whether the target does asynchronous copies itself.
  virtual bool copiesLater() { return false; }
  /// Whether grids begin before those have ended that they depend on.
  virtual bool beginsEarly() { return false; }
  /// Whether the target has an instruction for hetir.matrix_load.
  virtual bool loadsMatrices() { return false; }
  /// Whether the target has hetir.texture_fetch.
  virtual bool hasTextureUnits() { return false; }
  /// Whether the target has instructions for float arithmetic that flushes.
  virtual bool flushesItself() { return false; }
  /// Whether the machine adds small floats of this type atomically (SmallAtomics.h).
  virtual bool addsAtomically(llvm::Type *type) { return false; }
  /// Whether the code tells a debugger its lines, where the program was compiled for it.
  virtual bool keepsLines() { return false; }
  /// By default none: the code stays LLVM IR.
  virtual llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine() {
    return nullptr;
  }
  /// The kernel's own LLVM IR, before anything is linked into it. By default it gets the
  /// machine's triple and data layout.
  virtual llvm::Error prepare(llvm::Module &module);
  /// Bitcode of the target's own functions that kernels call; empty: there are none.
  virtual llvm::StringRef deviceCode() { return ""; }
  /// Whether the back end divides integers of 128 bits.
  virtual bool hasWideIntegers() { return false; }
  /// The module with the device library in it. By default divisions get hetIR's results.
  virtual void linked(llvm::Module &module);
  virtual void optimise(llvm::Module &module);
  /// Does what the back end needs.
  virtual llvm::Error legalise(llvm::Module &module) { return llvm::Error::success(); }
  /// By default an object of the machine, or LLVM IR as text where there is none.
  virtual llvm::Expected<Artifact> emit(llvm::Module &module);
  /// Makes what the runtime keeps of the code.
  virtual Artifact artifact(llvm::ArrayRef<char> code) = 0;

  const LowerRequest &request;
  KernelInfo info;
  bool hasLines = false; ///< Line tables of the code, after `translate`.
  std::unique_ptr<llvm::TargetMachine> machine;

private:
  llvm::Expected<std::unique_ptr<llvm::Module>> translate(llvm::LLVMContext &llvmContext);
  llvm::Error link(llvm::Module &module);
  llvm::Expected<Artifact> generate(llvm::Module &module);
};

/// The module of one kernel. Other kernels of the text go, unless they are used.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
parseKernel(LoweringContext &context, const LowerRequest &request);

/// The name in the package of a function or constant of the code.
llvm::StringRef sourceName(const llvm::GlobalValue &value);

/// Cuts kernels into segments. `schedule`: all by the scheduler, also where control is
/// uniform.
mlir::LogicalResult formSegments(mlir::ModuleOp module, unsigned pollInterval,
                                 bool schedule = false);

/// LLVM's options for a machine; strict about fused multiply-adds.
struct MachineOptions {
  MachineOptions(std::string triple, std::string cpu, std::string features);
  llvm::Triple triple;
  std::string cpu, features;
  llvm::TargetOptions options;
  std::optional<llvm::Reloc::Model> relocation;
  std::optional<llvm::CodeModel::Model> codeModel;
  llvm::CodeGenOptLevel level = llvm::CodeGenOptLevel::Aggressive;
};

/// Calls LLVM's functions that register a back end's parts: once in the process.
template <auto... initialise> void initialiseBackEnd() {
  static std::once_flag once;
  std::call_once(once, [] { (initialise(), ...); });
}

/// Creates the machine of a back end that has been initialised.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const MachineOptions &options);

/// LLVM's own back end.
llvm::Expected<Artifact> emitCode(llvm::Module &module, llvm::TargetMachine &machine,
                                  llvm::CodeGenFileType type);

/// An error where the module is not LLVM IR; `when`: "after pointers were narrowed".
llvm::Error verifyModule(const llvm::Module &module, llvm::StringRef when);

/// Functions of the device library and the target's that stay calls, and small.
void keepApart(llvm::Module &module, llvm::function_ref<bool(llvm::StringRef)> isApart,
               llvm::ArrayRef<llvm::Attribute::AttrKind> attributes);

/// A structure, and behind it these bytes.
template <typename Header>
Artifact makeArtifact(const Header &header, llvm::ArrayRef<llvm::StringRef> parts) {
  Artifact artifact;
  auto *bytes = reinterpret_cast<const char *>(&header);
  artifact.append(bytes, bytes + sizeof(header));
  for (llvm::StringRef part : parts)
    artifact.append(part.begin(), part.end());
  return artifact;
}

/// The bytes of an array.
template <typename T> llvm::StringRef bytesOf(llvm::ArrayRef<T> array) {
  return {reinterpret_cast<const char *>(array.data()), array.size() * sizeof(T)};
}

} // namespace het::target

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_KERNELLOWERING_H
