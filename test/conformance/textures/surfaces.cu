// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Surfaces of one to three dimensions, layered ones and cubes: bytes of a row at a byte
// offset, the three modes beside it, and fetches of what was written before.
// CUDA C++ Programming Guide: Surface Functions.

#include "Inputs/textures.h"

using namespace textures;

struct Surface {
  cudaSurfaceObject_t object = 0;
  explicit Surface(cudaArray_t array) {
    const cudaResourceDesc resource = Texture::resourceOf(array);
    CUDA(cudaCreateSurfaceObject(&object, &resource));
  }
  ~Surface() { CUDA(cudaDestroySurfaceObject(object)); }
};

enum Kind { Line, Square, Body, Lines, Squares, Cube, Cubes };

template <class T>
__device__ void write(int kind, T value, cudaSurfaceObject_t s, int x, int y, int z) {
  const int at = x * (int)sizeof(T);
  switch (kind) {
  case Line: return surf1Dwrite(value, s, at);
  case Square: return surf2Dwrite(value, s, at, y);
  case Body: return surf3Dwrite(value, s, at, y, z);
  case Lines: return surf1DLayeredwrite(value, s, at, z);
  case Squares: return surf2DLayeredwrite(value, s, at, y, z);
  case Cube: return surfCubemapwrite(value, s, at, y, z);
  default: return surfCubemapLayeredwrite(value, s, at, y, z);
  }
}

template <class T>
__device__ T read(int kind, cudaSurfaceObject_t s, int x, int y, int z) {
  const int at = x * (int)sizeof(T);
  T value;
  switch (kind) {
  case Line: return surf1Dread<T>(s, at);
  case Square: surf2Dread(&value, s, at, y); return value;
  case Body: return surf3Dread<T>(s, at, y, z);
  case Lines: return surf1DLayeredread<T>(s, at, z);
  case Squares: return surf2DLayeredread<T>(s, at, y, z);
  case Cube: return surfCubemapread<T>(s, at, y, z);
  default: surfCubemapLayeredread(&value, s, at, y, z); return value;
  }
}

__device__ int numberOf(int x, int y, int z) { return 1 + x + 10 * y + 100 * z; }

template <class T> __device__ T valueOf(int number) {
  T value;
  for (unsigned i = 0; i < sizeof(T); ++i)
    ((unsigned char *)&value)[i] = (unsigned char)(number * 7 + i);
  return value;
}

template <class T> __global__ void fill(int kind, cudaSurfaceObject_t s) {
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  write(kind, valueOf<T>(numberOf(x, y, z)), s, x, y, z);
}

template <class T> __global__ void compare(int kind, cudaSurfaceObject_t s, int *wrong) {
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  const T found = read<T>(kind, s, x, y, z), wanted = valueOf<T>(numberOf(x, y, z));
  for (unsigned i = 0; i < sizeof(T); ++i)
    if (((unsigned char *)&found)[i] != ((unsigned char *)&wanted)[i])
      atomicAdd(wrong, 1);
}

template <class T>
static void test(Kind kind, const cudaChannelFormatDesc &format, cudaExtent extent,
                 unsigned flags = 0) {
  const unsigned rows = std::max((unsigned)extent.height, 1u);
  const unsigned planes = std::max((unsigned)extent.depth, 1u);
  cudaArray_t array;
  check::Array<int> wrong(1);
  CUDA(cudaMalloc3DArray(&array, &format, extent, flags | cudaArraySurfaceLoadStore));
  {
    const Surface surface(array);
    const dim3 block((unsigned)extent.width, rows, planes);
    fill<T><<<1, block>>>(kind, surface.object);
    compare<T><<<1, block>>>(kind, surface.object, wrong);
    CHECK_EQ(wrong.get()[0], 0);
  }
  // The array has it where copies look for it.
  std::vector<T> first(extent.width);
  CUDA(cudaMemcpy2DFromArray(first.data(), extent.width * sizeof(T), array, 0, 0,
                             extent.width * sizeof(T), 1, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < extent.width; ++i)
    CHECK_AT((long long)i, ((unsigned char *)&first[i])[0],
             (unsigned char)(7 * (1 + i)));
  CUDA(cudaFreeArray(array));
}

__global__ void beside(cudaSurfaceObject_t s, int *out) {
  out[0] = surf2Dread<int>(s, -4, 0, cudaBoundaryModeZero);
  out[1] = surf2Dread<int>(s, 16, 1, cudaBoundaryModeZero);
  out[2] = surf2Dread<int>(s, -400, 1, cudaBoundaryModeClamp);
  out[3] = surf2Dread<int>(s, 16, 0, cudaBoundaryModeClamp);
  out[4] = surf2Dread<int>(s, 4, 99, cudaBoundaryModeClamp);
  surf2Dwrite(77, s, 16, 0, cudaBoundaryModeZero);
  surf2Dwrite(78, s, 100, 3, cudaBoundaryModeClamp);
}

static void testModes() {
  std::vector<int> data = {1, 2, 3, 4, 5, 6, 7, 8};
  cudaArray_t array = makeArray(data, cudaCreateChannelDesc<int>(), {4, 2, 0},
                                cudaArraySurfaceLoadStore);
  check::Array<int> out(5);
  const Surface surface(array);
  beside<<<1, 1>>>(surface.object, out);
  out.get();
  const int wanted[] = {0, 0, 5, 4, 6};
  for (size_t i = 0; i < 5; ++i)
    CHECK_AT((long long)i, out.host[i], wanted[i]);
  CUDA(cudaMemcpy2DFromArray(data.data(), 16, array, 0, 0, 16, 2,
                             cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; ++i)
    CHECK_AT(i, data[(size_t)i], i == 7 ? 78 : i + 1);
  CUDA(cudaFreeArray(array));
}

int main() {
  test<unsigned char>(Line, cudaCreateChannelDesc<unsigned char>(), {9, 0, 0});
  test<short2>(Square, cudaCreateChannelDesc<short2>(), {7, 5, 0});
  test<float4>(Body, cudaCreateChannelDesc<float4>(), {3, 4, 5});
  test<float>(Lines, cudaCreateChannelDesc<float>(), {6, 0, 4}, cudaArrayLayered);
  test<uchar4>(Squares, cudaCreateChannelDesc<uchar4>(), {4, 3, 5}, cudaArrayLayered);
  test<int2>(Cube, cudaCreateChannelDesc<int2>(), {4, 4, 6}, cudaArrayCubemap);
  test<unsigned short>(Cubes, cudaCreateChannelDesc<unsigned short>(), {4, 4, 12},
                       cudaArrayCubemap | cudaArrayLayered);
  test<long long>(Square, cudaCreateChannelDesc<int2>(), {5, 5, 0});
  testModes();
  return check::finish("textures/surfaces");
}
