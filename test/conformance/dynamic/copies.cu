// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills that kernels ask for, of one, two and three dimensions, in order with
// what they launch.
// CUDA C++ Programming Guide: CUDA Dynamic Parallelism, API Reference.
// FLAGS: -rdc=true

#include "Inputs/check.h"

__global__ void doubled(int *data) { data[threadIdx.x] *= 2; }

__global__ void oneDimension(int *to, int *from, int n, int *errors) {
  doubled<<<1, n>>>(from);
  *errors += cudaMemcpyAsync(to, from, n * sizeof(int), cudaMemcpyDeviceToDevice, 0);
  doubled<<<1, n>>>(to);
  *errors += cudaMemsetAsync(from, 0x11, n / 2 * sizeof(int), 0);
  *errors += cudaMemcpyAsync(to, from, 0, cudaMemcpyDefault);
  *errors += cudaMemcpyAsync(to + n, to, sizeof(int), cudaMemcpyDefault,
                             cudaStreamTailLaunch);
  *errors += cudaMemsetAsync(to, 0, sizeof(int), 0);
}

__global__ void twoDimensions(int *to, int *from, int *errors) {
  // 3 of 8 columns, 4 rows; then a column of bytes.
  *errors += cudaMemcpy2DAsync(to + 1, 8 * sizeof(int), from, 5 * sizeof(int),
                               3 * sizeof(int), 4, cudaMemcpyDeviceToDevice, 0);
  *errors += cudaMemset2DAsync(to + 7, 8 * sizeof(int), 1, sizeof(int), 4, 0);
}

__global__ void threeDimensions(char *to, char *from, int *errors) {
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = cudaPitchedPtr{from, 8, 8, 4};
  copy.dstPtr = cudaPitchedPtr{to, 10, 10, 5};
  copy.srcPos = cudaPos{1, 2, 0};
  copy.dstPos = cudaPos{3, 0, 1};
  copy.extent = cudaExtent{5, 2, 2};
  copy.kind = cudaMemcpyDeviceToDevice;
  *errors += cudaMemcpy3DAsync(&copy, 0);
  *errors += cudaMemset3DAsync(cudaPitchedPtr{to, 10, 10, 5}, 99, cudaExtent{2, 1, 3}, 0);
}

int main() {
  check::Array<int> errors(1);
  const int n = 32;
  check::Array<int> from(64), to(64);
  for (int i = 0; i < 64; ++i)
    from.host[i] = i + 1;
  from.put();
  oneDimension<<<1, 1>>>(to, from, n, errors);
  to.get();
  from.get();
  CHECK_EQ(to.host[0], 0);
  CHECK_EQ(to.host[n], 0);
  for (int i = 1; i < n; ++i)
    CHECK_AT(i, to.host[i], 4 * (i + 1));
  for (int i = 0; i < n; ++i)
    CHECK_AT(i, from.host[i], i < n / 2 ? 0x11111111 : 2 * (i + 1));

  to.fill(-1);
  for (int i = 0; i < 64; ++i)
    from.host[i] = i;
  from.put();
  twoDimensions<<<1, 1>>>(to, from, errors);
  to.get();
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 8; ++column)
      CHECK_AT(row * 8 + column, to.host[row * 8 + column],
               column == 7                  ? 0x01010101
               : column >= 1 && column <= 3 ? row * 5 + column - 1
                                            : -1);

  check::Array<char> boxFrom(8 * 4 * 3), boxTo(10 * 5 * 4);
  for (size_t i = 0; i < boxFrom.size(); ++i)
    boxFrom.host[i] = char(i);
  boxFrom.put();
  threeDimensions<<<1, 1>>>(boxTo, boxFrom, errors);
  boxTo.get();
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 10; ++x) {
        bool copied = x >= 3 && x < 8 && y < 2 && z >= 1 && z < 3;
        bool filled = x < 2 && y < 1 && z < 3;
        int wanted = filled   ? 99
                     : copied ? ((z - 1) * 4 + y + 2) * 8 + x - 3 + 1
                              : 0;
        CHECK_AT((z * 5 + y) * 10 + x, int(boxTo.host[(z * 5 + y) * 10 + x]), wanted);
      }
  CHECK_EQ(errors.get()[0], 0);
  return check::finish("dynamic/copies");
}
