// Texture fetches are the machine's, unless the kernel can be suspended: then its process
// may move, and what is behind the question goes. So it does on other targets.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" --options=parkable %s | FileCheck %s --check-prefix=NONE
// RUN: het-lower --target=host %s -o %t.o

// CHECK-LABEL: .visible .entry sample(
// CHECK: tex.1d.v4.u32.s32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, [%rd{{[0-9]+}}, {%r{{[0-9]+}}}];
// CHECK: tex.2d.v4.u32.f32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, [%rd{{[0-9]+}}, {%r{{[0-9]+}}, %r{{[0-9]+}}}];
// CHECK: ret;
// NONE-LABEL: .entry sample(
// NONE-NOT: tex.
// NONE: ret;
llvm.func @sample(%out: !llvm.ptr, %unit: i64, %i: i32, %x: f32, %y: f32) attributes {hetir.kernel} {
  %has = hetir.texture_units
  %next = llvm.getelementptr %out[1] : (!llvm.ptr) -> !llvm.ptr, vector<4xi32>
  llvm.cond_br %has, ^unit, ^code
^unit:
  %line = hetir.texture_fetch %unit[%i] : (i32) -> vector<4xi32>
  llvm.store %line, %out : vector<4xi32>, !llvm.ptr
  %plane = hetir.texture_fetch %unit[%x, %y] : (f32, f32) -> vector<4xi32>
  llvm.store %plane, %next : vector<4xi32>, !llvm.ptr
  llvm.br ^end
^code:
  llvm.store %i, %out : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}
