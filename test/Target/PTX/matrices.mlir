// Operations on matrices are the machine's instructions; where it has none, a function of
// the device library, in which lanes shuffle.
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s
// RUN: het-lower --target=ptx "--arch=sm_75;ptx64" %s | FileCheck %s --check-prefix=SM75

// CHECK-LABEL: .visible .entry multiply(
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, {%r
// CHECK: mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.u8.s32
// CHECK: mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd{{[0-9]+}}, %rd{{[0-9]+}}}, {%rd
// CHECK: mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc
// CHECK-NOT: shfl
// SM75-LABEL: .visible .entry multiply(
// SM75: call.uni __het_lane_matrix_f16_16_8_16
// SM75: .func __het_lane_matrix_f16_16_8_16(
// SM75: shfl.sync.idx.b32
// SM75: fma.rn.f32
// SM75-NOT: mma.sync
llvm.func @multiply(%out: !llvm.ptr, %in: !llvm.ptr) attributes {hetir.kernel} {
  %mask = llvm.mlir.constant(-1 : i32) : i32
  %r = llvm.load %in : !llvm.ptr -> i32
  %w = llvm.load %in : !llvm.ptr -> i64
  %0:4 = hetir.matrix_multiply multiply 16 x 8 x 16 f16, f16, f32 -> f32, %mask(%r, %r, %r, %r, %r, %r, %r, %r, %r, %r) : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> (i32, i32, i32, i32)
  llvm.store %0#3, %out : i32, !llvm.ptr
  %1:4 = hetir.matrix_multiply multiply 16 x 8 x 16 s8, u8, s32 -> s32 saturate, %mask(%0#0, %r, %r, %r, %r, %r, %r) : (i32, i32, i32, i32, i32, i32, i32) -> (i32, i32, i32, i32)
  llvm.store %1#2, %out : i32, !llvm.ptr
  %2:2 = hetir.matrix_multiply multiply 8 x 8 x 4 f64, f64, f64 -> f64, %mask(%w, %w, %w, %w) : (i64, i64, i64, i64) -> (i64, i64)
  llvm.store %2#1, %out : i64, !llvm.ptr
  %3:2 = hetir.matrix_multiply and_count 8 x 8 x 128 b1, b1, s32 -> s32, %mask(%1#0, %r, %r, %r) : (i32, i32, i32, i32) -> (i32, i32)
  llvm.store %3#0, %out : i32, !llvm.ptr
  llvm.return
}

llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x i8> {
  %0 = llvm.mlir.undef : !llvm.array<512 x i8>
  llvm.return %0 : !llvm.array<512 x i8>
}

// CHECK-LABEL: .visible .entry move(
// CHECK: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, [%rd{{[0-9]+}}];
// CHECK: movmatrix.sync.aligned.m8n8.trans.b16
// CHECK: stmatrix.sync.aligned.m8n8.x2.shared.b16 [%rd{{[0-9]+}}], {%r{{[0-9]+}}, %r{{[0-9]+}}};
// SM75-LABEL: .visible .entry move(
// SM75: call.uni __het_lane_matrix_load
llvm.func @move(%out: !llvm.ptr) attributes {hetir.kernel} {
  %mask = llvm.mlir.constant(-1 : i32) : i32
  %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %lane = hetir.lane_id
  %p = llvm.getelementptr %tile[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<16 x i8>
  %0:4 = hetir.matrix_load transposed %mask, %p : (!llvm.ptr<3>) -> (i32, i32, i32, i32)
  %1 = hetir.matrix_transpose %mask, %0#1
  hetir.matrix_store %mask, %p(%1, %0#3) : <3>, i32, i32
  llvm.return
}

// The instruction has C and D of one type. Where one is f16 and the other f32, sums are f32.

// CHECK-LABEL: .visible .entry mixed_sums(
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK: cvt.rn.f16{{(x2)?}}.f32
// CHECK: cvt.f32.f16
// CHECK: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
// CHECK: ret;
llvm.func @mixed_sums(%out: !llvm.ptr, %in: !llvm.ptr) attributes {hetir.kernel} {
  %mask = llvm.mlir.constant(-1 : i32) : i32
  %r = llvm.load %in : !llvm.ptr -> i32
  %0:2 = hetir.matrix_multiply multiply 16 x 8 x 16 f16, f16, f32 -> f16, %mask(%r, %r, %r, %r, %r, %r, %r, %r, %r, %r) : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> (i32, i32)
  llvm.store %0#0, %out : i32, !llvm.ptr
  llvm.store %0#1, %out : i32, !llvm.ptr
  %1:4 = hetir.matrix_multiply multiply 16 x 8 x 8 f16, f16, f16 -> f32, %mask(%0#0, %r, %r, %r, %r) : (i32, i32, i32, i32, i32) -> (i32, i32, i32, i32)
  llvm.store %1#1, %out : i32, !llvm.ptr
  llvm.return
}

// Matrices whose rows lie at equal distances: in shared memory by ldmatrix, of up to four;
// elsewhere, and before there was that, each lane loads what it holds.

// CHECK-LABEL: .visible .entry rows(
// CHECK-COUNT-2: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-NOT: ldmatrix
// CHECK: ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16
// CHECK-COUNT-2: ld.global{{.*}}.b32
// CHECK-NOT: ldmatrix
// CHECK: ret;
// SM75-LABEL: .visible .entry rows(
// SM75-NOT: matrix_load
// SM75: ld.shared{{.*}}.b32
// SM75: ret;
llvm.func @rows(%out: !llvm.ptr, %in: !llvm.ptr<1>, %stride: i64) attributes {hetir.kernel} {
  %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %lane = hetir.lane_id
  %own = llvm.getelementptr %tile[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %lane, %own : i32, !llvm.ptr<3>
  hetir.barrier
  %0:8 = hetir.matrix_load_rows depth 2 %tile, %stride : (!llvm.ptr<3>) -> (i32, i32, i32, i32, i32, i32, i32, i32)
  %1:2 = hetir.matrix_load_rows transposed depth 2 %tile, %stride : (!llvm.ptr<3>) -> (i32, i32)
  %2:2 = hetir.matrix_load_rows depth 1 %in, %stride : (!llvm.ptr<1>) -> (i32, i32)
  %3 = llvm.add %0#0, %0#7 : i32
  %4 = llvm.add %1#0, %1#1 : i32
  %5 = llvm.add %2#0, %2#1 : i32
  %6 = llvm.add %3, %4 : i32
  %7 = llvm.add %5, %6 : i32
  llvm.store %7, %out : i32, !llvm.ptr
  llvm.return
}

// Lanes name the rows of matrices in the order in which they are counted. A loop of
// products whose number of rounds is not known is not ptxas's to unroll.

// CHECK-LABEL: .visible .entry products(
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16 {[[A:%r[0-9]+]], [[B:%r[0-9]+]], [[C:%r[0-9]+]], [[D:%r[0-9]+]]}, [
// CHECK: .pragma "nounroll";
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{{.*}}}, {[[A]], [[B]], [[C]], [[D]]}, {
llvm.func @products(%out: !llvm.ptr, %n: i32, %stride: i64) attributes {hetir.kernel} {
  %mask = llvm.mlir.constant(-1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %0:4 = hetir.matrix_load_rows downwards depth 2 %tile, %stride : (!llvm.ptr<3>) -> (i32, i32, i32, i32)
  llvm.br ^loop(%zero, %zero, %zero, %zero, %zero : i32, i32, i32, i32, i32)
^loop(%i: i32, %c0: i32, %c1: i32, %c2: i32, %c3: i32):
  %d:4 = hetir.matrix_multiply multiply 16 x 8 x 16 f16, f16, f32 -> f32, %mask(%0#0, %0#1, %0#2, %0#3, %0#0, %0#3, %c0, %c1, %c2, %c3) : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> (i32, i32, i32, i32)
  %next = llvm.add %i, %one : i32
  %more = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %more, ^loop(%next, %d#0, %d#1, %d#2, %d#3 : i32, i32, i32, i32, i32), ^end
^end:
  llvm.store %d#2, %out : i32, !llvm.ptr
  llvm.return
}
