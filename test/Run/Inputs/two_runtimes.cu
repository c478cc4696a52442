// A program whose library may have been built with another version of the runtime: kernels
// and memory of both, in turns.
#include <cstdio>
#include <dlfcn.h>

#ifdef LIBRARY
__global__ void change(int *p) { p[threadIdx.x] *= 3; }
extern "C" int run(int value) {
#else
__global__ void change(int *p) { p[threadIdx.x] += 1; }
static int runHere(int value) {
#endif
  constexpr int count = 4;
  int *p, values[count] = {value, value, value, value};
  if (cudaMalloc(&p, sizeof(values)) ||
      cudaMemcpy(p, values, sizeof(values), cudaMemcpyHostToDevice))
    return -1;
  change<<<1, count>>>(p);
  if (cudaMemcpy(values, p, sizeof(values), cudaMemcpyDeviceToHost))
    return -2;
  return values[count - 1];
}

#ifndef LIBRARY
int main(int, char **arguments) {
  const int first = runHere(1);
  void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return std::printf("%s\n", dlerror()), 1;
  auto run = reinterpret_cast<int (*)(int)>(dlsym(library, "run"));
  void *other = dlopen("libhetrt.so.1", RTLD_NOW | RTLD_NOLOAD);
  std::printf("%s: %d", other ? "two runtimes" : "one runtime", first);
  for (int i = 5; i < 8; ++i)
    std::printf(" %d %d", run(i), runHere(i));
  std::printf("\n");
}
#endif
