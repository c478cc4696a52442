// Whether an address leads to a constant, where constants are variables of the package:
// the question is one about their addresses, on all targets.
//
// RUN: het-lower --target=null %s --kernel=constant | FileCheck %s
// RUN: het-lower --target=host --arch=x86-64 %s --kernel=constant -o %t.host
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s --kernel=constant -o %t.ptx
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=constant -o %t.spirv
// RUN: het-lower --target=spirv "--arch=spirv1.3;segmented" %s --kernel=constant -o %t.segmented
// RUN: het-lower --target=tensix --arch=blackhole %s --kernel=constant -o %t.tensix

// CHECK: [[OFFSET:%[^ ]+]] = sub i64 %{{.*}}, %{{.*}}
// CHECK: icmp ult i64 [[OFFSET]], 24
llvm.mlir.global external constant @table() {addr_space = 4 : i32, alignment = 4 : i64, hetir.variable} : !llvm.array<6 x i32>
llvm.func @constant(%out: !llvm.ptr<1>, %p: !llvm.ptr) attributes {hetir.kernel} {
  %constant = hetir.is_space constant %p : !llvm.ptr
  llvm.store %constant, %out : i1, !llvm.ptr<1>
  llvm.return
}
