// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -O2 -lcufft
//
// cuFFT's plans: numbers, settings, memory for work, streams, graphs that hold calls, and
// statuses of calls that are wrong.

#include "Inputs/fft.h"

using namespace fft;

static void checkNumbers() {
  Plan first;
  FFT(cufftPlan1d(&first.handle, 8, CUFFT_C2C, 1));
  cufftHandle second = first;
  FFT(cufftCreate(&second));
  CHECK_TRUE(second != first.handle);
  size_t work = 0;
  check::Array<cufftComplex> array(8);
  FFT_ERROR(cufftExecC2C(second, array, array, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
  FFT(cufftMakePlan1d(second, 8, CUFFT_C2C, 1, &work));
  FFT_ERROR(cufftMakePlan1d(second, 8, CUFFT_C2C, 1, &work), CUFFT_INVALID_PLAN);
  FFT(cufftDestroy(second));
  FFT_ERROR(cufftDestroy(second), CUFFT_INVALID_PLAN);
  FFT_ERROR(cufftExecC2C(second, array, array, CUFFT_FORWARD), CUFFT_INVALID_PLAN);
  FFT_ERROR(cufftSetStream(second, nullptr), CUFFT_INVALID_PLAN);
  FFT_ERROR(cufftGetSize(second, &work), CUFFT_INVALID_PLAN);
  FFT_ERROR(cufftGetSize2d(second, 4, 4, CUFFT_C2C, &work), CUFFT_INVALID_PLAN);
  FFT_ERROR(cufftDestroy(-1), CUFFT_INVALID_PLAN);
  FFT_ERROR(cufftCreate(nullptr), CUFFT_INVALID_VALUE);
  int version = 0, major = 0;
  FFT(cufftGetVersion(&version));
  CHECK_EQ(version, CUFFT_VERSION);
  FFT(cufftGetProperty(MAJOR_VERSION, &major));
  CHECK_EQ(major, CUFFT_VER_MAJOR);
}

static void checkErrors() {
  cufftHandle plan = 12345;
  int n[] = {4, 4}, embed[] = {4, 4};
  FFT_ERROR(cufftPlan1d(&plan, 0, CUFFT_C2C, 1), CUFFT_INVALID_SIZE);
  FFT_ERROR(cufftPlan1d(&plan, 8, CUFFT_C2C, 0), CUFFT_INVALID_SIZE);
  FFT_ERROR(cufftPlan2d(&plan, 8, -1, CUFFT_C2C), CUFFT_INVALID_SIZE);
  FFT_ERROR(cufftPlan3d(&plan, 8, 8, 8, cufftType(1)), CUFFT_INVALID_VALUE);
  FFT_ERROR(cufftPlan1d(nullptr, 8, CUFFT_C2C, 1), CUFFT_INVALID_VALUE);
  FFT_ERROR(cufftPlanMany(&plan, 4, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1),
            CUFFT_INVALID_VALUE);
  FFT_ERROR(cufftPlanMany(&plan, 2, nullptr, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1),
            CUFFT_INVALID_VALUE);
  FFT_ERROR(cufftPlanMany(&plan, 2, n, embed, 0, 16, embed, 1, 16, CUFFT_C2C, 2),
            CUFFT_INVALID_VALUE);
  CHECK_EQ(plan, 12345);
  size_t work = 0;
  FFT_ERROR(cufftEstimate1d(-3, CUFFT_R2C, 1, &work), CUFFT_INVALID_SIZE);
  Plan real, unmade;
  FFT(cufftPlan1d(&real.handle, 8, CUFFT_R2C, 1));
  check::Array<cufftComplex> array(8);
  float *reals = reinterpret_cast<float *>(static_cast<cufftComplex *>(array));
  FFT_ERROR(cufftExecC2C(real, array, array, CUFFT_FORWARD), CUFFT_INVALID_VALUE);
  FFT_ERROR(cufftExecC2R(real, array, reals), CUFFT_INVALID_VALUE);
  FFT_ERROR(cufftExecR2C(real, nullptr, array), CUFFT_INVALID_VALUE);
  FFT(cufftExecR2C(real, reals, array));
  FFT(cufftCreate(&unmade.handle));
  long long huge[] = {1ll << 40};
  FFT_ERROR(cufftMakePlanMany64(unmade, 1, huge, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C,
                                1, &work),
            CUFFT_INVALID_SIZE);
  FFT_ERROR(cufftMakePlan1d(unmade, 8, CUFFT_C2C, 1, nullptr), CUFFT_INVALID_VALUE);
}

/// Memory for work is the library's, or the program's; asked for in every way it is the
/// same.
static void checkWork() {
  const int size = isSlow() ? 4096 : 1 << 17;
  const Numbers x = numbers(size, 3);
  int n[] = {size};
  size_t made = 0, sizes[4] = {};
  Plan own, given;
  FFT(cufftPlan1d(&own.handle, size, CUFFT_Z2Z, 1));
  FFT(cufftCreate(&given.handle));
  FFT(cufftSetAutoAllocation(given, 0));
  FFT(cufftMakePlan1d(given, size, CUFFT_Z2Z, 1, &made));
  FFT(cufftEstimate1d(size, CUFFT_Z2Z, 1, &sizes[0]));
  FFT(cufftGetSize1d(given, size, CUFFT_Z2Z, 1, &sizes[1]));
  FFT(cufftGetSize(own, &sizes[2]));
  FFT(cufftEstimateMany(1, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_Z2Z, 1, &sizes[3]));
  CHECK_TRUE(made > 0);
  for (size_t other : sizes)
    CHECK_EQ(other, made);
  std::vector<cufftDoubleComplex> values(size);
  for (int i = 0; i < size; ++i)
    put(values[i], x[i]);
  check::Array<cufftDoubleComplex> in(values), out(size), again(size);
  FFT_ERROR(cufftExecZ2Z(given, in, out, CUFFT_FORWARD), CUFFT_NO_WORKSPACE);
  check::Array<char> work(made);
  FFT(cufftSetWorkArea(given, static_cast<char *>(work)));
  FFT(cufftExecZ2Z(given, in, out, CUFFT_FORWARD));
  FFT(cufftExecZ2Z(own, in, again, CUFFT_FORWARD));
  again.get();
  out.get();
  for (int i = 0; i < size; ++i)
    CHECK_AT(i, out.host[i], again.host[i]);
  size_t less = made - 1;
  FFT_ERROR(cufftXtSetWorkAreaPolicy(own, CUFFT_WORKAREA_USER, &less),
            CUFFT_INVALID_SIZE);
  FFT(cufftXtSetWorkAreaPolicy(own, CUFFT_WORKAREA_MINIMAL, &less));
  CHECK_EQ(less, made);
}

static void checkProperties() {
  Plan plan;
  long long value = 0;
  FFT(cufftCreate(&plan.handle));
  FFT(cufftSetPlanPropertyInt64(plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 1));
  FFT(cufftGetPlanPropertyInt64(plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, &value));
  CHECK_EQ(value, 1ll);
  FFT(cufftResetPlanProperty(plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT));
  FFT(cufftGetPlanPropertyInt64(plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, &value));
  CHECK_EQ(value, 0ll);
  FFT_ERROR(cufftSetPlanPropertyInt64(plan, cufftProperty(99), 1), CUFFT_NOT_SUPPORTED);
}

/// All functions that make a plan of two or three dimensions make the same.
static void checkWays() {
  int n[] = {6, 10, 9};
  long long n64[] = {6, 10, 9};
  const int rank[] = {2, 3, 3, 2, 3};
  size_t made[5] = {}, said[6] = {};
  Plan plans[5];
  for (Plan &plan : plans)
    FFT(cufftCreate(&plan.handle));
  FFT(cufftMakePlan2d(plans[0], 6, 10, CUFFT_D2Z, &made[0]));
  FFT(cufftMakePlan3d(plans[1], 6, 10, 9, CUFFT_D2Z, &made[1]));
  FFT(cufftMakePlanMany(plans[2], 3, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_D2Z, 1,
                        &made[2]));
  FFT(cufftMakePlanMany(plans[3], 2, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_D2Z, 1,
                        &made[3]));
  FFT(cufftMakePlanMany64(plans[4], 3, n64, nullptr, 1, 0, nullptr, 1, 0, CUFFT_D2Z, 1,
                          &made[4]));
  FFT(cufftEstimate2d(6, 10, CUFFT_D2Z, &said[0]));
  FFT(cufftGetSizeMany(plans[0], 2, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_D2Z, 1,
                       &said[1]));
  FFT(cufftGetSize2d(plans[0], 6, 10, CUFFT_D2Z, &said[2]));
  FFT(cufftEstimate3d(6, 10, 9, CUFFT_D2Z, &said[3]));
  FFT(cufftGetSize3d(plans[1], 6, 10, 9, CUFFT_D2Z, &said[4]));
  FFT(cufftGetSizeMany64(plans[1], 3, n64, nullptr, 1, 0, nullptr, 1, 0, CUFFT_D2Z, 1,
                         &said[5]));
  for (int i = 0; i < 6; ++i)
    CHECK_AT(i, said[i], made[i / 3]);
  for (int i = 0; i < 5; ++i) {
    CHECK_AT(i, made[i], made[rank[i] - 2]);
    const Sizes sizes(n, n + rank[i]);
    const Numbers x = numbers(product(sizes), 4, true);
    const Numbers all = transform(x, sizes, CUFFT_FORWARD);
    check::Array<double> in(x.size());
    for (size_t j = 0; j < x.size(); ++j)
      put(in.host[j], x[j]);
    in.put();
    const size_t last = sizes.back(), half = last / 2 + 1;
    check::Array<cufftDoubleComplex> out(x.size() / last * half);
    void *work[] = {nullptr};
    CUDA(cudaMalloc(&work[0], made[i] + 1));
    FFT(cufftXtSetWorkArea(plans[i], work));
    FFT(cufftExecD2Z(plans[i], in, out));
    Numbers found, expected;
    for (const cufftDoubleComplex &value : out.get())
      found.push_back(plain(value));
    for (size_t j = 0; j < found.size(); ++j)
      expected.push_back(all[j / half * last + j % half]);
    NEAR(found, expected, epsilon<double>, static_cast<double>(x.size()));
    CUDA(cudaFree(work[0]));
  }
}

/// What one device and kernels of the library's own cannot do says so.
static void checkRefused() {
  Plan plan;
  int devices[] = {0, 1};
  cudaLibXtDesc *memory = nullptr;
  void *routine = nullptr;
  FFT(cufftCreate(&plan.handle));
  FFT_ERROR(cufftXtSetGPUs(plan, 2, devices), CUFFT_NOT_IMPLEMENTED);
  FFT_ERROR(cufftXtMalloc(plan, &memory, CUFFT_XT_FORMAT_INPUT), CUFFT_NOT_IMPLEMENTED);
  FFT_ERROR(cufftXtSetCallback(plan, &routine, CUFFT_CB_LD_COMPLEX, nullptr),
            CUFFT_NOT_IMPLEMENTED);
  FFT_ERROR(cufftXtSetJITCallback(plan, "load", &routine, 1, CUFFT_CB_LD_REAL, nullptr),
            CUFFT_NOT_IMPLEMENTED);
  FFT_ERROR(cufftXtSetCallbackSharedSize(plan, CUFFT_CB_LD_COMPLEX, 64),
            CUFFT_NOT_IMPLEMENTED);
  FFT(cufftXtClearCallback(plan, CUFFT_CB_LD_COMPLEX));
  cudaLibXtDesc empty = {};
  cufftXt1dFactors factors;
  FFT_ERROR(cufftXtMemcpy(plan, &empty, &empty, CUFFT_COPY_DEVICE_TO_DEVICE),
            CUFFT_NOT_IMPLEMENTED);
  FFT_ERROR(cufftXtFree(&empty), CUFFT_NOT_IMPLEMENTED);
  FFT_ERROR(cufftXtQueryPlan(plan, &factors, CUFFT_QUERY_1D_FACTORS),
            CUFFT_NOT_IMPLEMENTED);
  FFT_ERROR(cufftXtExecDescriptor(plan, &empty, &empty, CUFFT_FORWARD),
            CUFFT_NOT_IMPLEMENTED);
  FFT_ERROR(cufftXtExecDescriptorC2C(plan, &empty, &empty, CUFFT_FORWARD),
            CUFFT_NOT_IMPLEMENTED);
  FFT_ERROR(cufftXtExecDescriptorZ2Z(plan, &empty, &empty, CUFFT_FORWARD),
            CUFFT_NOT_IMPLEMENTED);
  FFT_ERROR(cufftXtExecDescriptorR2C(plan, &empty, &empty), CUFFT_NOT_IMPLEMENTED);
  FFT_ERROR(cufftXtExecDescriptorC2R(plan, &empty, &empty), CUFFT_NOT_IMPLEMENTED);
  FFT_ERROR(cufftXtExecDescriptorD2Z(plan, &empty, &empty), CUFFT_NOT_IMPLEMENTED);
  FFT_ERROR(cufftXtExecDescriptorZ2D(plan, &empty, &empty), CUFFT_NOT_IMPLEMENTED);
}

/// A call is work of the plan's stream, and of a graph that the stream is captured into.
static void checkStreams() {
  constexpr int n = 60, batch = 4;
  cudaStream_t stream;
  CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  Plan plan;
  FFT(cufftPlan1d(&plan.handle, n, CUFFT_C2C, batch));
  FFT(cufftSetStream(plan, stream));
  const Numbers x = numbers(n * batch, 7);
  std::vector<cufftComplex> values(n * batch);
  for (int i = 0; i < n * batch; ++i)
    put(values[i], x[i]);
  check::Array<cufftComplex> array(values);
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  FFT(cufftExecC2C(plan, array, array, CUFFT_FORWARD));
  CUDA(cudaStreamEndCapture(stream, &graph));
  CUDA(cudaGraphInstantiate(&instance, graph, 0));
  // Two forward transforms turn the order of the numbers around.
  FFT(cufftExecC2C(plan, array, array, CUFFT_FORWARD));
  CUDA(cudaGraphLaunch(instance, stream));
  CUDA(cudaStreamSynchronize(stream));
  Numbers found, expected;
  for (const cufftComplex &value : array.get())
    found.push_back(plain(value) / double(n));
  for (int i = 0; i < n * batch; ++i)
    expected.push_back(x[i / n * n + (n - i % n) % n]);
  NEAR(found, expected, epsilon<cufftComplex>, n);
  CUDA(cudaGraphExecDestroy(instance));
  CUDA(cudaGraphDestroy(graph));
  CUDA(cudaStreamDestroy(stream));
}

int main() {
  checkNumbers();
  checkErrors();
  checkWork();
  checkWays();
  checkProperties();
  checkRefused();
  checkStreams();
  return check::finish("plans");
}
