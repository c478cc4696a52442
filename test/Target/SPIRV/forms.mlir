// Which form a kernel takes: native where OpenCL promises all that it asks for.
//
// REQUIRES: spirv-dis
// DEFINE: %{form} = het-lower --target=spirv "--arch=spirv1.3;teams" %s --kernel
// RUN: %{form}=plain | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=NATIVE
// RUN: %{form}=together | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=NATIVE
// RUN: %{form}=team | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=FLAT
// RUN: %{form}=some_ended | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=SEGMENTED
// RUN: %{form}=apart | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=SEGMENTED
// RUN: %{form}=masked | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=SEGMENTED
// RUN: %{form}=counted | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=SEGMENTED
// RUN: %{form}=by_number | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=SEGMENTED
// RUN: %{form}=arrives | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=SEGMENTED
// RUN: %{form}=spins | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=SEGMENTED
// RUN: het-lower --target=spirv "--arch=spirv1.3;teams16" %s --kernel=team | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=SPLIT
// RUN: not het-lower --target=spirv "--arch=spirv1.3;teamsx" %s --kernel=team 2>&1 | FileCheck %s --check-prefix=ARCH
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=team | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=SEGMENTED

// NATIVE: native
// FLAT: flat
// SPLIT: split
// ARCH: found teams of 'x' lanes
// SEGMENTED: segmented

llvm.func @plain(%p: !llvm.ptr) attributes {hetir.kernel} {
  %t = hetir.thread_id x
  llvm.store %t, %p : i32, !llvm.ptr
  llvm.return
}

llvm.func @together(%p: !llvm.ptr) attributes {hetir.kernel} {
  hetir.barrier
  llvm.return
}

// Barriers that are not for the whole group.
llvm.func @counted(%count: i32) attributes {hetir.kernel} {
  hetir.barrier id 1 count %count
  llvm.return
}

llvm.func @by_number(%number: i32) attributes {hetir.kernel} {
  hetir.named_barrier %number
  llvm.return
}

llvm.func @arrives(%number: i32, %count: i32) attributes {hetir.kernel} {
  hetir.barrier_arrive %number count %count
  llvm.return
}

llvm.func @team(%p: !llvm.ptr, %x: i1) attributes {hetir.kernel} {
  %all = llvm.mlir.constant(-1 : i32) : i32
  %b = hetir.ballot %all, %x
  llvm.store %b, %p : i32, !llvm.ptr
  llvm.return
}

// Work-items that have ended do not come to the barrier.
llvm.func @some_ended(%p: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %t = hetir.thread_id x
  %in = llvm.icmp "ult" %t, %n : i32
  llvm.cond_br %in, ^go, ^end
^go:
  hetir.barrier
  llvm.store %t, %p : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @apart(%p: !llvm.ptr, %x: i1) attributes {hetir.kernel} {
  %all = llvm.mlir.constant(-1 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  %odd = llvm.and %t, %one : i32
  %isOdd = llvm.icmp "eq" %odd, %one : i32
  llvm.cond_br %isOdd, ^go, ^end
^go:
  %b = hetir.ballot %all, %x
  llvm.store %b, %p : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @masked(%p: !llvm.ptr, %mask: i32, %x: i1) attributes {hetir.kernel} {
  %b = hetir.ballot %mask, %x
  llvm.store %b, %p : i32, !llvm.ptr
  llvm.return
}

// Another work-item must go on meanwhile.
llvm.func @spins(%p: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.br ^loop
^loop:
  %v = llvm.load volatile %p : !llvm.ptr -> i32
  %go = llvm.icmp "eq" %v, %zero : i32
  llvm.cond_br %go, ^loop, ^end
^end:
  llvm.return
}
