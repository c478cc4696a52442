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
