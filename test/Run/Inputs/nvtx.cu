// Marks what it does by NVTX: ranges of threads and of the process, domains, names.
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvtx3.hpp>
#ifndef NVTX3_CPP_DEFINITIONS_V1_0
#error "libraries, as CUB, ask for this"
#endif

#include <cstdio>
#include <sys/syscall.h>
#include <unistd.h>

struct Library {
  static constexpr const char *name = "library";
};

__global__ void work(int *p) { p[threadIdx.x] += 1; }

static void phase(int *p) {
  NVTX3_FUNC_RANGE_IN(Library);
  work<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}

int main() {
  nvtxRangePushA("before the first CUDA call");
  nvtxRangePop();
  nvtxNameOsThreadA(static_cast<uint32_t>(syscall(SYS_gettid)), "the main one");
  int *p;
  cudaMallocManaged(&p, 32 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  nvtxNameCudaStreamA(stream, "side");
  const nvtxRangeId_t whole = nvtxRangeStartA("whole");
  const int depths[] = {nvtxRangePushA("outer"), nvtxRangePushW(L"\u00fcber"), nvtxRangePop(),
                        nvtxRangePop(), nvtxRangePop()};
  nvtxNameCategoryA(7, "reading");
  {
    nvtx3::scoped_range range{"step", nvtx3::payload{42}, nvtx3::category{7},
                              nvtx3::rgb{255, 0, 16}};
    phase(p);
  }
  work<<<1, 32, 0, stream>>>(p);
  cudaStreamSynchronize(stream);
  nvtx3::mark("here");
  nvtxRangeEnd(whole);
  std::printf("depths %d %d %d %d %d\n", depths[0], depths[1], depths[2], depths[3], depths[4]);
}
