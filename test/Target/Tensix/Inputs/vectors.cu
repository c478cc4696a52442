// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels for the vector unit, of integers and of floats: usual ones, whose sums the unit
// makes itself, and all kinds, among them subnormals, infinities and NaNs.
//
// vectors KERNEL [THREADS [usual]] prints the bits of what it writes; a NaN is a NaN.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using Word = unsigned;

template <class T> __global__ void add(const T *a, const T *b, T *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

template <class T> __global__ void scale(T by, const T *x, T *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = by * x[i] + y[i];
}

template <class T> __global__ void polynomial(const T *x, T *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T v = x[i], r;
  if (v < 0)
    r = v * v * 5 - v;
  else if (v > 1)
    r = 7 + v * v * v;
  else
    r = v * (v * 3 - 2);
  y[i] = r;
}

template <class T> __global__ void stencil(const T *x, T *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    y[i] = x[i - 1] - 2 * x[i] + x[i + 1];
}

template <class T> __global__ void multiply(const T *a, const T *b, T *c, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  T sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

/// Every second word, threads' places as data, and what only some of them take.
__global__ void mixed(const Word *x, Word *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2)
    return;
  Word v = x[2 * i] ^ (Word)i;
  float f = (float)(int)v;
  for (int k = 0; k < n % 7; ++k)
    v = v > 0x80000000u ? (v >> 3) + k : (v << 1) ^ min(v, 77u);
  y[2 * i + 1] = v + __float_as_uint(f);
}

/// The thread's own place as data, where the way to the first store may not be taken.
__global__ void places(Word *x, Word *y, int n, bool both) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (both)
    x[i] = threadIdx.x;
  y[i] = threadIdx.x;
}

struct __attribute__((packed)) Packed {
  Word word;
};

/// Words that lie anywhere.
__global__ void packed(const Packed *x, Packed *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i].word = x[i].word + 3;
}

static Word state = 12345;
static Word chance() {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

static Word anyFloat(bool isUsual) {
  const Word special[] = {0,          0x80000000, 1,          0x807FFFFF, 0x800000,
                          0x7F800000, 0xFF800000, 0x7FC00000, 0x7F7FFFFF, 0xBF800000};
  if (!isUsual && chance() % 4 == 0)
    return special[chance() % 10];
  Word exponent = !isUsual && chance() % 4 == 0 ? chance() % 3 : 120 + chance() % 12;
  return (chance() & 0x807FFFFF) | exponent << 23;
}

template <class T> static void launch(const std::string &name, Word **in, int n) {
  T *a = (T *)in[0], *b = (T *)in[1], *c = (T *)in[2];
  dim3 blocks((n + 255) / 256), tile(64, 4), tiles(n / 64, n / 4);
  if (name == "add")
    add<T><<<blocks, 256>>>(a, b, c, n);
  else if (name == "scale")
    scale<T><<<blocks, 256>>>((T)-17.7f, a, b, n);
  else if (name == "polynomial")
    polynomial<T><<<blocks, 256>>>(a, c, n);
  else if (name == "stencil")
    stencil<T><<<blocks, 256>>>(a, c, n);
  else if (name == "multiply")
    multiply<T><<<tiles, tile>>>(a, b, c, n);
  else if (name == "places")
    places<<<blocks, 256>>>(in[1], in[2], n, n % 2);
  else if (name == "packed")
    packed<<<blocks, 256>>>((Packed *)((char *)in[0] + 1), (Packed *)((char *)in[2] + 2), n);
  else
    mixed<<<blocks, 256>>>(in[0], in[2], n);
}

int main(int argc, char **argv) {
  std::string name = argv[1];
  int n = argc > 2 ? atoi(argv[2]) : 700;
  bool isUsual = argc > 3, isInt = name.back() == 'i';
  if (isInt)
    name.pop_back();
  // Words that lie at no multiple of 16 bytes, and are written around.
  const int words = (name == "multiply" ? n * n : n) + 70, offset = name == "add" ? 3 : 0;
  std::vector<Word> host(words);
  Word *in[3], *from[3];
  for (int i = 0; i < 3; ++i) {
    for (Word &word : host)
      word = anyFloat(isUsual);
    cudaMalloc(&in[i], words * sizeof(Word));
    cudaMemcpy(in[i], host.data(), words * sizeof(Word), cudaMemcpyHostToDevice);
    from[i] = in[i] + offset;
  }
  isInt ? launch<int>(name, from, n) : launch<float>(name, from, n);
  cudaError_t error = cudaDeviceSynchronize();
  for (int i = 1; i < 3; ++i) {
    cudaMemcpy(host.data(), in[i], words * sizeof(Word), cudaMemcpyDeviceToHost);
    for (Word word : host)
      printf("%08x\n", !isInt && (word & 0x7FFFFFFF) > 0x7F800000 ? 0x7FC00000 : word);
  }
  printf("%s: %s\n", argv[1], cudaGetErrorString(error));
}
