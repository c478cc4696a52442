// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetpkg extract: the hetIR of kernels, or code for a device.

#ifndef HET_TOOLS_HETPKG_EXTRACT_H
#define HET_TOOLS_HETPKG_EXTRACT_H

#include "Input.h"

#include <functional>

namespace het {

struct ExtractOptions {
  std::string kernel;       ///< Empty: see `all`.
  bool all = false;         ///< Every kernel.
  bool hetir = false;       ///< hetIR as text, by het-opt, instead of bytecode.
  std::string target;       ///< TARGET[:ARCH], for its code instead of hetIR; or empty.
  bool movable = false;     ///< The code that can be suspended.
  bool withPackage = false; ///< One PTX text of all kernels, with the package in it.
  std::string output;       ///< A file, a folder (of all), or "-".
};

/// Writes the hetIR of kernels.
Status extract(const Input &input, const ExtractOptions &options);

/// Writes the code of kernels for a target, as a file that other tools read: that in the
/// package, else lowered now.
Status extractCode(const Input &input, const ExtractOptions &options);

/// Writes what `hetcc -ptx` promises. Kernels that have no PTX are warned of: the package
/// has them all the same.
Status extractText(const Input &input, const ExtractOptions &options);

/// A kernel to extract: its package and its place there.
struct ExtractChoice {
  const InputPackage *input;
  uint32_t index;

  const std::string &name() const { return input->kernels[index].name; }
  Result<Bytes> code() const { return input->package.kernelCode(index); }
};

/// The kernels that the options name; no two of one name.
Result<std::vector<ExtractChoice>> chooseKernels(const Input &input,
                                                 const ExtractOptions &options);

/// The code of a kernel for a target: that in the package, else lowered now.
struct NamedTarget;
Result<Bytes> codeOf(const ExtractChoice &choice, const NamedTarget &target,
                     const std::string &options);

/// Writes one file for each kernel, NAME and the suffix.
Status writeFolder(const std::vector<ExtractChoice> &choices, const std::string &folder,
                   const std::string &suffix,
                   const std::function<Result<Bytes>(const ExtractChoice &)> &contents);

} // namespace het

#endif // HET_TOOLS_HETPKG_EXTRACT_H
