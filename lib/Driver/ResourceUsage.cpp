// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a package's description of its kernels. Registers and spills are not in it: each
// device's compiler assigns registers when it loads the kernel.

#include "ResourceUsage.h"

#include "het/Package/Package.h"

#include "llvm/Support/raw_ostream.h"

using namespace het;
using namespace het::driver;

static llvm::Error toError(const Status &status) {
  return llvm::createStringError(std::make_error_code(std::errc::io_error),
                                 status.text());
}

static void showVariables(const std::vector<VariableInfo> &variables,
                          llvm::raw_ostream &stream) {
  uint64_t global = 0, constant = 0;
  for (const VariableInfo &variable : variables)
    (variable.kind == VariableKind::Constant ? constant : global) += variable.size;
  stream << "ptxas info    : " << global << " bytes gmem";
  if (constant)
    stream << ", " << constant << " bytes cmem[3]";
  stream << '\n';
}

static void showKernel(const KernelInfo &kernel, const std::string &arch,
                       llvm::raw_ostream &stream) {
  uint64_t parameters = 0;
  for (const Parameter &parameter : kernel.parameters)
    parameters = std::max<uint64_t>(parameters, parameter.offset + parameter.size);
  stream << "ptxas info    : Compiling entry function '" << kernel.name << "' for '"
         << arch << "'\n"
         << "ptxas info    : Function properties for " << kernel.name << '\n'
         << "    " << kernel.localBytes
         << " bytes stack frame (registers and spills are the device's)\n"
         << "ptxas info    : Used " << kernel.staticSharedBytes << " bytes smem, "
         << parameters << " bytes cmem[0]\n";
}

llvm::Error het::driver::showResourceUsage(ByteView package,
                                           const CompileOptions &options) {
  if (!Package::hasMagic(package)) // parts for a device link, which comes to a package
    return llvm::Error::success();
  Result<Package> opened = Package::open(package, options.inputFile);
  if (!opened.ok())
    return toError(opened.status());
  Result<std::vector<KernelInfo>> kernels = opened->kernels();
  if (!kernels.ok())
    return toError(kernels.status());
  Result<std::vector<VariableInfo>> variables = opened->variables();
  if (!variables.ok())
    return toError(variables.status());
  llvm::raw_ostream &stream = options.diagnostics ? *options.diagnostics : llvm::errs();
  showVariables(*variables, stream);
  for (const KernelInfo &kernel : *kernels)
    showKernel(kernel, options.arch, stream);
  return llvm::Error::success();
}
