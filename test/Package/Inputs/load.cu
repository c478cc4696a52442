// Loads packages by their paths, or from memory (data:PATH), and launches a kernel of each;
// says how that ended. What one file does must not be felt by the next.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <fstream>
#include <iterator>
#include <string>

static const char *nameOf(CUresult result) {
  const char *name = nullptr;
  cuGetErrorName(result, &name);
  return name ? name : "?";
}

int main(int argc, char **argv) {
  cuInit(0);
  CUcontext context;
  cuCtxCreate(&context, 0, 0);
  for (int i = 2; i < argc; ++i) {
    CUmodule module;
    CUfunction kernel;
    CUresult result;
    if (std::strncmp(argv[i], "data:", 5) == 0) {
      std::ifstream file(argv[i] + 5, std::ios::binary);
      const std::string bytes(std::istreambuf_iterator<char>(file), {});
      result = cuModuleLoadData(&module, bytes.c_str());
    } else {
      result = cuModuleLoad(&module, argv[i]);
    }
    if (result != CUDA_SUCCESS) {
      std::printf("load %s\n", nameOf(result));
      continue;
    }
    result = cuModuleGetFunction(&kernel, module, argv[1]);
    if (result == CUDA_SUCCESS)
      result = cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
    if (result == CUDA_SUCCESS)
      result = cuCtxSynchronize();
    std::printf("launch %s\n", nameOf(result));
    cuModuleUnload(module);
  }
}
