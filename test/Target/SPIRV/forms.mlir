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
// RUN: %{form}=lockstep | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=SEGMENTED
// RUN: %{form}=slots | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=SEGMENTED
// RUN: %{form}=fields | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=SEGMENTED
// RUN: %{form}=table | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=NATIVE
// RUN: %{form}=pairs | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=NATIVE
// RUN: %{form}=two_ways | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=SEGMENTED
// RUN: %{form}=two_ways_fenced | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=SEGMENTED
// RUN: %{form}=variable | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=SEGMENTED
// RUN: %{form}=drawn_two_ways | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=SEGMENTED
// RUN: %{form}=restricted | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=NATIVE
// RUN: %{form}=counts | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=NATIVE
// RUN: het-lower --target=spirv "--arch=spirv1.3;teams16" %s --kernel=team | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=SPLIT
// RUN: not het-lower --target=spirv "--arch=spirv1.3;teamsx" %s --kernel=team 2>&1 | FileCheck %s --check-prefix=ARCH
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=team | python3 %S/Inputs/artifact.py form | FileCheck %s --check-prefix=SEGMENTED

// Of a CPU, no vectors are made of blocks.
// RUN: het-lower --target=spirv "--arch=spirv1.3;teams;cpu" %s --kernel=masked | python3 %S/Inputs/artifact.py | spirv-dis | FileCheck %s --check-prefix=HINT
// RUN: het-lower --target=spirv "--arch=spirv1.3;teams;cpu" %s --kernel=plain | python3 %S/Inputs/artifact.py | spirv-dis | FileCheck %s --check-prefix=NO-HINT
// HINT: OpExecutionMode %{{.*}} VecTypeHint
// NO-HINT-NOT: VecTypeHint

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

// Lanes exchange values as if in lockstep, in a kernel that has no barrier.
llvm.mlir.global internal @words() {addr_space = 3 : i32} : !llvm.array<64 x i32>
llvm.func @lockstep(%p: !llvm.ptr) attributes {hetir.kernel} {
  %base = llvm.mlir.addressof @words : !llvm.ptr<3>
  %t = hetir.thread_id x
  %i = llvm.zext %t : i32 to i64
  %at = llvm.getelementptr %base[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i32
  %far = llvm.getelementptr %at[16] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
  llvm.store volatile %t, %at : i32, !llvm.ptr<3>
  %v = llvm.load volatile %far : !llvm.ptr<3> -> i32
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.return
}

// A place is looked for, and given back: where there is none, others must go on.
llvm.func @slots(%p: !llvm.ptr, %q: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%s: i32):
  %at = llvm.getelementptr %p[%s] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %pair = llvm.cmpxchg %at, %zero, %t monotonic monotonic : !llvm.ptr, i32
  %taken = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
  %next = llvm.add %s, %one : i32
  llvm.cond_br %taken, ^end, ^loop(%next : i32)
^end:
  llvm.store %t, %q : i32, !llvm.ptr
  llvm.store %zero, %at : i32, !llvm.ptr
  llvm.return
}

// The same in a structure.
llvm.func @fields(%p: !llvm.ptr, %q: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%s: i32):
  %at = llvm.getelementptr %p[%s, 0] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, i32)>
  %pair = llvm.cmpxchg %at, %zero, %t monotonic monotonic : !llvm.ptr, i32
  %taken = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
  %next = llvm.add %s, %one : i32
  llvm.cond_br %taken, ^end, ^loop(%next : i32)
^end:
  %other = llvm.getelementptr %p[%t, 0] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, i32)>
  llvm.store %zero, %other : i32, !llvm.ptr
  llvm.return
}

// Nobody gives back a place of a hash table: its values are in another array,
llvm.func @table(%p: !llvm.ptr, %q: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%s: i32):
  %at = llvm.getelementptr %p[%s] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %pair = llvm.cmpxchg %at, %zero, %t monotonic monotonic : !llvm.ptr, i32
  %taken = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
  %next = llvm.add %s, %one : i32
  llvm.cond_br %taken, ^end, ^loop(%next : i32)
^end:
  %value = llvm.getelementptr %q[%s] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %t, %value : i32, !llvm.ptr
  llvm.return
}

