// Groups of at most a team are masks of lanes; the grid's barrier has a name that
// the front end raises.
//
// DEFINE: %{cuda} = clang++ -x cuda --cuda-path=/nonexistent -nocudainc -nocudalib
// DEFINE: %{arch} = --cuda-gpu-arch=sm_90 -Xclang -target-sdk-version=12.9
// DEFINE: %{ours} = -isystem %het_src/runtime/include -include __het_cuda_prelude.h
// DEFINE: %{llvm} = --cuda-device-only -O1 -S -emit-llvm -o -
// RUN: %{cuda} %{arch} --cuda-feature=+ptx86 %{ours} %{llvm} %s | FileCheck %s

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

// CHECK-LABEL: define {{.*}}@sum(
// CHECK-COUNT-5: call {{.*}} @llvm.nvvm.shfl.sync.bfly.i32(i32 -1,
// CHECK-NOT: shfl
extern "C" __global__ void sum(int *out) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  *out = cg::reduce(tile, *out, cg::plus<int>());
}

// CHECK-LABEL: define {{.*}}@whole(
// CHECK: call void @__het_grid_barrier()
extern "C" __global__ void whole(int *out) {
  cg::grid_group grid = cg::this_grid();
  grid.sync();
  out[grid.thread_rank()] = (int)grid.size();
}

// CHECK-LABEL: define {{.*}}@active(
// CHECK: call {{.*}} @llvm.nvvm.activemask
// CHECK: call {{.*}} @llvm.nvvm.bar.warp.sync
extern "C" __global__ void active(int *out) {
  cg::coalesced_group lanes = cg::coalesced_threads();
  lanes.sync();
  out[lanes.thread_rank()] = cg::exclusive_scan(lanes, 1);
}
