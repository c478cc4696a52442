// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA front end: one source file becomes a package of hetIR kernels and a
// host object that carries it. Clang runs inside this process.
//
// Diagnostics are printed where they arise, in clang's form, to the stream in
// the options. A function that fails after having printed why returns a
// `Reported` error, which needs no further message; any other error carries
// its own.

#ifndef HET_FRONTEND_FRONTEND_H
#define HET_FRONTEND_FRONTEND_H

#include "het/Base/Bytes.h"

#include "llvm/Support/Error.h"

#include <functional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace het {

/// Error of the functions below when they have already printed the reason.
class Reported : public llvm::ErrorInfo<Reported> {
public:
  static char ID;
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;
};

/// Whose math functions a kernel uses (--het-math).
enum class MathMode { Portable, Native };

/// Where kernels can be suspended (--het-safe-points).
enum class SafePointMode { None, Barriers, Loops };

/// A source that a running program gives (NVRTC). It is compiled for devices alone, with
/// other headers ahead of it (__het_rtc_prelude.h) and none of the C and C++ libraries;
/// messages have NVRTC's form.
struct SourceInMemory {
  std::string text;
  std::string folder; ///< The program's working directory, in which its file would be.
  /// Headers by the names that `#include` has.
  std::vector<std::pair<std::string, std::string>> headers;
  /// Functions and variables that say nothing are the device's; else they are errors.
  bool deviceByDefault = false;
  /// The source is among the headers, so that it finds none beside it.
  bool besideHeaders = false;
  /// Kernels and variables that the program asks for, "&name<int>".
  std::vector<std::string> expressions;
  /// Their names in the package, in this order. Filled in by the compilation.
  std::vector<std::string> loweredNames;
};

/// How one .cu file is compiled. The driver fills it from nvcc's command line.
struct CompileOptions {
  std::string inputFile;
  bool isPtxText = false; ///< It is PTX text, as a file NAME.ptx is.
  /// Clang's arguments for both passes: -I, -isystem, -D, -U, -include,
  /// -std=, -W…, -w, -f… that change the language.
  std::vector<std::string> clangArguments;
  /// Clang's arguments for the host pass alone: what -Xcompiler gave (-fPIC,
  /// -fopenmp, -march=…).
  std::vector<std::string> hostArguments;
  /// -MD, -MF, -MT and the like. What either pass includes is listed.
  std::vector<std::string> dependencyArguments;

  std::string arch = "sm_90"; ///< Decides __CUDA_ARCH__, nothing else.
  /// __CUDA_ARCH_LIST__, "750,900"; empty for that of `arch` alone.
  std::string archList;
  unsigned optimization = 3; ///< -O of the host code; nvcc's default is 3.
  bool debug = false;        ///< -g: debug information in the host code.
  bool deviceDebug = false;  ///< -G: no optimisation beyond what is needed.
  bool lineInfo = false;     ///< -lineinfo
  bool relocatable = false;  ///< -rdc=true

  bool fastMath = false; ///< -use_fast_math: functions may be approximate.
  /// -ftz and so on, as they are given or as -use_fast_math implies.
  bool flushToZero = false;
  bool preciseDivision = true;
  bool preciseSqrt = true;
  bool contract = true; ///< -fmad: multiply-adds may be fused.

  MathMode math = MathMode::Portable;
  SafePointMode safePoints = SafePointMode::Loops;

  /// Warnings fail the compilation, if nvcc's tools have them, too.
  bool warningsAreErrors = false;
  /// Calls of host functions by `__host__ __device__` ones fail it.
  bool hostCallsAreErrors = false;

  /// Not a file: `inputFile` is the name in messages. Null: a file.
  SourceInMemory *inMemory = nullptr;

  std::string resourceDir;                  ///< Clang's own headers (…/lib/clang/22).
  std::string headersDir;                   ///< Our CUDA headers.
  bool color = false;                       ///< Diagnostics in colour.
  bool verbose = false;                     ///< Print the cc1 command lines (-v).
  llvm::raw_ostream *diagnostics = nullptr; ///< Null: llvm::errs().
};

/// Where the device compilation stops.
enum class DeviceStage {
  LLVM,    ///< Optimised LLVM IR, as text.
  HetIR,   ///< hetIR as text, one module for each kernel.
  Package, ///< The package's bytes.
};

/// Output of the host pass.
enum class HostStage {
  Object,       ///< -c
  Assembly,     ///< -S
  Preprocess,   ///< -E
  Dependencies, ///< -M, -MM (which one stands in dependencyArguments)
};

/// Compiles the device side of a file. The result is text or bytes.
llvm::Expected<Bytes> compileDevice(const CompileOptions &options, DeviceStage stage);

/// Prints the preprocessed file as kernels and then as the host sees it, or lists what
/// both include.
/// `output` is a file's path or "-".
llvm::Error preprocess(const CompileOptions &options, HostStage stage,
                       const std::string &output);

/// Given the finished package, yields the bytes that the host object carries:
/// the package itself, or a reference to it after writing it elsewhere.
using Embed = std::function<llvm::Expected<Bytes>(Bytes package)>;

/// Compiles both sides; the two front ends run at the same time. `output` is
/// written only if all went well. With no `embed` the package is embedded.
llvm::Error compile(const CompileOptions &options, HostStage stage,
                    const std::string &output, Embed embed = nullptr);

/// Compiles the host side alone around bytes that are already there.
llvm::Error compileHost(const CompileOptions &options, HostStage stage, ByteView embedded,
                        const std::string &output);

} // namespace het

#endif // HET_FRONTEND_FRONTEND_H