// Places are taken through one pointer and given back through another, which may be equal,
llvm.func @two_ways(%p: !llvm.ptr, %q: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%s: i32):
  %at = llvm.getelementptr %p[%s] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %pair = llvm.cmpxchg %at, %zero, %one monotonic monotonic : !llvm.ptr, i32
  %taken = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
  %next = llvm.add %s, %one : i32
  llvm.cond_br %taken, ^end, ^loop(%next : i32)
^end:
  %back = llvm.getelementptr %q[%s] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %was = llvm.atomicrmw xchg %back, %zero monotonic : !llvm.ptr, i32
  llvm.return
}

// by a plain store behind a fence as well,
llvm.func @two_ways_fenced(%p: !llvm.ptr, %q: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%s: i32):
  %at = llvm.getelementptr %p[%s] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %pair = llvm.cmpxchg %at, %zero, %one monotonic monotonic : !llvm.ptr, i32
  %taken = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
  %next = llvm.add %s, %one : i32
  llvm.cond_br %taken, ^end, ^loop(%next : i32)
^end:
  hetir.fence device
  %back = llvm.getelementptr %q[%s] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %zero, %back : i32, !llvm.ptr
  llvm.return
}

// or through a variable, whose address the kernel may have been given.
llvm.mlir.global external @flags() {hetir.variable} : !llvm.array<8 x i32>
llvm.func @variable(%p: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %flags = llvm.mlir.addressof @flags : !llvm.ptr
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%s: i32):
  %at = llvm.getelementptr %p[%s] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %pair = llvm.cmpxchg %at, %zero, %one monotonic monotonic : !llvm.ptr, i32
  %taken = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
  %next = llvm.add %s, %one : i32
  llvm.cond_br %taken, ^end, ^loop(%next : i32)
^end:
  %back = llvm.getelementptr %flags[%s] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %was = llvm.atomicrmw xchg %back, %zero monotonic : !llvm.ptr, i32
  llvm.return
}

// A number is drawn through one pointer and given back through another.
llvm.func @drawn_two_ways(%p: !llvm.ptr, %q: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^loop
^loop:
  %drawn = llvm.atomicrmw add %p, %one monotonic : !llvm.ptr, i32
  %mine = llvm.icmp "eq" %drawn, %zero : i32
  llvm.cond_br %mine, ^end, ^back
^back:
  %was = llvm.atomicrmw sub %q, %one monotonic : !llvm.ptr, i32
  llvm.br ^loop
^end:
  %last = llvm.atomicrmw sub %p, %one monotonic : !llvm.ptr, i32
  llvm.return
}

// Pointers of which one is __restrict__ are not equal.
llvm.func @restricted(%p: !llvm.ptr {llvm.noalias}, %q: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%s: i32):
  %at = llvm.getelementptr %p[%s] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %pair = llvm.cmpxchg %at, %zero, %one monotonic monotonic : !llvm.ptr, i32
  %taken = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
  %next = llvm.add %s, %one : i32
  llvm.cond_br %taken, ^end, ^loop(%next : i32)
^end:
  %back = llvm.getelementptr %q[%s] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %was = llvm.atomicrmw xchg %back, %zero monotonic : !llvm.ptr, i32
  llvm.return
}

// What is counted beside the keys gives nothing back.
llvm.func @counts(%p: !llvm.ptr, %q: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%s: i32):
  %at = llvm.getelementptr %p[%s] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %pair = llvm.cmpxchg %at, %zero, %t monotonic monotonic : !llvm.ptr, i32
  %taken = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
  %next = llvm.add %s, %one : i32
  llvm.cond_br %taken, ^end, ^loop(%next : i32)
^end:
  %count = llvm.getelementptr %q[%s] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %was = llvm.atomicrmw add %count, %one monotonic : !llvm.ptr, i32
  llvm.return
}

// or beside its keys.
llvm.func @pairs(%p: !llvm.ptr) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %t = hetir.thread_id x
  llvm.br ^loop(%t : i32)
^loop(%s: i32):
  %at = llvm.getelementptr %p[%s, 0] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, i32)>
  %pair = llvm.cmpxchg %at, %zero, %t monotonic monotonic : !llvm.ptr, i32
  %taken = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
  %next = llvm.add %s, %one : i32
  llvm.cond_br %taken, ^end, ^loop(%next : i32)
^end:
  %value = llvm.getelementptr %p[%s, 1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, i32)>
  llvm.store %t, %value : i32, !llvm.ptr
  llvm.return
}
