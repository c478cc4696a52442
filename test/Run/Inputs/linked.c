// A program that is linked with NVIDIA's library by its name and version.
#include <stddef.h>
#include <stdio.h>

int cudaGetDeviceCount(int *count);
int cudaMemAdvise(const void *pointer, size_t size, int advice, int type, int id);

int main(void) {
  int count = 0;
  const int error = cudaGetDeviceCount(&count);
  printf("%d: %d device\n", error, count);
  return 0;
}
