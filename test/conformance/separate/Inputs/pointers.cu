// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The other file of separate/pointers.

#include "Inputs/check.h"
#include "pointers.h"

static __device__ int combine(int a, int b) { return a * 10 + b; }
__device__ int sum(int a, int b) { return a + b; }
__device__ Operation table[2] = {sum, combine};

struct Square : Shape {
  int side;
  __device__ Square(int side) : side(side) {}
  __device__ int area() const override { return side * side; }
};
struct Triangle : Shape {
  __device__ int area() const override { return 6; }
  __device__ int corners() const override { return 3; }
};

static __global__ void make(Shape **shapes) {
  shapes[0] = new Square(3);
  shapes[1] = new Triangle;
}
static __global__ void destroy(Shape **shapes) { delete shapes[threadIdx.x]; }
static __global__ void call(int *out) { *out = here(6, 7); }

Operation pickThere() {
  Operation operations[2];
  CUDA(cudaMemcpyFromSymbol(operations, table, sizeof operations));
  return operations[1];
}

void callHereThere(int *out) { call<<<1, 1>>>(out); }
void makeThere(Shape **shapes) { make<<<1, 1>>>(shapes); }
void deleteThere(Shape **shapes) { destroy<<<1, 3>>>(shapes); }
