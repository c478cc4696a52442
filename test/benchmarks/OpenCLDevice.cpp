// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The OpenCL side: Kernels.cl on the first CPU device of PoCL.

#include "Workload.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace het::benchmark {
namespace {

void check(cl_int status, const char *what) {
  if (status == CL_SUCCESS)
    return;
  std::fprintf(stderr, "%s: OpenCL error %d\n", what, status);
  std::exit(1);
}

cl_device_id findDevice() {
  std::array<cl_platform_id, 16> platforms;
  cl_uint count = 0;
  check(clGetPlatformIDs(platforms.size(), platforms.data(), &count), "clGetPlatformIDs");
  for (cl_uint i = 0; i < count && i < platforms.size(); ++i) {
    char name[256] = "";
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, nullptr);
    cl_device_id device;
    if (std::strstr(name, "Portable Computing Language") &&
        clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, nullptr) ==
            CL_SUCCESS)
      return device;
  }
  std::fprintf(stderr, "there is no PoCL CPU device\n");
  std::exit(1);
}

class OpenCLDevice : public Device {
public:
  OpenCLDevice() {
    cl_device_id device = findDevice();
    cl_int status;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    for (cl_mem &buffer : buffers) {
      buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bufferBytes, nullptr, &status);
      check(status, "clCreateBuffer");
    }
    createKernels(device);
  }

  ~OpenCLDevice() override {
    for (cl_kernel kernel : kernels)
      clReleaseKernel(kernel);
    for (cl_mem buffer : buffers)
      clReleaseMemObject(buffer);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
  }

  void write(const void *first, const void *second) override {
    const void *from[] = {first, second};
    for (int i = 0; i < 2; ++i)
      check(clEnqueueWriteBuffer(queue, buffers[i], CL_TRUE, 0, bufferBytes, from[i], 0,
                                 nullptr, nullptr),
            "clEnqueueWriteBuffer");
  }

  void clearOutput() override {
    cl_uint zero = 0;
    check(clEnqueueFillBuffer(queue, buffers[2], &zero, sizeof zero, 0, bufferBytes, 0,
                              nullptr, nullptr),
          "clEnqueueFillBuffer");
    synchronize();
  }

  void launch(Kernel kernel) override {
    Shape shape = shapeOf(kernel);
    size_t local[] = {shape.block[0], shape.block[1]};
    size_t global[] = {shape.grid[0] * local[0], shape.grid[1] * local[1]};
    check(clEnqueueNDRangeKernel(queue, kernels[int(kernel)], 2, nullptr, global, local,
                                 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clFlush(queue), "clFlush");
  }

  void synchronize() override { check(clFinish(queue), "clFinish"); }

  void readOutput(void *to) override {
    check(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, bufferBytes, to, 0, nullptr,
                              nullptr),
          "clEnqueueReadBuffer");
  }

private:
  void createKernels(cl_device_id device) {
    std::ifstream file(HET_BENCHMARK_SOURCES "/Kernels.cl");
    std::stringstream text;
    text << file.rdbuf();
    std::string source = text.str();
    const char *begin = source.c_str();
    cl_int status;
    program = clCreateProgramWithSource(context, 1, &begin, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "-I " HET_BENCHMARK_SOURCES, nullptr,
                         nullptr),
          "clBuildProgram");
    // In the order of the enumeration Kernel.
    for (const char *name :
         {"vectorAdd", "matmul", "stencil", "reduce", "nBody", "histogram", "empty"}) {
      kernels.push_back(clCreateKernel(program, name, &status));
      check(status, name);
      for (int i = 0; i < 3; ++i)
        check(clSetKernelArg(kernels.back(), i, sizeof(cl_mem), &buffers[i]),
              "clSetKernelArg");
    }
  }

  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_mem buffers[3];
  std::vector<cl_kernel> kernels;
};

} // namespace

std::unique_ptr<Device> openOpenCLDevice() { return std::make_unique<OpenCLDevice>(); }

} // namespace het::benchmark
