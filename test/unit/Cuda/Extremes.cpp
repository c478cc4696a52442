// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes, pitches, positions and counts as large as they can be. Every function gets every
// combination of the values below; whatever it lets pass must fit into the memory it was
// given, by arithmetic that does not overflow.

#include "Support.h"

#include <cuda.h>

#include <functional>
#include <vector>

namespace {

constexpr size_t bytes = 1 << 16;
constexpr size_t extremes[] = {0,
                               1,
                               64,
                               bytes,
                               size_t(1) << 32,
                               size_t(1) << 62,
                               size_t(1) << 63,
                               SIZE_MAX - bytes + 1,
                               SIZE_MAX};
using Wide = unsigned __int128;

/// A box in memory, in bytes.
struct Box {
  Wide width, height, depth, pitch, plane;
  Wide before = 0; ///< Where it begins.

  bool isEmpty() const { return !width || !height || !depth; }
  bool fits() const {
    return isEmpty() ||
           before + (depth - 1) * plane + (height - 1) * pitch + width <= bytes;
  }
};

/// Calls `use` with every combination of so many of the values.
void forAll(unsigned count, const std::function<void(const size_t *)> &use) {
  size_t values[6] = {};
  std::function<void(unsigned)> choose = [&](unsigned index) {
    if (index == count)
      return use(values);
    for (size_t value : extremes) {
      values[index] = value;
      choose(index + 1);
    }
  };
  choose(0);
}

class ExtremesTest : public testing::Test {
protected:
  ExtremesTest() {
    EXPECT_EQ(cudaMalloc(&device, bytes), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&other, bytes), cudaSuccess);
    EXPECT_EQ(cudaMallocHost(&host, bytes), cudaSuccess);
  }
  ~ExtremesTest() override {
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaFree(device), cudaSuccess);
    EXPECT_EQ(cudaFree(other), cudaSuccess);
    EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
    cudaGetLastError();
  }

  /// What a call with these values answered, and the boxes that it was to touch.
  template <typename Code>
  void check(Code answer, const size_t *values, const std::vector<Box> &boxes) {
    if (static_cast<int>(answer) != 0)
      return;
    for (const Box &box : boxes)
      ASSERT_TRUE(box.fits()) << values[0] << " " << values[1] << " " << values[2];
  }

  void *device = nullptr, *other = nullptr, *host = nullptr;
};

} // namespace

TEST_F(ExtremesTest, CopiesOfRows) {
  forAll(4, [&](const size_t *v) {
    const Box to{v[2], v[3], 1, v[0], 0}, from{v[2], v[3], 1, v[1], 0};
    check(cudaMemcpy2D(device, v[0], host, v[1], v[2], v[3], cudaMemcpyHostToDevice), v,
          {to, from});
    check(cudaMemcpy2DAsync(other, v[0], device, v[1], v[2], v[3],
                            cudaMemcpyDeviceToDevice, nullptr),
          v, {to, from});
  });
}

TEST_F(ExtremesTest, CopiesOfBoxes) {
  for (int shape = 0; shape < 3; ++shape)
    forAll(4, [&](const size_t *v) {
      cudaMemcpy3DParms copy = {};
      copy.srcPtr = {host, 256, 256, 16};
      copy.dstPtr = {device, 256, 256, 16};
      copy.extent = {16, 4, 2};
      Box box{16, 4, 2, 256, 4096};
      if (shape == 0) {
        copy.extent = {v[0], v[1], v[2]};
        copy.dstPtr.pitch = v[3];
        box = {v[0], v[1], v[2], v[3], Wide(v[3]) * 16};
      } else if (shape == 1) {
        copy.dstPos = {v[0], v[1], v[2]};
        copy.extent.width = v[3];
        box.width = v[3];
        box.before = v[0] + Wide(v[1]) * 256 + Wide(v[2]) * 4096;
      } else {
        copy.dstPtr.pitch = v[0];
        copy.dstPtr.ysize = v[1];
        copy.extent.height = v[2];
        copy.extent.depth = v[3];
        box = {16, v[2], v[3], v[0], Wide(v[0]) * v[1]};
      }
      copy.kind = cudaMemcpyHostToDevice;
      check(cudaMemcpy3D(&copy), v, {box});
      check(cudaMemcpy3DAsync(&copy, nullptr), v, {box});
    });
}

