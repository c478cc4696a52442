// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Mandelbrot set as a picture: a loop whose length differs from thread to
// thread. Writes a PPM file, which most picture viewers open.
//
//   hetcc mandelbrot.cu -o mandelbrot && ./mandelbrot mandelbrot.ppm

#include <cstdio>
#include <vector>

constexpr int width = 640, height = 480, limit = 256;

__device__ int iterations(float x, float y) {
  float real = 0, imaginary = 0;
  int count = 0;
  while (count < limit && real * real + imaginary * imaginary < 4) {
    float next = real * real - imaginary * imaginary + x;
    imaginary = 2 * real * imaginary + y;
    real = next;
    ++count;
  }
  return count;
}

__device__ uchar3 color(int count) {
  if (count == limit)
    return make_uchar3(0, 0, 0);
  return make_uchar3(count * 8 % 256, count * 5 % 256, 128 + count % 128);
}

__global__ void mandelbrot(uchar3 *picture) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height)
    return;
  float x = -2.5f + 3.5f * column / width;
  float y = -1.3125f + 2.625f * row / height;
  picture[row * width + column] = color(iterations(x, y));
}

int main(int argc, char **argv) {
  const char *file = argc > 1 ? argv[1] : "mandelbrot.ppm";
  std::vector<uchar3> picture(width * height);
  const size_t size = picture.size() * sizeof(uchar3);
  uchar3 *device;
  cudaMalloc(&device, size);
  dim3 threads(16, 16);
  dim3 blocks((width + 15) / 16, (height + 15) / 16);
  mandelbrot<<<blocks, threads>>>(device);
  cudaError_t error =
      cudaMemcpy(picture.data(), device, size, cudaMemcpyDeviceToHost);
  cudaFree(device);
  if (error != cudaSuccess) {
    std::fprintf(stderr, "mandelbrot: %s\n", cudaGetErrorString(error));
    return 1;
  }

  std::FILE *out = std::fopen(file, "wb");
  if (!out) {
    std::perror(file);
    return 1;
  }
  std::fprintf(out, "P6\n%d %d\n255\n", width, height);
  std::fwrite(picture.data(), sizeof(uchar3), picture.size(), out);
  if (std::fclose(out) != 0) {
    std::perror(file);
    return 1;
  }
  std::printf("wrote %s, %dx%d\n", file, width, height);
}
