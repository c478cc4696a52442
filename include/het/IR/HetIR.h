// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hetir dialect: its enumerations, attributes, interfaces and operations. Helpers
// that concern whole modules and kernels are in Module.h. Normative text:
// docs/spec/hetir.md.

#ifndef HET_IR_HETIR_H
#define HET_IR_HETIR_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace het::ir {

/// The threads' common control flow, as a resource that operations of teams and
/// blocks write; see HetIRBase.td.
struct ConvergenceResource : mlir::SideEffects::Resource::Base<ConvergenceResource> {
  llvm::StringRef getName() final { return "convergence"; }
};

/// Which threads meet at a sync point.
enum class SyncScope { None, Team, Block, Grid };

} // namespace het::ir

#include "het/IR/HetIRDialect.h.inc"
#include "het/IR/HetIREnums.h.inc"
#include "het/IR/HetIRInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "het/IR/HetIRAttrs.h.inc"

#define GET_OP_CLASSES
#include "het/IR/HetIROps.h.inc"

#endif // HET_IR_HETIR_H