TEST_F(ExtremesTest, CopiesThatStartInPageableMemory) {
  std::vector<char> pageable(bytes);
  forAll(3, [&](const size_t *v) {
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = {pageable.data(), 16, 16, v[0]};
    copy.dstPtr = {device, 16, 16, v[0]};
    copy.extent = {16, v[1], v[2]};
    copy.kind = cudaMemcpyHostToDevice;
    const Box box{16, v[1], v[2], 16, Wide(16) * v[0]};
    check(cudaMemcpy3DAsync(&copy, nullptr), v, {box});
  });
}

TEST_F(ExtremesTest, Fills) {
  forAll(3, [&](const size_t *v) {
    check(cudaMemset2D(device, v[0], 1, v[1], v[2]), v, {{v[1], v[2], 1, v[0], 0}});
    check(cudaMemset2DAsync(device, v[0], 1, v[1], v[2], nullptr), v,
          {{v[1], v[2], 1, v[0], 0}});
  });
  forAll(5, [&](const size_t *v) {
    check(cudaMemset3D({device, v[0], 16, v[1]}, 1, {v[2], v[3], v[4]}), v,
          {{v[2], v[3], v[4], v[0], Wide(v[0]) * v[1]}});
  });
  for (size_t size : extremes) {
    const Box box{size, 1, 1, 0, 0};
    check(cudaMemset(device, 1, size), &size, {box});
    check(cudaMemcpy(device, host, size, cudaMemcpyHostToDevice), &size, {box});
    check(cudaMemcpyAsync(device, other, size, cudaMemcpyDefault, nullptr), &size, {box});
    check(cudaMemcpyPeer(device, 0, other, 0, size), &size, {box});
  }
}

TEST_F(ExtremesTest, Arrays) {
  const cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindSigned};
  cudaArray_t array = nullptr;
  CUDA_OK(cudaMallocArray(&array, &format, 64, 16));
  auto inArray = [](size_t byte, size_t row, size_t width, size_t height) {
    return !width || !height || (Wide(byte) + width <= 256 && Wide(row) + height <= 16);
  };
  forAll(5, [&](const size_t *v) {
    const Box box{v[2], v[3], 1, v[4], 0};
    cudaError_t to = cudaMemcpy2DToArray(array, v[0], v[1], host, v[4], v[2], v[3],
                                         cudaMemcpyHostToDevice);
    cudaError_t from = cudaMemcpy2DFromArray(host, v[4], array, v[0], v[1], v[2], v[3],
                                             cudaMemcpyDeviceToHost);
    check(to, v, {box});
    check(from, v, {box});
    ASSERT_TRUE(to || inArray(v[0], v[1], v[2], v[3]));
    ASSERT_TRUE(from || inArray(v[0], v[1], v[2], v[3]));
  });
  forAll(4, [&](const size_t *v) {
    cudaMemcpy3DParms copy = {};
    copy.srcArray = array;
    copy.srcPos = {v[0], v[1], 0};
    copy.dstPtr = {host, 256, 256, 16};
    copy.extent = {v[2], v[3], 1};
    copy.kind = cudaMemcpyDeviceToHost;
    cudaError_t answer = cudaMemcpy3D(&copy);
    ASSERT_TRUE(answer || !v[2] || !v[3] ||
                (Wide(v[0]) + v[2] <= 64 && Wide(v[1]) + v[3] <= 16));
  });
  forAll(3, [&](const size_t *v) {
    cudaError_t answer =
        cudaMemcpyToArray(array, v[0], v[1], host, v[2], cudaMemcpyHostToDevice);
    ASSERT_TRUE(answer || Wide(v[1]) * 256 + v[0] + v[2] <= 4096);
  });
  CUDA_OK(cudaFreeArray(array));
}

