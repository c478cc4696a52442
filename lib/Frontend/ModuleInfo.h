// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts that the package has beside the code, read from the optimised LLVM module: its
// kernels' parameters and launch bounds, and its variables.

#ifndef HET_LIB_FRONTEND_MODULEINFO_H
#define HET_LIB_FRONTEND_MODULEINFO_H

#include "het/Package/KernelInfo.h"

#include "llvm/ADT/StringMap.h"

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace het {

class Messages;

/// The attribute of a global that the user declared __managed__.
constexpr llvm::StringLiteral managedAttribute = "het-managed";
constexpr llvm::StringLiteral textureCodeAttribute = "het-texture-code";
/// The blocks of a kernel's clusters, "x,y,z".
constexpr llvm::StringLiteral clusterAttribute = "nvvm.cluster_dim";

/// The attribute of a kernel that says what it was compiled for, as __CUDA_ARCH__ / 10.
constexpr llvm::StringLiteral architectureAttribute = "het-architecture";

struct ModuleInfo {
  /// By mangled name. Filled: name, displayName, parameters, launch bounds, architecture.
  llvm::StringMap<KernelInfo> kernels;
  /// In the order of the source.
  std::vector<VariableInfo> variables;
  /// A variable's index, by its name.
  llvm::StringMap<uint32_t> variableIndex;
};

/// Whether all kernels, and maybe the host, share one object: not shared memory, not a
/// constant of the module's own, unless that holds an address which is known only when
/// variables are placed.
bool isVariable(const llvm::GlobalVariable &object);

/// Reads the kernels, and moves the values of the variables out of the module:
/// they are declarations in it afterwards. Shows an error for each variable
/// whose value cannot be moved; false then.
bool takeModuleInfo(llvm::Module &module, ModuleInfo &info, Messages &messages);

} // namespace het

#endif // HET_LIB_FRONTEND_MODULEINFO_H
