// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both sides of the comparison run: the kernels, their sizes, and the
// interface that hides CUDA and OpenCL from the measuring code. Device code of
// both languages includes it too, for the sizes.

#ifndef HET_TEST_BENCHMARKS_WORKLOAD_H
#define HET_TEST_BENCHMARKS_WORKLOAD_H

#define VECTOR_SIZE (1 << 20)    // numbers added
#define MATRIX_SIZE 512          // rows and columns
#define IMAGE_SIZE 1024          // rows and columns
#define REDUCE_SIZE (1 << 22)    // numbers summed
#define BODY_COUNT 4096          // bodies, of four floats each
#define HISTOGRAM_SIZE (1 << 22) // values sorted into bins
#define BIN_COUNT 256
#define TILE 16          // matmul and stencil: blocks of TILE x TILE
#define BLOCK_SIZE 256   // all others
#define CHUNK_BLOCKS 256 // reduction and histogram: blocks in the grid

#ifndef __OPENCL_VERSION__
#include <cstddef>
#include <memory>

namespace het::benchmark {

enum class Kernel { VectorAdd, Matmul, Stencil, Reduce, NBody, Histogram, Empty };

/// The grid and block of a kernel; each has at least one of all dimensions.
struct Shape {
  unsigned grid[2], block[2];
};

inline Shape shapeOf(Kernel kernel) {
  const unsigned matrix = MATRIX_SIZE / TILE, image = IMAGE_SIZE / TILE;
  switch (kernel) {
  case Kernel::VectorAdd:
    return {{VECTOR_SIZE / BLOCK_SIZE, 1}, {BLOCK_SIZE, 1}};
  case Kernel::Matmul:
    return {{matrix, matrix}, {TILE, TILE}};
  case Kernel::Stencil:
    return {{image, image}, {TILE, TILE}};
  case Kernel::Reduce:
  case Kernel::Histogram:
    return {{CHUNK_BLOCKS, 1}, {BLOCK_SIZE, 1}};
  case Kernel::NBody:
    return {{BODY_COUNT / BLOCK_SIZE, 1}, {BLOCK_SIZE, 1}};
  case Kernel::Empty:
    break;
  }
  return {{1, 1}, {1, 1}};
}

constexpr size_t bufferBytes = sizeof(float) << 22;

/// Two input buffers and one output of bufferBytes each, on a device.
class Device {
public:
  virtual ~Device() = default;
  virtual void write(const void *first, const void *second) = 0;
  virtual void clearOutput() = 0;
  virtual void launch(Kernel kernel) = 0;
  virtual void synchronize() = 0;
  virtual void readOutput(void *output) = 0;
};

/// Each ends the program with a message when its device does not work.
std::unique_ptr<Device> openCudaDevice();
std::unique_ptr<Device> openOpenCLDevice();

} // namespace het::benchmark
#endif

#endif