TEST_F(ExtremesTest, Variables) {
  registerPackage();
  forAll(2, [&](const size_t *v) {
    cudaError_t to = cudaMemcpyToSymbol(counterShadow, host, v[0], v[1]);
    cudaError_t from = cudaMemcpyFromSymbol(host, counterShadow, v[0], v[1]);
    const bool fits = Wide(v[0]) + v[1] <= 16;
    ASSERT_EQ(to == cudaSuccess, fits) << v[0] << " " << v[1];
    ASSERT_EQ(from == cudaSuccess, fits) << v[0] << " " << v[1];
  });
}

TEST_F(ExtremesTest, Allocations) {
  size_t free = 0;
  CUDA_OK(cudaMemGetInfo(&free, nullptr));
  /// Gives back what was allocated, if there is that much memory.
  auto freed = [&](cudaError_t answer, Wide least, void *pointer) {
    if (answer || !pointer)
      return;
    EXPECT_TRUE(least <= Wide(free));
    CUDA_OK(cudaFree(pointer));
  };
  for (size_t size : extremes) {
    void *pointer = nullptr;
    freed(cudaMalloc(&pointer, size), size, pointer);
    freed(cudaMallocManaged(&pointer, size), size, pointer);
    freed(cudaMallocAsync(&pointer, size, nullptr), size, pointer);
    if (size > free) {
      EXPECT_EQ(cudaMallocHost(&pointer, size), cudaErrorMemoryAllocation);
    }
  }
  forAll(2, [&](const size_t *v) {
    void *pointer = nullptr;
    size_t pitch = 0;
    freed(cudaMallocPitch(&pointer, &pitch, v[0], v[1]), Wide(v[0]) * v[1], pointer);
  });
  const cudaChannelFormatDesc format = {32, 32, 32, 32, cudaChannelFormatKindFloat};
  forAll(3, [&](const size_t *v) {
    cudaPitchedPtr pitched = {};
    freed(cudaMalloc3D(&pitched, {v[0], v[1], v[2]}), 0, pitched.ptr);
    cudaArray_t array = nullptr;
    cudaMalloc3DArray(&array, &format, {v[0], v[1], v[2]}, 0);
    CUDA_OK(cudaFreeArray(array));
  });
}

TEST_F(ExtremesTest, RangesOfTheHost) {
  std::vector<char> pageable(bytes);
  for (size_t size : extremes) {
    cudaError_t answer = cudaHostRegister(pageable.data(), size, 0);
    EXPECT_EQ(answer == cudaSuccess, size && size <= bytes) << size;
    if (answer == cudaSuccess) {
      CUDA_OK(cudaHostUnregister(pageable.data()));
    }
  }
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaHostRegister(reinterpret_cast<void *>(0x1000), 4096, 0));
  void *managed = nullptr;
  CUDA_OK(cudaMallocManaged(&managed, bytes));
  for (size_t size : extremes) {
    const bool fits = size && size <= bytes;
    EXPECT_EQ(cudaMemPrefetchAsync(managed, size, 0) == cudaSuccess, fits);
    EXPECT_EQ(cudaMemAdvise(managed, size, cudaMemAdviseSetReadMostly, 0) == cudaSuccess,
              fits);
  }
  CUDA_OK(cudaFree(managed));
}

