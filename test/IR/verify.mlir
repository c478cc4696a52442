// What may not stand in a hetIR module as a whole.
//
// RUN: het-opt %s --hetir-verify -split-input-file -verify-diagnostics

llvm.func @whole(%x: f32) -> f32 {
  %0 = llvm.intr.fabs(%x) : (f32) -> f32
  %1 = llvm.call_intrinsic "llvm.minimumnum.f32"(%0, %x) : (f32, f32) -> f32
  llvm.return %1 : f32
}
llvm.mlir.global external @variable() {addr_space = 1 : i32, hetir.variable} : i32

// -----

// expected-error @below {{has no 'llvm.target_triple'}}
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
}

// -----

// expected-error @below {{has no 'llvm.module_asm'}}
module attributes {llvm.module_asm = [".globl x"]} {
}

// -----

// expected-error @below {{names a target CPU or its features}}
llvm.func @cpu() attributes {target_cpu = "sm_90"} {
  llvm.return
}

// -----

// expected-error @below {{names a target CPU or its features}}
llvm.func @features() attributes {target_features = #llvm.target_features<["+ptx80"]>} {
  llvm.return
}

// -----

// expected-error @below {{has the attribute 'target-cpu' of one target}}
llvm.func @passthrough() attributes {passthrough = [["target-cpu", "sm_90"]]} {
  llvm.return
}

// -----

// expected-error @below {{has a target's calling convention}}
llvm.func ptx_kernelcc @convention() {
  llvm.return
}

// -----

llvm.func @assembly() {
  // expected-error @below {{inline assembly is not hetIR}}
  llvm.inline_asm has_side_effects "bar.sync 0;", "" : () -> ()
  llvm.return
}

// -----

llvm.func @nvidia() {
  // expected-error @below {{the intrinsic 'llvm.nvvm.read.ptx.sreg.tid.x' is one vendor's}}
  %0 = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"() : () -> i32
  llvm.return
}

// -----

llvm.func @amd() {
  // expected-error @below {{the intrinsic 'llvm.amdgcn.workitem.id.x' is one vendor's}}
  %0 = llvm.call_intrinsic "llvm.amdgcn.workitem.id.x"() : () -> i32
  llvm.return
}

// -----

llvm.func @intel() {
  // expected-error @below {{the intrinsic 'llvm.x86.sse.sfence' is one vendor's}}
  llvm.call_intrinsic "llvm.x86.sse.sfence"() : () -> ()
  llvm.return
}

// -----

llvm.func @unknown() {
  // expected-error @below {{the intrinsic 'llvm.not.there' is not known}}
  llvm.call_intrinsic "llvm.not.there"() : () -> ()
  llvm.return
}

// -----

llvm.func @machine(%x: i32) {
  // expected-error @below {{the intrinsic 'llvm.returnaddress' depends on the machine}}
  %0 = llvm.call_intrinsic "llvm.returnaddress"(%x) : (i32) -> !llvm.ptr
  llvm.return
}

// -----

// expected-error @below {{function 'elsewhere' has no definition}}
llvm.func @elsewhere()

llvm.func @caller() {
  llvm.call @elsewhere() : () -> ()
  llvm.return
}

// -----

// A mark of the lowerings' own makes no difference.
// expected-error @below {{function 'system' has no definition}}
llvm.func @system(!llvm.ptr) -> i32 attributes {hetir.runtime}

// -----

// expected-error @below {{global 'environ' has no value and is no variable of the package}}
llvm.mlir.global external @environ() : !llvm.ptr

// -----

// A body that LLVM may drop for another's.
// expected-error @below {{has the linkage 'available_externally', which needs another module}}
llvm.func available_externally @system(%command: !llvm.ptr) -> i32 {
  %0 = llvm.mlir.constant(0 : i32) : i32
  llvm.return %0 : i32
}

// -----

// expected-error @below {{has the linkage 'extern_weak', which needs another module}}
llvm.mlir.global extern_weak @weak() {hetir.variable} : i32

// -----

// expected-error @below {{has the linkage 'common', which needs another module}}
llvm.mlir.global common @common(0 : i32) : i32

// -----

llvm.func @early() {
  llvm.return
}
// expected-error @below {{'llvm.mlir.global_ctors' in a module: expected functions, globals and aliases}}
llvm.mlir.global_ctors ctors = [@early], priorities = [0 : i32], data = [#llvm.zero]

// -----

llvm.func @late() {
  llvm.return
}
// expected-error @below {{'llvm.mlir.global_dtors' in a module: expected functions, globals and aliases}}
llvm.mlir.global_dtors dtors = [@late], priorities = [0 : i32], data = [#llvm.zero]

// -----

llvm.func @resolve() -> !llvm.ptr {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
// expected-error @below {{'llvm.mlir.ifunc' in a module: expected functions, globals and aliases}}
llvm.mlir.ifunc @chosen : !llvm.func<void ()>, !llvm.ptr @resolve

// -----

// expected-error @below {{'llvm.comdat' in a module: expected functions, globals and aliases}}
llvm.comdat @__llvm_comdat {
  llvm.comdat_selector @any any
}

// -----

module {
  // expected-error @below {{'builtin.module' in a module: expected functions, globals and aliases}}
  module {
  }
}

// -----

// expected-error @below {{has 'section', which is one object format's or machine's}}
llvm.mlir.global internal @table(0 : i64) {section = ".init_array"} : i64

// -----

// expected-error @below {{has 'section', which is one object format's or machine's}}
llvm.func @begin() attributes {section = ".init"} {
  llvm.return
}

// -----

// expected-error @below {{has 'thread_local_', which is one object format's or machine's}}
llvm.mlir.global internal thread_local @own(0 : i64) : i64

// -----

llvm.func @handler() {
  llvm.return
}
// expected-error @below {{has 'personality', which is one object format's or machine's}}
llvm.func @raises() attributes {personality = @handler} {
  llvm.return
}

// -----

// expected-error @below {{has 'garbageCollector', which is one object format's or machine's}}
llvm.func @collected() attributes {garbageCollector = "shadow-stack"} {
  llvm.return
}

// -----

// A name that LLVM would call.
// expected-error @below {{has the attribute 'probe-stack' of one target}}
llvm.func @probed() attributes {passthrough = [["probe-stack", "system"]]} {
  llvm.return
}

// -----

// expected-error @below {{function 'llvm.memcpy.p0.p0.i64' has the name of an intrinsic}}
llvm.func @llvm.memcpy.p0.p0.i64() {
  llvm.return
}

// -----

llvm.func @varies(...) {
  %0 = llvm.mlir.constant(1 : i32) : i32
  %1 = llvm.alloca %0 x !llvm.ptr : (i32) -> !llvm.ptr
  // expected-error @below {{'llvm.intr.vastart' is not hetIR}}
  llvm.intr.vastart %1 : !llvm.ptr
  llvm.return
}
