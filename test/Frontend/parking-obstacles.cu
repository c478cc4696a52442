// What keeps a kernel's blocks from being parked inside is said when it is compiled, and
// kept in the package.
//
// RUN: hetcc --het-emit=hetpkg -v %s -o %t.hetpkg 2>&1 | FileCheck %s
// RUN: hetpkg show %t.hetpkg | FileCheck --check-prefix=SHOW %s
// RUN: hetpkg show --json %t.hetpkg | FileCheck --check-prefix=JSON %s
// RUN: hetcc --het-emit=hetpkg -v --het-safe-points=none %s -o %t.none 2>&1 | FileCheck --check-prefix=NONE %s

// CHECK: #$ kernel 'numbered(int*)' is parked only before its blocks begin: a barrier has a number or a count ({{.*}}parking-obstacles.cu:[[@LINE+16]]:{{[0-9]+}})
// CHECK-NOT: #$ kernel 'free
// CHECK: #$ kernel 'kept(int**)' is parked only before its blocks begin: an object's address is stored in memory
// CHECK-NOT: #$ kernel 'free

// SHOW: free(int*, int)
// SHOW-NOT: parking only
// SHOW: kept(int**)
// SHOW: parking only before blocks begin: an object's address is stored in memory
// SHOW: numbered(int*)
// SHOW: parking only before blocks begin: a barrier has a number or a count ({{.*}}parking-obstacles.cu:

// JSON: "unparkable": "a barrier has a number or a count

// NONE: #$ kernel 'free(int*, int)' is parked only before its blocks begin: compiled without safe points
__global__ void numbered(int *out) {
  asm volatile("bar.sync 1, 64;");
  out[threadIdx.x] = 1;
}

__global__ void free(int *out, int n) {
  for (int i = 0; i < n; ++i) {
    __syncthreads();
    out[threadIdx.x] += out[threadIdx.x ^ 1];
  }
}

__global__ void kept(int **out) {
  int local[4] = {};
  out[threadIdx.x] = local;
  __syncthreads();
  out[threadIdx.x][1] = 1;
}
