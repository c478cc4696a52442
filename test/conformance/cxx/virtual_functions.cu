// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Virtual functions of objects that were constructed on the device: overriding,
// several bases, virtual destructors, calls that differ between lanes, and from
// one kernel to the next.
// CUDA C++ Programming Guide: Virtual Functions.

#include "Inputs/check.h"

struct Shape {
  int id;
  __device__ explicit Shape(int i) : id(i) {}
  __device__ virtual int area() const = 0;
  __device__ virtual int name() const { return 's'; }
  __device__ virtual ~Shape() {}
};
struct Tagged {
  __device__ virtual int tag() { return 1; }
};
struct Square final : Shape {
  __device__ explicit Square(int s) : Shape(s) {}
  __device__ int area() const override { return id * id; }
};
struct Circle : Shape, Tagged {
  int *deaths;
  __device__ Circle(int r, int *d) : Shape(r), deaths(d) {}
  __device__ int area() const override { return 3 * id * id; }
  __device__ int name() const override { return 'c'; }
  __device__ int tag() override { return id + 100; }
  __device__ ~Circle() override { atomicAdd(deaths, 1); }
};
struct Ring : Circle {
  __device__ Ring(int r, int *d) : Circle(r, d) {}
  __device__ int area() const override { return Circle::area() - id; }
};

__global__ void make(Shape **shapes, Tagged **tags, int *deaths) {
  int t = threadIdx.x;
  tags[t] = nullptr;
  if (t % 3 == 0) {
    shapes[t] = new Square(t);
  } else {
    Circle *c = t % 3 == 1 ? new Circle(t, deaths) : new Ring(t, deaths);
    shapes[t] = c;
    tags[t] = c;
  }
}
__global__ void use(Shape **shapes, Tagged **tags, int *out) {
  int t = threadIdx.x;
  out[t] = shapes[t]->area() * 1000 + shapes[(t + 1) % 96]->name() +
           (tags[t] ? tags[t]->tag() : 0);
}
__global__ void destroy(Shape **shapes) { delete shapes[threadIdx.x]; }

int main() {
  const int n = 96;
  check::Array<Shape *> shapes(n);
  check::Array<Tagged *> tags(n);
  check::Array<int> out(n), deaths(1);
  make<<<1, n>>>(shapes, tags, deaths);
  use<<<1, n>>>(shapes, tags, out);
  out.get();
  for (int t = 0; t < n; ++t) {
    int k = t % 3, area = k == 0 ? t * t : k == 1 ? 3 * t * t : 3 * t * t - t;
    int next = (t + 1) % n % 3;
    CHECK_AT(t, out.host[t],
             area * 1000 + (next ? 'c' : 's') + (k ? t + 100 : 0));
  }
  destroy<<<1, n>>>(shapes);
  CHECK_EQ(deaths.get()[0], n * 2 / 3);
  return check::finish("virtual_functions");
}
