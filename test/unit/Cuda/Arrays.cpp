// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA arrays.

#include "Support.h"

#include <numeric>
#include <vector>

static cudaChannelFormatDesc floats() {
  return cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
}

TEST(Arrays, CopyRows) {
  cudaChannelFormatDesc format = floats();
  cudaArray_t array = nullptr;
  CUDA_OK(cudaMallocArray(&array, &format, 8, 4));
  std::vector<float> from(32), to(32);
  std::iota(from.begin(), from.end(), 1.0f);
  CUDA_OK(
      cudaMemcpy2DToArray(array, 0, 0, from.data(), 32, 32, 4, cudaMemcpyHostToDevice));
  CUDA_OK(
      cudaMemcpy2DFromArray(to.data(), 32, array, 0, 0, 32, 4, cudaMemcpyDeviceToHost));
  EXPECT_EQ(from, to);
  float corner = -1;
  CUDA_OK(cudaMemcpy2DFromArray(&corner, 4, array, 28, 3, 4, 1, cudaMemcpyDeviceToHost));
  EXPECT_EQ(corner, 32.0f);
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemcpy2DToArray(array, 4, 0, from.data(), 32, 32,
                                                        1, cudaMemcpyHostToDevice));
  CUDA_FAILS(
      cudaErrorInvalidPitchValue,
      cudaMemcpy2DToArray(array, 0, 0, from.data(), 8, 16, 2, cudaMemcpyHostToDevice));
  CUDA_FAILS(cudaErrorInvalidMemcpyDirection,
             cudaMemcpy2DToArray(array, 0, 0, from.data(), 32, 32, 4,
                                 static_cast<cudaMemcpyKind>(77)));
  CUDA_OK(cudaFreeArray(array));
  CUDA_OK(cudaFreeArray(nullptr));
}

TEST(Arrays, LinearCopyRunsOn) {
  cudaChannelFormatDesc format = floats();
  cudaArray_t array = nullptr;
  CUDA_OK(cudaMallocArray(&array, &format, 4, 3));
  std::vector<float> from(12), to(12);
  std::iota(from.begin(), from.end(), 1.0f);
  CUDA_OK(cudaMemcpyToArray(array, 0, 0, from.data(), 48, cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpyFromArray(to.data(), array, 0, 0, 48, cudaMemcpyDeviceToHost));
  EXPECT_EQ(from, to);
  CUDA_OK(cudaFreeArray(array));
}

TEST(Arrays, Info) {
  cudaChannelFormatDesc format = floats(), found;
  cudaArray_t array = nullptr;
  cudaExtent extent;
  unsigned flags = 9;
  CUDA_OK(cudaMallocArray(&array, &format, 64, 0));
  CUDA_OK(cudaArrayGetInfo(&found, &extent, &flags, array));
  EXPECT_EQ(extent.width, 64u);
  EXPECT_EQ(extent.height, 0u);
  EXPECT_EQ(flags, 0u);
  EXPECT_EQ(found.x, 32);
  CUDA_OK(cudaFreeArray(array));
}

TEST(Arrays, RefuseWhatIsWrong) {
  cudaArray_t array = nullptr;
  cudaChannelFormatDesc format = floats();
  cudaChannelFormatDesc odd =
      cudaCreateChannelDesc(7, 0, 0, 0, cudaChannelFormatKindSigned);
  cudaChannelFormatDesc three =
      cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindSigned);
  CUDA_FAILS(cudaErrorInvalidValue, cudaMallocArray(&array, &format, 0, 0));
  CUDA_FAILS(cudaErrorInvalidValue, cudaMallocArray(&array, nullptr, 64, 0));
  CUDA_FAILS(cudaErrorInvalidValue, cudaMallocArray(&array, &format, 1 << 30, 0));
  CUDA_FAILS(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &odd, 64, 0));
  CUDA_FAILS(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &three, 64, 0));
}

TEST(Arrays, HaveShapesThatTheirFlagsAllow) {
  const cudaChannelFormatDesc format = floats();
  cudaArray_t array = nullptr;
  const auto make = [&](cudaExtent extent, unsigned flags) {
    const cudaError_t error = cudaMalloc3DArray(&array, &format, extent, flags);
    (void)cudaGetLastError();
    return error ? error : cudaFreeArray(array);
  };
  EXPECT_EQ(make({8, 0, 3}, cudaArrayLayered), cudaSuccess);
  EXPECT_EQ(make({8, 8, 6}, cudaArrayCubemap), cudaSuccess);
  EXPECT_EQ(make({8, 8, 18}, cudaArrayCubemap | cudaArrayLayered), cudaSuccess);
  EXPECT_EQ(make({8, 0, 3}, 0), cudaErrorInvalidValue);
  EXPECT_EQ(make({8, 8, 0}, cudaArrayLayered), cudaErrorInvalidValue);
  EXPECT_EQ(make({8, 4, 6}, cudaArrayCubemap), cudaErrorInvalidValue);
  EXPECT_EQ(make({8, 8, 12}, cudaArrayCubemap), cudaErrorInvalidValue);
  EXPECT_EQ(make({8, 8, 13}, cudaArrayCubemap | cudaArrayLayered), cudaErrorInvalidValue);
  EXPECT_EQ(make({4, 4, 32768}, 0), cudaSuccess);
  EXPECT_EQ(make({4, 4, 32769}, 0), cudaErrorInvalidValue);
  EXPECT_EQ(make({4, 4, 2048}, cudaArrayLayered), cudaSuccess);
  EXPECT_EQ(make({4, 4, 2049}, cudaArrayLayered), cudaErrorInvalidValue);
  EXPECT_EQ(make({131072, 0, 0}, 0), cudaSuccess);
  EXPECT_EQ(make({32769, 0, 0}, cudaArraySurfaceLoadStore), cudaErrorInvalidValue);
  EXPECT_EQ(make({32769, 1, 0}, cudaArrayTextureGather), cudaErrorInvalidValue);
}

TEST(Arrays, OfLevelsHalve) {
  const cudaChannelFormatDesc format = floats();
  cudaMipmappedArray_t mipmap = nullptr;
  cudaArray_t level = nullptr;
  cudaExtent extent = {};
  CUDA_OK(cudaMallocMipmappedArray(&mipmap, &format, {12, 5, 4}, 100, 0));
  CUDA_OK(cudaGetMipmappedArrayLevel(&level, mipmap, 3));
  CUDA_OK(cudaArrayGetInfo(nullptr, &extent, nullptr, level));
  EXPECT_EQ(extent.width, 1u);
  EXPECT_EQ(extent.height, 1u);
  EXPECT_EQ(extent.depth, 1u);
  CUDA_FAILS(cudaErrorInvalidValue, cudaGetMipmappedArrayLevel(&level, mipmap, 4));
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaFreeArray(level));
  CUDA_OK(cudaFreeMipmappedArray(mipmap));
  CUDA_OK(cudaMallocMipmappedArray(&mipmap, &format, {8, 8, 5}, 0, cudaArrayLayered));
  CUDA_FAILS(cudaErrorInvalidValue, cudaGetMipmappedArrayLevel(&level, mipmap, 1));
  CUDA_OK(cudaFreeMipmappedArray(mipmap));
  CUDA_OK(cudaFreeMipmappedArray(nullptr));
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaMallocMipmappedArray(nullptr, &format, {8, 8, 0}, 1, 0));
}
