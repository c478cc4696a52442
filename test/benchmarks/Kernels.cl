// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels in OpenCL. Kernels.cu has the same ones, statement by statement.

#include "Workload.h"

kernel void vectorAdd(global const float *a, global const float *b,
                      global float *c) {
  int i = get_global_id(0);
  if (i < VECTOR_SIZE)
    c[i] = a[i] + b[i];
}

kernel void matmul(global const float *a, global const float *b,
                   global float *c) {
  local float tileA[TILE][TILE], tileB[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * TILE + x, row = get_group_id(1) * TILE + y;
  float sum = 0;
  for (int tile = 0; tile < MATRIX_SIZE; tile += TILE) {
    tileA[y][x] = a[row * MATRIX_SIZE + tile + x];
    tileB[y][x] = b[(tile + y) * MATRIX_SIZE + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k)
      sum += tileA[y][k] * tileB[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * MATRIX_SIZE + column] = sum;
}

kernel void stencil(global const float *a, global const float *unused,
                    global float *c) {
  local float tile[TILE + 2][TILE + 2];
  int x = get_local_id(0) + 1, y = get_local_id(1) + 1;
  int column = get_group_id(0) * TILE + get_local_id(0);
  int row = get_group_id(1) * TILE + get_local_id(1);
  int center = row * IMAGE_SIZE + column;
  tile[y][x] = a[center];
  if (x == 1)
    tile[y][0] = column > 0 ? a[center - 1] : 0;
  if (x == TILE)
    tile[y][TILE + 1] = column < IMAGE_SIZE - 1 ? a[center + 1] : 0;
  if (y == 1)
    tile[0][x] = row > 0 ? a[center - IMAGE_SIZE] : 0;
  if (y == TILE)
    tile[TILE + 1][x] = row < IMAGE_SIZE - 1 ? a[center + IMAGE_SIZE] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  c[center] = 0.5f * tile[y][x] + 0.125f * (tile[y - 1][x] + tile[y + 1][x] +
                                            tile[y][x - 1] + tile[y][x + 1]);
}

kernel void reduce(global const float *a, global const float *unused,
                   global float *c) {
  local float sums[BLOCK_SIZE];
  int lane = get_local_id(0);
  float sum = 0;
  for (int i = get_global_id(0); i < REDUCE_SIZE; i += get_global_size(0))
    sum += a[i];
  sums[lane] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_ = BLOCK_SIZE / 2; half_ > 0; half_ /= 2) {
    if (lane < half_)
      sums[lane] += sums[lane + half_];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0)
    c[get_group_id(0)] = sums[0];
}

kernel void nBody(global const float4 *bodies, global const float4 *unused,
                  global float4 *forces) {
  local float4 tile[BLOCK_SIZE];
  int i = get_global_id(0);
  float4 own = bodies[i];
  float x = 0, y = 0, z = 0;
  for (int start = 0; start < BODY_COUNT; start += BLOCK_SIZE) {
    tile[get_local_id(0)] = bodies[start + get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < BLOCK_SIZE; ++k) {
      float4 other = tile[k];
      float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      float inverse = rsqrt(dx * dx + dy * dy + dz * dz + 0.01f);
      float scale = other.w * inverse * inverse * inverse;
      x += dx * scale;
      y += dy * scale;
      z += dz * scale;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  forces[i] = (float4)(x, y, z, 0);
}

kernel void histogram(global const uint *unused, global const uint *values,
                      global uint *bins) {
  local uint own[BIN_COUNT];
  own[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < HISTOGRAM_SIZE; i += get_global_size(0))
    atomic_add(&own[values[i] % BIN_COUNT], 1u);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[get_local_id(0)], own[get_local_id(0)]);
}

kernel void empty(global const float *a, global const float *b,
                  global float *c) {}
