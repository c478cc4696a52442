// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's SPIR-V back end numbers basic blocks in a table of the process, by the
// address of their MachineFunction, and never empties it. Where one comes to
// lie where that of another module was, its blocks get that one's numbers, and
// a module has numbers twice. So MachineFunctions are made at addresses where
// none was before.

#ifndef HET_LIB_TARGET_SPIRV_LOWERING_FRESHADDRESSES_H
#define HET_LIB_TARGET_SPIRV_LOWERING_FRESHADDRESSES_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/Pass.h"
#include "llvm/Target/TargetMachine.h"

namespace het::spirv {

/// Makes the MachineFunction of every function that it sees. It belongs between
/// LLVM's last pass over IR, which may make functions, and the first over
/// machine code. `used`: the addresses so far, of the process.
llvm::FunctionPass *createFreshAddresses(const llvm::TargetMachine &machine,
                                         llvm::DenseSet<const void *> &used);

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_LOWERING_FRESHADDRESSES_H
