// load FILE...: loads modules by the driver API and launches a kernel of two.cu.
#include <cuda.h>

#include <cstdio>
#include <fstream>
#include <sstream>

static void load(const char *path) {
  CUmodule module;
  const int file = cuModuleLoad(&module, path);
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  const int memory = cuModuleLoadData(&module, text.str().c_str());
  std::printf("%s: file %d, memory %d", path, file, memory);
  if (memory)
    return (void)std::puts("");
  CUfunction function;
  cuModuleGetFunction(&function, module, "second");
  float values[32];
  for (int i = 0; i < 32; ++i)
    values[i] = i;
  CUdeviceptr pointer;
  cuMemAlloc(&pointer, sizeof values);
  cuMemcpyHtoD(pointer, values, sizeof values);
  int n = 1;
  void *arguments[] = {&pointer, &n};
  const int launch =
      cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
  cuMemcpyDtoH(values, pointer, sizeof values);
  std::printf(", launch %d, %g\n", launch, values[0]);
}

int main(int argc, char **argv) {
  CUdevice device;
  CUcontext context;
  if (cuInit(0) || cuDeviceGet(&device, 0) || cuCtxCreate(&context, 0, device))
    return 1;
  for (int i = 1; i < argc; ++i)
    load(argv[i]);
}
