// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Textures over plain memory: by element number, zero beside it; and over rows with a
// pitch, with filters. What kernels wrote before is what the next kernel fetches.
// CUDA Runtime API: cudaResourceTypeLinear, cudaResourceTypePitch2D.

#include "Inputs/textures.h"

using namespace textures;

template <class T> __global__ void fetch(cudaTextureObject_t texture, T *out, int from) {
  out[threadIdx.x] = tex1Dfetch<T>(texture, (int)threadIdx.x + from);
}

template <class T> __global__ void add(T *data, T by) { data[threadIdx.x] += by; }

__global__ void sample2D(cudaTextureObject_t texture, const float *x, float *out) {
  const int i = threadIdx.x;
  out[i] = tex2D<float>(texture, x[2 * i], x[2 * i + 1]);
}

template <class T>
static cudaResourceDesc linear(T *data, size_t count) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = data;
  resource.res.linear.desc = cudaCreateChannelDesc<T>();
  resource.res.linear.sizeInBytes = count * sizeof(T);
  return resource;
}

template <class T> static void testElements(T by) {
  const int count = 40, beside = 5;
  std::vector<T> data(count);
  for (int i = 0; i < count; ++i)
    data[(size_t)i] = (T)(3 * i + 1);
  check::Array<T> memory(data), out(count + 2 * beside);
  cudaTextureDesc how = description(cudaAddressModeClamp, cudaFilterModePoint, false);
  const Texture texture(linear((T *)memory, count), how);
  for (int round = 0; round < 2; ++round) {
    fetch<<<1, count + 2 * beside>>>(texture, (T *)out, -beside);
    out.get();
    for (int i = -beside; i < count + beside; ++i)
      CHECK_AT(i, out.host[(size_t)(i + beside)],
               i < 0 || i >= count ? (T)0 : (T)(data[(size_t)i] + (T)round * by));
    add<<<1, count>>>((T *)memory, by);
  }
}

// What is said to be longer than its memory ends with it.
static void testLonger() {
  const int count = 64, far = 1 << 20;
  std::vector<float> data(count, 2);
  check::Array<float> memory(data), out(count);
  cudaTextureDesc how = description(cudaAddressModeClamp, cudaFilterModePoint, false);
  const Texture texture(linear((float *)memory, far + count), how);
  for (int first : {0, far}) {
    fetch<<<1, count>>>(texture, (float *)out, first);
    out.get();
    for (int i = 0; i < count; ++i)
      CHECK_AT(i, out.host[(size_t)i], first ? 0.0f : 2.0f);
  }
}

// Two words of one fetch make a double.
__global__ void doubles(cudaTextureObject_t texture, double *out) {
  const int2 word = tex1Dfetch<int2>(texture, threadIdx.x);
  out[threadIdx.x] = __hiloint2double(word.y, word.x);
}

static void testDoubles() {
  std::vector<double> data = {1.5, -0.0, 1e300, 5e-324, 3.25};
  check::Array<double> memory(data), out(data.size());
  cudaTextureDesc how = description(cudaAddressModeClamp, cudaFilterModePoint, false);
  const Texture texture(linear((int2 *)(double *)memory, data.size()), how);
  doubles<<<1, (unsigned)data.size()>>>(texture, out);
  out.get();
  for (size_t i = 0; i < data.size(); ++i)
    CHECK_AT((long long)i, out.host[i], data[i]);
}

static void testPitched() {
  const int count = 64;
  Image image(19, 6, 1);
  image.fill(3);
  float *memory;
  size_t pitch;
  CUDA(cudaMallocPitch(&memory, &pitch, 19 * sizeof(float), 6));
  CUDA(cudaMemcpy2D(memory, pitch, image.values.data(), 19 * sizeof(float),
                    19 * sizeof(float), 6, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = 19;
  resource.res.pitch2D.height = 6;
  resource.res.pitch2D.pitchInBytes = pitch;
  unsigned seed = 9;
  for (cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
    const cudaTextureDesc how = description(cudaAddressModeClamp, filter, false);
    check::Array<float> x(2 * count), out(count);
    for (int i = 0; i < 2 * count; ++i)
      x.host[(size_t)i] = coordinate(seed, i % 2 ? 6.0f : 19.0f);
    x.put();
    const Texture texture(resource, how);
    sample2D<<<1, count>>>(texture, x, out);
    out.get();
    for (int i = 0; i < count; ++i)
      CHECK_AT(i, out.host[(size_t)i],
               sample(image, how, 2, &x.host[2 * (size_t)i], 0, 0));
  }
  CUDA(cudaFree(memory));
}

int main() {
  testElements<int>(100);
  testElements<float>(0.5f);
  testElements<unsigned char>(7);
  testElements<short>(-1000);
  testLonger();
  testDoubles();
  testPitched();
  return check::finish("textures/linear_memory");
}
