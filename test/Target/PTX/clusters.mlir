// Clusters are the hardware's own, and need compute capability 9.0.
// OLDEST: sm_90
//
// RUN: het-lower --target=ptx "--arch=sm_90;ptx88" %s | FileCheck %s
// RUN: not het-lower --target=ptx "--arch=sm_80;ptx88" %s 2>&1 | FileCheck %s --check-prefix=OLD

// OLD: clusters of blocks: found compute capability 8.0 and PTX 8.8, expected at least 9.0 and PTX 7.8

// CHECK-LABEL: .visible .entry clusters(
// CHECK-DAG: %cluster_nctaid.y
// CHECK-DAG: mapa.u64
// CHECK: barrier.cluster.arrive
// CHECK: barrier.cluster.wait
// CHECK: st.{{.*}}b32
llvm.mlir.global internal @object() {addr_space = 3 : i32} : i32
llvm.func @clusters(%out: !llvm.ptr, %rank: i32) attributes {hetir.kernel} {
  %size = hetir.cluster_dim y
  %own = llvm.mlir.addressof @object : !llvm.ptr<3>
  %generic = llvm.addrspacecast %own : !llvm.ptr<3> to !llvm.ptr
  %there = hetir.cluster_map %generic, %rank : !llvm.ptr -> !llvm.ptr
  hetir.cluster_arrive
  hetir.grid_barrier cluster
  llvm.store %size, %there : i32, !llvm.ptr
  %found = llvm.load %own : !llvm.ptr<3> -> i32
  llvm.store %found, %out : i32, !llvm.ptr
  llvm.return
}

// Barriers of the grid and of the cluster in one kernel.
// CHECK-LABEL: .visible .entry both(
// CHECK: atom.global.add.u32 {{.*}}[het$grid_barrier_word]
// CHECK: barrier.cluster.arrive
// CHECK-NEXT: barrier.cluster.wait
// CHECK-NOT: het$grid_barrier_word
// CHECK: ret;
llvm.func @both() attributes {hetir.kernel} {
  hetir.grid_barrier
  hetir.cluster_arrive
  hetir.grid_barrier cluster
  llvm.return
}
