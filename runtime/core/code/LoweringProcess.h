// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowering in another process. Packages are untrusted and compilers are large: what
// crashes, hangs or takes all memory there is an error here. The program does not load
// LLVM at all, and has no child that its wait() would see.

#ifndef HET_RUNTIME_CORE_CODE_LOWERINGPROCESS_H
#define HET_RUNTIME_CORE_CODE_LOWERINGPROCESS_H

#include "het/Base/Bytes.h"
#include "het/Base/Status.h"
#include "het/Target/TargetABI.h"

#include <string>

namespace het::core {

/// The program of a lowering process and the plug-in that it opens.
struct LoweringProgram {
  std::string worker, plugin;
};

/// Lowers a kernel, at the calling thread's priority. A process serves one thread at a
/// time; those that are idle are kept for a while.
Result<Bytes> lowerElsewhere(const LoweringProgram &program,
                             const HetLowerRequest &request);

/// HetLoweringABI::explain, likewise.
Result<HetExplanation> explainElsewhere(const LoweringProgram &program,
                                        const HetLowerRequest &request);

/// An architecture that a user has named (HetLoweringABI::findArch).
struct NamedArch {
  std::string arch, suffix; ///< HetArchitecture's.
  std::string version;      ///< HetLoweringABI's: of what is lowered for it.
};
Result<NamedArch> findArchElsewhere(const LoweringProgram &program,
                                    const std::string &name);

/// HetLoweringABI::extractCode, likewise.
Result<Bytes> extractCodeElsewhere(const LoweringProgram &program, ByteView artifact);

/// Ends the idle processes: for who saves this process with all that it has open.
void endIdleLowerings();

} // namespace het::core

#endif // HET_RUNTIME_CORE_CODE_LOWERINGPROCESS_H
