// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the files of separate/variables share.

#ifndef SEPARATE_VARIABLES_H
#define SEPARATE_VARIABLES_H

extern __device__ int mine[4];
extern __device__ int theirs[4];
extern __constant__ int constants[3];
extern __managed__ int managed;
extern __device__ int *toMine;

template <class T> __device__ T &counter() {
  static __device__ T value = 100;
  return value;
}
inline __device__ int &inlineCounter() {
  static __device__ int value = 1000;
  return value;
}

void readThere(int *out);
int apartThere();
void setMineThere(int value);
void *addressThere();

#endif // SEPARATE_VARIABLES_H
