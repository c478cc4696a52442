// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the runtime (printf, assert, heap), timers, textures, and the inline assembly
// that was refused.

#include "PTX/InlineAssembly.h"
#include "Raise.h"
#include "ThreadExits.h"

#include "het/DeviceABI/DeviceLaunches.h"
#include "het/DeviceABI/Heap.h"

using namespace het;
using namespace mlir;

static RaiseResult print(RaisedCall &call) {
  return ir::PrintfOp::create(call.builder, call.builder.getI32Type(), call.arguments[0],
                              call.arguments[1])
      .getResult();
}

/// (message, file, line, function[, size of a character])
static RaiseResult assertFail(RaisedCall &call) {
  ir::AssertFailOp::create(call.builder, call.arguments[0], call.arguments[1],
                           call.arguments[2], call.arguments[3]);
  return Value();
}

/// One of the variables that takeModuleInfo() has added.
static Value addressOf(RaisedCall &call, StringRef variable) {
  Type pointer = LLVM::LLVMPointerType::get(call.builder.getContext(), ir::globalSpace);
  return LLVM::AddressOfOp::create(call.builder, pointer, variable);
}

static Value heapOf(RaisedCall &call) { return addressOf(call, HET_HEAP_NAME); }

static RaiseResult launches(RaisedCall &call) {
  return LLVM::AddrSpaceCastOp::create(call.builder, call.type(),
                                       addressOf(call, HET_LAUNCHES_NAME))
      .getResult();
}

static RaiseResult allocate(RaisedCall &call) {
  return ir::MallocOp::create(call.builder, call.type(), call.arguments[0], heapOf(call))
      .getResult();
}

static RaiseResult release(RaisedCall &call) {
  ir::FreeOp::create(call.builder, call.arguments[0], heapOf(call));
  return Value();
}

static RaiseResult sleepFor(RaisedCall &call) {
  ir::SleepOp::create(call.builder, call.arguments[0]);
  return Value();
}

static RaiseResult hasTextureUnits(RaisedCall &call) {
  return ir::TextureUnitsOp::create(call.builder, call.type()).getResult();
}

/// (the device's handle, coordinates)
static RaiseResult fetchTexture(RaisedCall &call) {
  return ir::TextureFetchOp::create(call.builder, call.type(), call.arguments[0],
                                    call.arguments.drop_front())
      .getResult();
}

static RaiseResult trap(RaisedCall &call) {
  ir::TrapOp::create(call.builder);
  return Value();
}

/// It has become a return wherever it was inlined into a kernel.
static RaiseResult exitThread(RaisedCall &) {
  return std::string("a thread that ends in a function that is recursive is not "
                     "supported yet");
}

void het::addSystemRaises(RaiseTable &table) {
  table["vprintf"] = print;
  table["__assertfail"] = assertFail;
  table["__assert_fail"] = assertFail;
  for (StringRef name : allocatingFunctions)
    table[name] = allocate;
  for (StringRef name : releasingFunctions)
    table[name] = release;
  table[exitMarker] = exitThread;
  table[HET_LAUNCHES_FUNCTION] = launches;
  table["llvm.nvvm.nanosleep"] = sleepFor;
  table["llvm.ubsantrap"] = trap;
  table["__het_texture_units"] = hasTextureUnits;
  table["__het_texture_fetch_line"] = fetchTexture;
  table["__het_texture_fetch_plane"] = fetchTexture;
}

//===----------------------------------------------------------------------===//
// Inline assembly
//===----------------------------------------------------------------------===//

RaiseResult het::raiseInlineAssembly(RaisedCall &call) {
  auto assembly = cast<LLVM::InlineAsmOp>(call.op);
  StringRef text = assembly.getAsmString().trim();
  // Why it has no meaning was found when the file was read.
  if (text.consume_front(refusedAssembly))
    return text.str();
  return "'" + text.take_until([](char c) { return c == '\n'; }).str() +
         "' is not supported yet";
}
