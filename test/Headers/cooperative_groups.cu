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

// As cuda::atomic, of which only the form is needed here.
struct Sum {
  int value;
  __device__ int fetch_add(int by) { return atomicAdd(&value, by); }
  __device__ void store(int by) { *(volatile int *)&value = by; }
  __device__ int load() const { return *(const volatile int *)&value; }
  __device__ bool compare_exchange_weak(int &old, int by) {
    const int expected = old;
    old = atomicCAS(&value, expected, by);
    return old == expected;
  }
};

// CHECK-LABEL: define {{.*}}@into_atomics(
// CHECK: atomicrmw add ptr
// CHECK: cmpxchg ptr
// CHECK: store volatile i32
extern "C" __global__ void into_atomics(Sum *out, int value) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  cg::reduce_update_async(tile, out[0], value, cg::plus<int>());
  cg::reduce_update_async(tile, out[1], value, cg::greater<int>());
  cg::reduce_store_async(tile, out[2], value, cg::bit_xor<int>());
}
