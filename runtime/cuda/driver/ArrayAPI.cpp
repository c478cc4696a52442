// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's arrays: the runtime API's, with formats in the driver's words.

#include "Driver.h"

#include "../Arrays.h"

#include <cstring>

using namespace het::cuda;
using namespace het::cuda::driver;

namespace {

struct Format {
  CUarray_format driver;
  int bits;
  cudaChannelFormatKind kind;
};

constexpr Format formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
};

} // namespace

bool driver::toRuntime(CUarray_format format, unsigned channels,
                       cudaChannelFormatDesc &result) {
  for (const Format &known : formats)
    if (known.driver == format && (channels == 1 || channels == 2 || channels == 4)) {
      const auto bits = [&](unsigned channel) {
        return channel < channels ? known.bits : 0;
      };
      result = {bits(0), bits(1), bits(2), bits(3), known.kind};
      return true;
    }
  return false;
}

void driver::toDriver(const cudaChannelFormatDesc &format, CUarray_format &result,
                      unsigned &channels) {
  for (const Format &known : formats)
    if (known.bits == format.x && known.kind == format.f)
      result = known.driver;
  channels = !format.y ? 1 : !format.z ? 2 : 4;
}

namespace {

CUresult create(CUarray *result, const CUDA_ARRAY3D_DESCRIPTOR &wanted) {
  cudaChannelFormatDesc format = {};
  if (!result || !toRuntime(wanted.Format, wanted.NumChannels, format))
    return CUDA_ERROR_INVALID_VALUE;
  return through([&] {
    cudaArray_t array = nullptr;
    cudaError_t error = cudaMalloc3DArray(
        &array, &format, {wanted.Width, wanted.Height, wanted.Depth}, wanted.Flags);
    *result = handleOf(array);
    return error;
  });
}

/// Describes an array that is there.
CUresult describe(CUarray handle, CUDA_ARRAY3D_DESCRIPTOR &result) {
  if (CUresult error = requireContext())
    return error;
  if (!handle)
    return CUDA_ERROR_INVALID_HANDLE;
  const cudaArray &array = *arrayOf(handle);
  result.Width = array.extent.width;
  result.Height = array.extent.height;
  result.Depth = array.extent.depth;
  result.Flags = array.flags;
  toDriver(array.format, result.Format, result.NumChannels);
  return CUDA_SUCCESS;
}

} // namespace

CUresult cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *wanted) try {
  if (!wanted)
    return CUDA_ERROR_INVALID_VALUE;
  return create(
      array, {wanted->Width, wanted->Height, 0, wanted->Format, wanted->NumChannels, 0});
}
HET_CATCH

CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *wanted) try {
  return wanted ? create(array, *wanted) : CUDA_ERROR_INVALID_VALUE;
}
HET_CATCH

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *result, CUarray array) try {
  if (!result)
    return CUDA_ERROR_INVALID_VALUE;
  CUDA_ARRAY3D_DESCRIPTOR whole;
  if (CUresult error = describe(array, whole))
    return error;
  *result = {whole.Width, whole.Height, whole.Format, whole.NumChannels};
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *result, CUarray array) try {
  return result ? describe(array, *result) : CUDA_ERROR_INVALID_VALUE;
}
HET_CATCH

CUresult cuArrayDestroy(CUarray array) try {
  if (!array)
    return CUDA_ERROR_INVALID_HANDLE;
  return through([&] { return cudaFreeArray(arrayOf(array)); });
}
HET_CATCH

CUresult cuArrayGetPlane(CUarray *plane, CUarray array, unsigned index) try {
  return through([&] {
    cudaArray_t found = nullptr;
    return cudaArrayGetPlane(plane ? &found : nullptr, arrayOf(array), index);
  });
}
HET_CATCH

// The structures of the two APIs are laid out alike.

CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *result,
                                      CUarray array, CUdevice device) try {
  return through([&] {
    return cudaArrayGetMemoryRequirements(
        reinterpret_cast<cudaArrayMemoryRequirements *>(result), arrayOf(array), device);
  });
}
HET_CATCH

CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *result,
                                    CUarray array) try {
  return through([&] {
    return cudaArrayGetSparseProperties(
        reinterpret_cast<cudaArraySparseProperties *>(result), arrayOf(array));
  });
}
HET_CATCH

// Copies between a run of bytes of an array and linear memory.

CUresult cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t size) try {
  return through([&] {
    return cudaMemcpyToArray(arrayOf(to), offset, 0, pointerOf(from), size,
                             cudaMemcpyDeviceToDevice);
  });
}
HET_CATCH

CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t size) try {
  return through([&] {
    return cudaMemcpyFromArray(pointerOf(to), arrayOf(from), offset, 0, size,
                               cudaMemcpyDeviceToDevice);
  });
}
HET_CATCH

CUresult cuMemcpyHtoA_v2(CUarray to, size_t offset, const void *from, size_t size) try {
  return through([&] {
    return cudaMemcpyToArray(arrayOf(to), offset, 0, from, size, cudaMemcpyHostToDevice);
  });
}
HET_CATCH

CUresult cuMemcpyHtoAAsync_v2(CUarray to, size_t offset, const void *from, size_t size,
                              CUstream stream) try {
  return through([&] {
    return cudaMemcpyToArrayAsync(arrayOf(to), offset, 0, from, size,
                                  cudaMemcpyHostToDevice, stream);
  });
}
HET_CATCH

CUresult cuMemcpyAtoH_v2(void *to, CUarray from, size_t offset, size_t size) try {
  return through([&] {
    return cudaMemcpyFromArray(to, arrayOf(from), offset, 0, size,
                               cudaMemcpyDeviceToHost);
  });
}
HET_CATCH

CUresult cuMemcpyAtoHAsync_v2(void *to, CUarray from, size_t offset, size_t size,
                              CUstream stream) try {
  return through([&] {
    return cudaMemcpyFromArrayAsync(to, arrayOf(from), offset, 0, size,
                                    cudaMemcpyDeviceToHost, stream);
  });
}
HET_CATCH

CUresult cuMemcpyAtoA_v2(CUarray to, size_t toOffset, CUarray from, size_t fromOffset,
                         size_t size) try {
  return through([&] {
    return cudaMemcpyArrayToArray(arrayOf(to), toOffset, 0, arrayOf(from), fromOffset, 0,
                                  size, cudaMemcpyDeviceToDevice);
  });
}
HET_CATCH
