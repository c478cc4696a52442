// Atomic additions of half precision and bfloat16: instructions with the scope that was
// asked for, where the machine has them and the memory is not shared; loops elsewhere.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s
// RUN: het-lower --target=ptx "--arch=sm_75;ptx88" %s | FileCheck --check-prefix=OLD %s

// CHECK-LABEL: .visible .entry global(
// CHECK: atom.gpu.global.add.noftz.f16 {{%rs[0-9]+}}, [{{%rd[0-9]+}}], {{%rs[0-9]+}};
// CHECK: atom.cta.global.add.noftz.f16x2 {{%r[0-9]+}}, [{{%rd[0-9]+}}], {{%r[0-9]+}};
// CHECK: atom.sys.global.add.noftz.bf16
// CHECK: atom.gpu.global.add.noftz.bf16x2
// CHECK-NOT: cas
// CHECK: ret;
// OLD-LABEL: .visible .entry global(
// OLD: atom.gpu.global.add.noftz.f16
// OLD: atom.cta.global.add.noftz.f16x2
// OLD-NOT: noftz.bf16
// OLD: cas
// OLD: ret;
llvm.func @global(%p: !llvm.ptr<1>, %h: f16, %h2: vector<2xf16>, %b: bf16, %b2: vector<2xbf16>) attributes {hetir.kernel} {
  %0 = llvm.atomicrmw fadd %p, %h syncscope("device") monotonic {alignment = 2 : i64} : !llvm.ptr<1>, f16
  %1 = llvm.atomicrmw fadd %p, %h2 syncscope("block") monotonic {alignment = 4 : i64} : !llvm.ptr<1>, vector<2xf16>
  %2 = llvm.atomicrmw fadd %p, %b monotonic {alignment = 2 : i64} : !llvm.ptr<1>, bf16
  %3 = llvm.atomicrmw fadd %p, %b2 syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<1>, vector<2xbf16>
  llvm.return
}

// CHECK-LABEL: .visible .entry shared(
// CHECK-NOT: noftz
// CHECK: atom.{{.*}}shared.cas.b32
llvm.mlir.global internal @words() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<32 x i32>
llvm.func @shared(%h2: vector<2xf16>) attributes {hetir.kernel} {
  %p = llvm.mlir.addressof @words : !llvm.ptr<3>
  %0 = llvm.atomicrmw fadd %p, %h2 syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr<3>, vector<2xf16>
  llvm.return
}

// What a kernel is given leads to global memory.
// CHECK-LABEL: .visible .entry given(
// CHECK: atom.gpu.global.add.noftz.f16x2
llvm.func @given(%p: !llvm.ptr, %h2: vector<2xf16>) attributes {hetir.kernel} {
  %0 = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i32
  %1 = llvm.atomicrmw fadd %0, %h2 syncscope("device") monotonic {alignment = 4 : i64} : !llvm.ptr, vector<2xf16>
  llvm.return
}