TEST_F(ExtremesTest, NodesOfGraphs) {
  forAll(3, [&](const size_t *v) {
    for (unsigned element : {1u, 4u}) {
      cudaGraph_t graph = nullptr;
      cudaGraphNode_t node = nullptr;
      cudaGraphExec_t exec = nullptr;
      CUDA_OK(cudaGraphCreate(&graph, 0));
      const cudaMemsetParams fill = {device, v[0], 7, element, v[1], v[2]};
      cudaError_t answer = cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill);
      check(answer, v, {{Wide(v[1]) * element, v[2], 1, v[0], 0}});
      if (!answer) {
        CUDA_OK(cudaGraphInstantiate(&exec, graph, 0));
        CUDA_OK(cudaGraphLaunch(exec, nullptr));
        CUDA_OK(cudaGraphExecDestroy(exec));
      }
      CUDA_OK(cudaGraphDestroy(graph));
    }
  });
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr, list[2] = {};
  CUDA_OK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams nowhere = {reinterpret_cast<void *>(0x1000), 16, 0, 1, 16, 1};
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &nowhere));
  CUDA_OK(cudaGraphAddEmptyNode(&list[0], graph, nullptr, 0));
  list[1] = list[0];
  for (size_t count : extremes)
    if (count > 1) {
      CUDA_FAILS(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&node, graph, list, count));
      CUDA_FAILS(cudaErrorInvalidValue,
                 cudaGraphAddDependencies(graph, list, list, count));
      CUDA_FAILS(cudaErrorInvalidValue,
                 cudaStreamBeginCaptureToGraph(cudaStreamPerThread, graph, list, nullptr,
                                               count, cudaStreamCaptureModeGlobal));
    }
  CUDA_OK(cudaGraphDestroy(graph));
}

TEST_F(ExtremesTest, TheDriverApi) {
  ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
  CUcontext context = nullptr;
  ASSERT_EQ(cuCtxCreate(&context, 0, 0), CUDA_SUCCESS);
  const auto to = reinterpret_cast<CUdeviceptr>(device);
  forAll(5, [&](const size_t *v) {
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = host;
    copy.srcPitch = 256;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = to;
    copy.dstXInBytes = v[0];
    copy.dstY = v[1];
    copy.dstPitch = v[2];
    copy.WidthInBytes = v[3];
    copy.Height = v[4];
    check(cuMemcpy2D(&copy), v,
          {{v[3], v[4], 1, v[2], 0, Wide(v[1]) * v[2] + v[0]}, {v[3], v[4], 1, 256, 0}});
  });
  forAll(3, [&](const size_t *v) {
    check(cuMemsetD2D32(to, v[0], 1, v[1], v[2]), v,
          {{Wide(v[1]) * 4, v[2], 1, v[0], 0}});
    check(cuMemsetD2D16(to, v[0], 1, v[1], v[2]), v,
          {{Wide(v[1]) * 2, v[2], 1, v[0], 0}});
  });
  for (size_t count : extremes) {
    check(cuMemsetD32(to, 1, count), &count, {{Wide(count) * 4, 1, 1, 0, 0}});
    check(cuMemsetD16Async(to, 1, count, nullptr), &count,
          {{Wide(count) * 2, 1, 1, 0, 0}});
  }
  forAll(2, [&](const size_t *v) {
    CUdeviceptr memory = 0;
    size_t pitch = 0;
    if (cuMemAllocPitch(&memory, &pitch, v[0], v[1], 4) == CUDA_SUCCESS) {
      EXPECT_TRUE(Wide(v[0]) * v[1] < Wide(1) << 48);
      EXPECT_EQ(cuMemFree(memory), CUDA_SUCCESS);
    }
  });
  EXPECT_EQ(cuCtxDestroy(context), CUDA_SUCCESS);
}

TEST_F(ExtremesTest, LaunchesAndOccupancy) {
  registerPackage();
  int blocks = -1;
  CUDA_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &plainStub, 32, 0));
  EXPECT_GE(blocks, 1);
  for (size_t size : extremes)
    if (size > bytes * 8) {
      CUDA_OK(
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &plainStub, 32, size));
      EXPECT_EQ(blocks, 0) << size;
      void *arguments[2] = {&device, &blocks};
      CUDA_FAILS(cudaErrorInvalidValue,
                 cudaLaunchKernel(&plainStub, {1}, {32}, arguments, size, nullptr));
    }
  constexpr unsigned most = ~0u;
  for (dim3 shape : {dim3{most, 1, 1}, dim3{most, most, most}, dim3{1 << 16, 1 << 16, 1}})
    CUDA_FAILS(cudaErrorInvalidConfiguration,
               cudaLaunchKernel(&plainStub, {1}, shape, nullptr, 0, nullptr));
  int list[] = {99};
  CUDA_FAILS(cudaErrorInvalidValue, cudaSetValidDevices(list, -1));
}
