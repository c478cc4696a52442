// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the runtime (printf, assert, heap), timers, and inline assembly.

#include "Raise.h"

using namespace het;
using namespace mlir;

static RaiseResult print(RaisedCall &call) {
  return ir::PrintfOp::create(call.builder, call.builder.getI32Type(),
                              call.arguments[0], call.arguments[1])
      .getResult();
}

/// (message, file, line, function[, size of a character])
static RaiseResult assertFail(RaisedCall &call) {
  ir::AssertFailOp::create(call.builder, call.arguments[0], call.arguments[1],
                           call.arguments[2], call.arguments[3]);
  return Value();
}

static RaiseResult allocate(RaisedCall &call) {
  return ir::MallocOp::create(call.builder, call.type(), call.arguments[0])
      .getResult();
}

static RaiseResult release(RaisedCall &call) {
  ir::FreeOp::create(call.builder, call.arguments[0]);
  return Value();
}

static RaiseResult sleepFor(RaisedCall &call) {
  ir::SleepOp::create(call.builder, call.arguments[0]);
  return Value();
}

static RaiseResult trap(RaisedCall &call) {
  ir::TrapOp::create(call.builder);
  return Value();
}

void het::addSystemRaises(RaiseTable &table) {
  table["vprintf"] = print;
  table["__assertfail"] = assertFail;
  table["__assert_fail"] = assertFail;
  table["malloc"] = allocate;
  table["free"] = release;
  table["llvm.nvvm.nanosleep"] = sleepFor;
  table["llvm.ubsantrap"] = trap;
}

//===----------------------------------------------------------------------===//
// Inline assembly
//===----------------------------------------------------------------------===//

namespace {

/// One PTX instruction without operands beside its result that is a value of
/// hetIR: `mov.u32 $0, %laneid;`.
struct MovedRegister {
  StringRef name;
  StringRef intrinsic;
};

constexpr MovedRegister movedRegisters[] = {
    {"%laneid", "llvm.nvvm.read.ptx.sreg.laneid"},
    {"%warpid", "llvm.nvvm.read.ptx.sreg.warpid"},
    {"%nwarpid", "llvm.nvvm.read.ptx.sreg.nwarpid"},
    {"%lanemask_eq", "llvm.nvvm.read.ptx.sreg.lanemask.eq"},
    {"%lanemask_lt", "llvm.nvvm.read.ptx.sreg.lanemask.lt"},
    {"%lanemask_le", "llvm.nvvm.read.ptx.sreg.lanemask.le"},
    {"%lanemask_gt", "llvm.nvvm.read.ptx.sreg.lanemask.gt"},
    {"%lanemask_ge", "llvm.nvvm.read.ptx.sreg.lanemask.ge"},
    {"%clock", "llvm.nvvm.read.ptx.sreg.clock"},
    {"%clock64", "llvm.nvvm.read.ptx.sreg.clock64"},
    {"%globaltimer", "llvm.nvvm.read.ptx.sreg.globaltimer"},
    {"%tid.x", "llvm.nvvm.read.ptx.sreg.tid.x"},
    {"%tid.y", "llvm.nvvm.read.ptx.sreg.tid.y"},
    {"%tid.z", "llvm.nvvm.read.ptx.sreg.tid.z"},
    {"%ntid.x", "llvm.nvvm.read.ptx.sreg.ntid.x"},
    {"%ntid.y", "llvm.nvvm.read.ptx.sreg.ntid.y"},
    {"%ntid.z", "llvm.nvvm.read.ptx.sreg.ntid.z"},
    {"%ctaid.x", "llvm.nvvm.read.ptx.sreg.ctaid.x"},
    {"%ctaid.y", "llvm.nvvm.read.ptx.sreg.ctaid.y"},
    {"%ctaid.z", "llvm.nvvm.read.ptx.sreg.ctaid.z"},
    {"%nctaid.x", "llvm.nvvm.read.ptx.sreg.nctaid.x"},
    {"%nctaid.y", "llvm.nvvm.read.ptx.sreg.nctaid.y"},
    {"%nctaid.z", "llvm.nvvm.read.ptx.sreg.nctaid.z"}};

/// The register that the assembly moves to its result; empty if it does not.
StringRef movedRegister(StringRef text, Type result) {
  text = text.rtrim(" \t\n;");
  if (!text.consume_front("mov."))
    return "";
  auto [type, operands] = text.split(' ');
  auto [target, source] = operands.split(',');
  unsigned width = type.ends_with("64") ? 64 : type.ends_with("32") ? 32 : 0;
  if (target.trim() != "$0" || !result || !result.isInteger(width))
    return "";
  return source.trim();
}

} // namespace

RaiseResult het::raiseInlineAssembly(RaisedCall &call) {
  auto assembly = cast<LLVM::InlineAsmOp>(call.op);
  StringRef text = assembly.getAsmString().trim();
  // Nothing but an obstacle to the compiler, and optimisation is over.
  bool hasResult = call.type() && !isa<LLVM::LLVMVoidType>(call.type());
  if (text.empty() && call.arguments.empty() && !hasResult)
    return Value();

  StringRef source = movedRegister(text, call.type());
  for (const MovedRegister &entry : movedRegisters)
    if (entry.name == source) {
      RaiseTable table;
      addPositionRaises(table);
      return table.lookup(entry.intrinsic)(call);
    }
  if (source.starts_with("%"))
    return "the special register '" + source.str() + "' is not supported yet";
  // The instruction's name is what stands before its operands.
  StringRef instruction = text.ltrim("{ \t\n");
  instruction = instruction.take_until(
      [](char c) { return c == ' ' || c == '\t' || c == ';' || c == '\n'; });
  return "the PTX instruction '" + instruction.str() +
         "' is not supported yet";
}
