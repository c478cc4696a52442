// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers to functions and objects with virtual functions that one file makes and kernels
// of another call: through variables, the heap, the host.
// CUDA C++ Programming Guide: Function Pointers; Virtual Functions.
// FLAGS: -rdc=true
// ALSO: Inputs/pointers.cu

#include "Inputs/check.h"
#include "Inputs/pointers.h"

static __device__ int combine(int a, int b) { return a * b; }
__device__ Operation here = combine;

__global__ void callTables(int *out) {
  out[0] = table[0](6, 7);
  out[1] = table[1](6, 7);
  out[2] = here(6, 7);
}

__global__ void callGiven(int *out, Operation operation) { *out = operation(6, 7); }

__global__ void useObjects(Shape **shapes, int *out) {
  int i = threadIdx.x;
  out[i] = shapes[i]->area() * 10 + shapes[i]->corners();
}

struct Line : Shape {
  __device__ int area() const override { return 0; }
  __device__ int corners() const override { return 2; }
};

__global__ void makeLine(Shape **shapes) { shapes[2] = new Line; }

int main() {
  check::Array<int> out(8);
  callTables<<<1, 1>>>(out);
  out.get();
  CHECK_EQ(out.host[0], 13);
  CHECK_EQ(out.host[1], 67);
  CHECK_EQ(out.host[2], 42);

  Operation fromThere = pickThere();
  callGiven<<<1, 1>>>(out, fromThere);
  CHECK_EQ(out.get()[0], 67);
  callHereThere(out); // calls what this file's variable holds
  CHECK_EQ(out.get()[0], 42);

  check::Array<Shape *> shapes(3);
  makeThere(shapes);
  makeLine<<<1, 1>>>(shapes);
  useObjects<<<1, 3>>>(shapes, out);
  out.get();
  CHECK_EQ(out.host[0], 94);
  CHECK_EQ(out.host[1], 63);
  CHECK_EQ(out.host[2], 2);
  deleteThere(shapes);
  CUDA_DONE();
  return check::finish("separate/pointers");
}
