// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's arrays, and copies of boxes.

#include "DriverSupport.h"

#include <numeric>
#include <vector>

namespace {

CUdeviceptr addressOf(const void *pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

} // namespace

TEST_F(Driver, ArraysDescribeThemselves) {
  CUarray array = nullptr;
  const CUDA_ARRAY_DESCRIPTOR flat = {12, 5, CU_AD_FORMAT_HALF, 2};
  CU_OK(cuArrayCreate(&array, &flat));
  CUDA_ARRAY_DESCRIPTOR found = {};
  CU_OK(cuArrayGetDescriptor(&found, array));
  EXPECT_EQ(found.Width, 12u);
  EXPECT_EQ(found.Height, 5u);
  EXPECT_EQ(found.Format, CU_AD_FORMAT_HALF);
  EXPECT_EQ(found.NumChannels, 2u);
  CU_OK(cuArrayDestroy(array));

  const CUDA_ARRAY3D_DESCRIPTOR box = {
      4, 3, 2, CU_AD_FORMAT_UNSIGNED_INT32, 4, CUDA_ARRAY3D_SURFACE_LDST};
  CU_OK(cuArray3DCreate(&array, &box));
  CUDA_ARRAY3D_DESCRIPTOR foundBox = {};
  CU_OK(cuArray3DGetDescriptor(&foundBox, array));
  EXPECT_EQ(foundBox.Depth, 2u);
  EXPECT_EQ(foundBox.Format, CU_AD_FORMAT_UNSIGNED_INT32);
  EXPECT_EQ(foundBox.NumChannels, 4u);
  EXPECT_EQ(foundBox.Flags, unsigned(CUDA_ARRAY3D_SURFACE_LDST));
  CUarray plane = nullptr;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuArrayGetPlane(&plane, array, 0));
  CUDA_ARRAY_MEMORY_REQUIREMENTS needs;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuArrayGetMemoryRequirements(&needs, array, 0));
  CU_FAILS(CUDA_ERROR_INVALID_DEVICE, cuArrayGetMemoryRequirements(&needs, array, 7));
  CUDA_ARRAY_SPARSE_PROPERTIES sparse;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuArrayGetSparseProperties(&sparse, array));
  CU_OK(cuArrayDestroy(array));

  const CUDA_ARRAY_DESCRIPTOR three = {4, 0, CU_AD_FORMAT_FLOAT, 3};
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&array, &three));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&array, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(nullptr, &flat));
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_HANDLE, cuArrayGetDescriptor(&found, nullptr));
}

TEST(Arrays, OldFormsSayWhatNoArrayHas) {
  cudaChannelFormatDesc format =
      cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
  cudaArray_t array = nullptr, plane = nullptr;
  CUDA_OK(cudaMallocArray(&array, &format, 16, 0, 0));
  CUDA_FAILS(cudaErrorInvalidValue, cudaArrayGetPlane(&plane, array, 0));
  CUDA_FAILS(cudaErrorInvalidResourceHandle, cudaArrayGetPlane(&plane, nullptr, 0));
  cudaArrayMemoryRequirements needs;
  CUDA_FAILS(cudaErrorInvalidValue, cudaArrayGetMemoryRequirements(&needs, array, 0));
  CUDA_FAILS(cudaErrorInvalidDevice, cudaArrayGetMemoryRequirements(&needs, array, 9));
  cudaArraySparseProperties sparse;
  CUDA_FAILS(cudaErrorInvalidValue, cudaArrayGetSparseProperties(&sparse, array));
  CUDA_OK(cudaFreeArray(array));
}

