// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of separate/pointers share.

#ifndef SEPARATE_POINTERS_H
#define SEPARATE_POINTERS_H

typedef int (*Operation)(int, int);
extern __device__ Operation table[2];
extern __device__ Operation here;

struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual int corners() const { return 4; }
  __device__ virtual ~Shape() {}
};

Operation pickThere();
void callHereThere(int *out);
void makeThere(Shape **shapes);
void deleteThere(Shape **shapes);

#endif // SEPARATE_POINTERS_H
