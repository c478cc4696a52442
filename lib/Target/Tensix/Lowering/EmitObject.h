// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last step of the compiler, with passes of our own over machine code.

#ifndef HET_LIB_TARGET_TENSIX_LOWERING_EMITOBJECT_H
#define HET_LIB_TARGET_TENSIX_LOWERING_EMITOBJECT_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace het::tensix {

/// Stack that each function takes, in bytes, without what it calls.
using Frames = llvm::StringMap<uint64_t>;

/// Fails at functions whose frame grows while they run. `type` may be assembly for tests.
llvm::Expected<std::string>
emitObject(llvm::Module &module, llvm::TargetMachine &machine, llvm::StringRef arch,
           Frames &frames,
           llvm::CodeGenFileType type = llvm::CodeGenFileType::ObjectFile);

} // namespace het::tensix

#endif // HET_LIB_TARGET_TENSIX_LOWERING_EMITOBJECT_H