TEST_F(Driver, LevelsSayWhatNoArrayHas) {
  const CUDA_ARRAY3D_DESCRIPTOR shape = {8, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0};
  CUmipmappedArray mipmap = nullptr;
  CU_OK(cuMipmappedArrayCreate(&mipmap, &shape, 2));
  auto *same = reinterpret_cast<cudaMipmappedArray_t>(mipmap);
  // They have their memory, and all of it.
  CUDA_ARRAY_MEMORY_REQUIREMENTS needs;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuMipmappedArrayGetMemoryRequirements(&needs, mipmap, 0));
  CU_FAILS(CUDA_ERROR_INVALID_DEVICE,
           cuMipmappedArrayGetMemoryRequirements(&needs, mipmap, 7));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuMipmappedArrayGetMemoryRequirements(nullptr, mipmap, 7));
  CUDA_ARRAY_SPARSE_PROPERTIES sparse;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuMipmappedArrayGetSparseProperties(&sparse, mipmap));
  cudaArrayMemoryRequirements runtimeNeeds;
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaMipmappedArrayGetMemoryRequirements(&runtimeNeeds, same, 0));
  CUDA_FAILS(cudaErrorInvalidDevice,
             cudaMipmappedArrayGetMemoryRequirements(&runtimeNeeds, same, 9));
  cudaArraySparseProperties runtimeSparse;
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaMipmappedArrayGetSparseProperties(&runtimeSparse, same));
  CU_OK(cuMipmappedArrayDestroy(mipmap));
}

TEST_F(Driver, CopiesRunsOfArrays) {
  std::vector<unsigned char> host(64), back(64);
  std::iota(host.begin(), host.end(), static_cast<unsigned char>(1));
  const CUDA_ARRAY_DESCRIPTOR line = {64, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  CUarray first = nullptr, second = nullptr;
  CUdeviceptr memory = 0;
  CU_OK(cuArrayCreate(&first, &line));
  CU_OK(cuArrayCreate(&second, &line));
  CU_OK(cuMemAlloc(&memory, 64));
  CU_OK(cuMemcpyHtoA(first, 0, host.data(), 64));
  CU_OK(cuMemcpyAtoA(second, 8, first, 16, 32));
  CU_OK(cuMemcpyAtoD(memory, second, 8, 32));
  CU_OK(cuMemcpyDtoA(first, 0, memory, 32));
  CU_OK(cuMemcpyAtoH(back.data(), first, 0, 64));
  for (size_t at = 0; at < 64; ++at)
    ASSERT_EQ(back[at], host[at < 32 ? at + 16 : at]) << at;
  CU_OK(cuMemcpyHtoAAsync(first, 4, host.data(), 4, nullptr));
  CU_OK(cuMemcpyAtoHAsync(back.data(), first, 4, 4, nullptr));
  CU_OK(cuCtxSynchronize());
  EXPECT_EQ(back[3], 4);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoA(first, 60, host.data(), 8));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpyAtoA(second, 0, first, 60, 8));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoA(nullptr, 0, memory, 8));
  CU_OK(cuMemFree(memory));
  CU_OK(cuArrayDestroy(first));
  CU_OK(cuArrayDestroy(second));
}

TEST(Arrays, CopiesBetweenThemGoOnFromRowToRow) {
  cudaChannelFormatDesc format =
      cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
  cudaArray_t wide = nullptr, narrow = nullptr;
  CUDA_OK(cudaMallocArray(&wide, &format, 6, 4, 0));
  CUDA_OK(cudaMallocArray(&narrow, &format, 4, 6, 0));
  std::vector<unsigned char> host(24), back(24);
  std::iota(host.begin(), host.end(), static_cast<unsigned char>(0));
  CUDA_OK(cudaMemcpyToArray(wide, 0, 0, host.data(), 24, cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpyArrayToArray(narrow, 1, 0, wide, 2, 1, 14, cudaMemcpyDeviceToDevice));
  CUDA_OK(cudaMemcpyFromArray(back.data(), narrow, 1, 0, 14, cudaMemcpyDeviceToHost));
  for (size_t at = 0; at < 14; ++at)
    ASSERT_EQ(back[at], 8 + at);
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemcpyArrayToArray(narrow, 0, 0, wide, 2, 1, 24,
                                                           cudaMemcpyDeviceToDevice));
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemcpyArrayToArray(nullptr, 0, 0, wide, 0, 0, 1,
                                                           cudaMemcpyDeviceToDevice));
  CUDA_OK(cudaFreeArray(wide));
  CUDA_OK(cudaFreeArray(narrow));
}

