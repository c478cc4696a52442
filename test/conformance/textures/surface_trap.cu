// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access beside a surface is an error of the launch, unless its mode says otherwise.
// CUDA C++ Programming Guide: Surface Functions.

#include "Inputs/textures.h"

__global__ void write(cudaSurfaceObject_t surface, int x) {
  surf2Dwrite((int)threadIdx.x, surface, x + 4 * (int)threadIdx.x, 0);
}

int main() {
  const std::vector<int> data(32);
  cudaArray_t array =
      textures::makeArray(data, cudaCreateChannelDesc<int>(), {32, 1, 0},
                          cudaArraySurfaceLoadStore);
  const cudaResourceDesc resource = textures::Texture::resourceOf(array);
  cudaSurfaceObject_t surface;
  CUDA(cudaCreateSurfaceObject(&surface, &resource));
  write<<<1, 32>>>(surface, 0);
  CUDA_DONE();
  write<<<1, 32>>>(surface, 4);
  CUDA(cudaGetLastError());
  CHECK_TRUE(cudaDeviceSynchronize() != cudaSuccess);
  return check::finish("textures/surface_trap");
}
