#define CUDA_API_PER_THREAD_DEFAULT_STREAM 1
#include <cuda.h>
#include <cuda_runtime.h>

int main() {
  return cudaMemset(0, 0, 0) || cudaStreamSynchronize(0) || cuStreamSynchronize(0);
}