/// A box of the host goes into an array, from there into device memory, and back.
TEST_F(Driver, CopiesBoxes) {
  constexpr size_t width = 5, height = 4, depth = 3;
  std::vector<int> host(width * height * depth), back(host.size(), -1);
  std::iota(host.begin(), host.end(), 0);
  const CUDA_ARRAY3D_DESCRIPTOR box = {width, height, depth, CU_AD_FORMAT_SIGNED_INT32,
                                       1,     0};
  CUarray array = nullptr;
  CUdeviceptr memory = 0;
  CU_OK(cuArray3DCreate(&array, &box));
  CU_OK(cuMemAlloc(&memory, host.size() * 4));
  CU_OK(cuMemsetD32(memory, 77, host.size()));
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host.data();
  copy.srcPitch = width * 4;
  copy.srcHeight = height;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = width * 4;
  copy.Height = height;
  copy.Depth = depth;
  CU_OK(cuMemcpy3D(&copy));
  CUDA_MEMCPY3D part = {};
  part.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  part.srcArray = array;
  part.srcXInBytes = 4;
  part.srcY = part.srcZ = 1;
  part.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  part.dstDevice = memory;
  part.dstPitch = width * 4;
  part.dstHeight = height;
  part.dstXInBytes = 4;
  part.dstY = part.dstZ = 1;
  part.WidthInBytes = 8;
  part.Height = part.Depth = 2;
  CU_OK(cuMemcpy3DAsync(&part, nullptr));
  CU_OK(cuMemcpyDtoH(back.data(), memory, back.size() * 4));
  for (size_t z = 0; z < depth; ++z)
    for (size_t y = 0; y < height; ++y)
      for (size_t x = 0; x < width; ++x) {
        const bool isIn = z && y && x && z < 3 && y < 3 && x < 3;
        const size_t at = (z * height + y) * width + x;
        ASSERT_EQ(back[at], isIn ? host[at] : 77) << x << ' ' << y << ' ' << z;
      }
  copy.srcLOD = 1;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&copy));
  copy.srcLOD = 0;
  copy.dstXInBytes = 4; // over the edge
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&copy));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(nullptr));
  CU_OK(cuMemFree(memory));
  CU_OK(cuArrayDestroy(array));
}

TEST_F(Driver, CopiesPlanesOfArrays) {
  constexpr size_t width = 5, height = 4;
  std::vector<int> host(width * height), back(host.size(), -1);
  std::iota(host.begin(), host.end(), 0);
  const CUDA_ARRAY_DESCRIPTOR plane = {width, height, CU_AD_FORMAT_SIGNED_INT32, 1};
  CUarray array = nullptr;
  CU_OK(cuArrayCreate(&array, &plane));
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host.data();
  copy.srcPitch = width * 4;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = width * 4;
  copy.Height = height;
  CU_OK(cuMemcpy2DAsync(&copy, nullptr));
  CUDA_MEMCPY2D flat = {};
  flat.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  flat.srcArray = array;
  flat.dstMemoryType = CU_MEMORYTYPE_HOST;
  flat.dstHost = back.data();
  flat.dstPitch = width * 4;
  flat.WidthInBytes = width * 4;
  flat.Height = height;
  CU_OK(cuMemcpy2D(&flat));
  EXPECT_EQ(back[width * height - 1], host[width * height - 1]);
  copy.dstY = 1; // over the edge
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&copy));
  CU_OK(cuArrayDestroy(array));
}

TEST_F(Driver, CopiesBoxesBetweenDevices) {
  int *there = nullptr;
  DeviceMemory<int> here(8);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&there), 32), cudaSuccess);
  CU_OK(cuMemsetD32(addressOf(there), 5, 8));
  CUDA_MEMCPY3D_PEER copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = addressOf(there);
  copy.dstDevice = addressOf(here);
  copy.srcPitch = copy.dstPitch = 16;
  copy.srcHeight = copy.dstHeight = 2;
  copy.WidthInBytes = 16;
  copy.Height = 2;
  copy.Depth = 1;
  CU_OK(cuMemcpy3DPeer(&copy));
  int back[8] = {};
  CU_OK(cuMemcpyDtoH(back, addressOf(here), 32));
  EXPECT_EQ(back[7], 5);
  CU_OK(cuMemsetD32(addressOf(there), 6, 8));
  CU_OK(cuMemcpy3DPeerAsync(&copy, nullptr));
  CU_OK(cuMemcpyDtoH(back, addressOf(here), 32));
  EXPECT_EQ(back[0], 6);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuMemcpy3DPeer(nullptr));
  ASSERT_EQ(cudaFree(there), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}
