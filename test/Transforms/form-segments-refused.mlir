// A frame holds objects of constant size that are made where the kernel begins.
//
// RUN: het-opt %s -split-input-file -verify-diagnostics --hetir-insert-safe-points --hetir-form-segments

llvm.func @varies(%out: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  // expected-error @below {{a local object of variable size is not supported yet}}
  %p = llvm.alloca %n x i8 : (i32) -> !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> i8
  hetir.barrier
  llvm.store %v, %out : i8, !llvm.ptr
  llvm.return
}

// -----

llvm.func @later(%out: !llvm.ptr, %b: i1) attributes {hetir.kernel} {
  %n = llvm.mlir.constant(4 : i32) : i32
  llvm.cond_br %b, ^bb1, ^bb2
^bb1:
  // expected-error @below {{a local object of variable size is not supported yet}}
  %p = llvm.alloca %n x i8 : (i32) -> !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> i8
  llvm.store %v, %out : i8, !llvm.ptr
  llvm.br ^bb2
^bb2:
  hetir.barrier
  llvm.return
}
