// Opens NVIDIA's libraries by their names, beside the runtime that the program is linked
// with. All of them must be one.
#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <string>

__global__ void fill(int *p) { p[threadIdx.x] = 40 + threadIdx.x; }

/// How many files of this name the process has loaded.
static size_t countLoaded(const char *name) {
  std::set<std::string> files;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (size_t at = line.find('/'); at != line.npos && line.find(name) != line.npos)
      files.insert(line.substr(at));
  return files.size();
}

int main() {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver)
    return std::printf("%s\n", dlerror()), 1;
  auto *init = reinterpret_cast<CUresult (*)(unsigned)>(dlsym(driver, "cuInit"));
  auto *find = reinterpret_cast<decltype(&cuGetProcAddress_v2)>(
      dlsym(driver, "cuGetProcAddress_v2"));
  void *found = nullptr;
  int error = init(0);
  error += find("cuMemcpyDtoH", &found, 12000, 0, nullptr);
  int *pointer;
  cudaMalloc(&pointer, 2 * sizeof(int));
  fill<<<1, 2>>>(pointer);
  cudaDeviceSynchronize();
  int values[2] = {};
  error += reinterpret_cast<decltype(&cuMemcpyDtoH)>(found)(
      values, reinterpret_cast<CUdeviceptr>(pointer), sizeof values);
  std::printf("driver %d: %d %d\n", error, values[0], values[1]);
  // First forms, which cuda.h has no way to.
  auto *popFirst = reinterpret_cast<CUresult (*)(CUcontext *)>(
      dlsym(driver, "cuCtxPopCurrent"));
  auto *pushFirst = reinterpret_cast<CUresult (*)(CUcontext)>(
      dlsym(driver, "cuCtxPushCurrent"));
  auto *findFirst = reinterpret_cast<CUresult (*)(const char *, void **, int, cuuint64_t)>(
      dlsym(driver, "cuGetProcAddress"));
  CUcontext context = nullptr;
  error = popFirst(&context) + pushFirst(context);
  error += findFirst("cuMemcpyDtoH", &found, 12000, 0);
  auto *allocFirst = reinterpret_cast<CUresult (*)(unsigned *, unsigned)>(
      dlsym(driver, "cuMemAlloc"));
  unsigned address = 0;
  std::printf("32-bit form: %d\n", allocFirst(&address, 4));
  std::printf("first forms %d: %s\n", error,
              dlsym(driver, "cuCtxDestroy") ? "there" : "missing");
  for (const char *name : {"libcudart.so.12", "libcudart.so.13"}) {
    void *runtime = dlopen(name, RTLD_NOW);
    if (!runtime)
      return std::printf("%s\n", dlerror()), 1;
    auto *get = reinterpret_cast<cudaError_t (*)(void *, int)>(dlsym(
        runtime,
        name[strlen(name) - 1] == '3' ? "cudaGetDeviceProperties" : "cudaGetDeviceProperties_v2"));
    auto *copy = reinterpret_cast<decltype(&cudaMemcpy)>(dlsym(runtime, "cudaMemcpy"));
    cudaDeviceProp own;
    cudaGetDeviceProperties(&own, 0);
    alignas(8) char theirs[sizeof own];
    int got[2] = {};
    error = get(theirs, 0) + copy(got, pointer, sizeof got, cudaMemcpyDeviceToHost);
    std::printf("%s %d: %d, %s name\n", name, error, got[1],
                std::strcmp(own.name, theirs) ? "another" : "the same");
  }
  std::printf("runtimes: %zu\n", countLoaded("/libhetrt.so"));
}
