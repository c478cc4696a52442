// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lnvrtc -lcuda
//
// NVRTC from source to launch: text and cubin that cuModuleLoadData takes, lowered names,
// headers in memory, logs, and calls that are wrong.
// NVRTC documentation: Basic Usage; Accessing Lowered Names.

#include "Inputs/rtc.h"
#include <cstring>

static const char axpy[] = R"(
extern "C" __global__ void axpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * x[i];
}
)";

static void checkAxpy(const void *image) {
  constexpr int n = 1000;
  float *x, *y;
  CHECK_TRUE(cudaMallocManaged(&x, n * sizeof(float)) == cudaSuccess);
  CHECK_TRUE(cudaMallocManaged(&y, n * sizeof(float)) == cudaSuccess);
  for (int i = 0; i < n; ++i) {
    x[i] = float(i);
    y[i] = 1;
  }
  rtc::Module(image).launch("axpy", 8, 128, 2.0f, x, y, n);
  for (int i = 0; i < n; ++i)
    CHECK_TRUE(y[i] == 2.0f * i + 1);
  cudaFree(x);
  cudaFree(y);
}

static void loading() {
  rtc::Program program(axpy);
  CHECK_TRUE(program.compile() == NVRTC_SUCCESS);
  CHECK_TRUE(program.log().empty());
  const std::string text = program.ptx();
  CHECK_TRUE(text.find(".visible .entry axpy(") != std::string::npos);
  CHECK_TRUE(text.find(".target sm_80") != std::string::npos);
  checkAxpy(text.c_str());
  checkAxpy(program.cubin().data());
  CHECK_TRUE(program.ltoir().empty());

  rtc::Program other(axpy);
  CHECK_TRUE(other.compile({"--gpu-architecture=compute_70"}) == NVRTC_SUCCESS);
  CHECK_TRUE(other.cubin().empty());
  checkAxpy(other.ptx().c_str());
}

static const char names[] = R"(
namespace space {
template <class T, int n> __global__ void fill(T *to, T value) {
  to[threadIdx.x] = value + T(n);
}
__device__ int variable = 5;
__constant__ float factors[2] = {1.5f, 2.5f};
}
__global__ void plain(int *to) { *to = space::variable + int(space::factors[1]); }
)";

static void loweredNames() {
  rtc::Program program(names, nullptr);
  program.name("space::fill<int, 3>");
  program.name("&space::fill<double, 1>");
  program.name("plain");
  program.name("&space::variable");
  program.name("space::factors");
  const char *name;
  CHECK_TRUE(nvrtcGetLoweredName(program.program, "plain", &name) ==
             NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  CHECK_TRUE(program.compile() == NVRTC_SUCCESS);
  CHECK_TRUE(nvrtcAddNameExpression(program.program, "plain") ==
             NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
  CHECK_TRUE(nvrtcGetLoweredName(program.program, "space", &name) ==
             NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  CHECK_TRUE(program.lowered("plain") == "_Z5plainPi");
  CHECK_TRUE(program.lowered("space::fill<int, 3>") == "_ZN5space4fillIiLi3EEEvPT_S1_");

  int *ints;
  double *doubles;
  cudaMallocManaged(&ints, 4 * sizeof(int));
  cudaMallocManaged(&doubles, 4 * sizeof(double));
  const std::string text = program.ptx();
  rtc::Module module(text.c_str());
  module.launch(program.lowered("space::fill<int, 3>"), 1, 4, ints, 10);
  module.launch(program.lowered("&space::fill<double, 1>"), 1, 4, doubles, 0.5);
  CHECK_TRUE(ints[3] == 13 && doubles[0] == 1.5);
  CUdeviceptr variable, factors;
  size_t size;
  CHECK_TRUE(cuModuleGetGlobal(&variable, &size, module.module,
                               program.lowered("&space::variable").c_str()) ==
             CUDA_SUCCESS);
  CHECK_TRUE(size == sizeof(int));
  CHECK_TRUE(cuModuleGetGlobal(&factors, &size, module.module,
                               program.lowered("space::factors").c_str()) ==
             CUDA_SUCCESS);
  CHECK_TRUE(size == 2 * sizeof(float));
  const int seven = 7;
  CHECK_TRUE(cuMemcpyHtoD(variable, &seven, sizeof(seven)) == CUDA_SUCCESS);
  module.launch(program.lowered("plain"), 1, 1, ints);
  CHECK_TRUE(*ints == 9);
  cudaFree(ints);
  cudaFree(doubles);
}

static void headers() {
  rtc::Program program(
      "#include <twice.h>\n#include \"below/once.h\"\n"
      "extern \"C\" __global__ void k(int *p) { *p = twice(*p) + ONCE; }",
      "headers.cu",
      {{"twice.h", "__device__ int twice(int x) { return 2 * x; }\n"},
       {"below/once.h", "#include \"value.h\"\n#define ONCE (VALUE + 1)"},
       {"value.h", "#define VALUE WORD\n"}});
  CHECK_TRUE(program.compile({"-arch=sm_80", "-DWORD=40"}) == NVRTC_SUCCESS);
  int *p;
  cudaMallocManaged(&p, sizeof(int));
  *p = 4;
  rtc::Module(program.ptx().c_str()).launch("k", 1, 1, p);
  CHECK_TRUE(*p == 49);
  cudaFree(p);
}

static bool has(const std::string &log, const char *text) {
  if (log.find(text) != std::string::npos)
    return true;
  std::printf("found:\n%s\nexpected: %s\n", log.c_str(), text);
  return false;
}

static void logs() {
  rtc::Program wrong("__global__ void k(int *p) {\n  *p = missing;\n}\n", nullptr);
  CHECK_TRUE(wrong.quiet().compile() == NVRTC_ERROR_COMPILATION);
  CHECK_TRUE(
      has(wrong.log(), "default_program(2): error: identifier \"missing\" is undefined"));
  CHECK_TRUE(
      has(wrong.log(), "1 error detected in the compilation of \"default_program\".\n"));
  CHECK_TRUE(wrong.ptx().empty() && wrong.cubin().empty());

  rtc::Program include("\n#include <nowhere.h>\n", "a/b.cu");
  CHECK_TRUE(include.quiet().compile() == NVRTC_ERROR_COMPILATION);
  CHECK_TRUE(
      has(include.log(),
          "a/b.cu(2): catastrophic error: could not open source file \"nowhere.h\""));

  rtc::Program host("int twice(int x) { return 2 * x; }\n", "host.cu");
  CHECK_TRUE(host.quiet().compile() == NVRTC_ERROR_COMPILATION);
  CHECK_TRUE(has(host.log(), "host.cu(1): error: A function without execution space "
                             "annotations"));
  CHECK_TRUE(host.compile({"-default-device"}) == NVRTC_SUCCESS);

  rtc::Program header("#include \"h.h\"\n", "a.cu", {{"h.h", "\n\nnonsense;\n"}});
  CHECK_TRUE(header.quiet().compile() == NVRTC_ERROR_COMPILATION);
  CHECK_TRUE(has(header.log(), "\nh.h(3): error: "));

  // Programs read the names of headers that they have to bring out of this.
  rtc::Program nested("#include \"h.h\"\n", "a.cu", {{"h.h", "\n#include <nowhere.h>\n"}});
  CHECK_TRUE(nested.quiet().compile() == NVRTC_ERROR_COMPILATION);
  CHECK_TRUE(has(nested.log(),
                 "\nh.h(2): catastrophic error: could not open source file \"nowhere.h\""));
}

static void wrongCalls() {
  nvrtcProgram none = nullptr, program = nullptr;
  size_t size;
  char byte;
  int number = 0;
  CHECK_TRUE(nvrtcCreateProgram(nullptr, "", "", 0, nullptr, nullptr) ==
             NVRTC_ERROR_INVALID_INPUT);
  CHECK_TRUE(nvrtcCreateProgram(&program, nullptr, "", 0, nullptr, nullptr) ==
             NVRTC_ERROR_INVALID_INPUT);
  CHECK_TRUE(nvrtcCreateProgram(&program, "", "", 1, nullptr, nullptr) ==
             NVRTC_ERROR_INVALID_INPUT);
  CHECK_TRUE(nvrtcCompileProgram(none, 0, nullptr) == NVRTC_ERROR_INVALID_PROGRAM);
  CHECK_TRUE(nvrtcGetPTXSize(none, &size) == NVRTC_ERROR_INVALID_PROGRAM);
  CHECK_TRUE(nvrtcGetPTX(none, &byte) == NVRTC_ERROR_INVALID_PROGRAM);
  CHECK_TRUE(nvrtcDestroyProgram(&none) == NVRTC_ERROR_INVALID_PROGRAM);
  CHECK_TRUE(nvrtcGetNumSupportedArchs(&number) == NVRTC_SUCCESS && number > 10);
  std::vector<int> all(number);
  CHECK_TRUE(nvrtcGetSupportedArchs(all.data()) == NVRTC_SUCCESS && all[0] == 50);
  int major = 0, minor = 0;
  CHECK_TRUE(nvrtcVersion(&major, &minor) == NVRTC_SUCCESS && major == 12);
  CHECK_TRUE(!std::strcmp(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION),
                          "NVRTC_ERROR_COMPILATION"));
  rtc::Program option(axpy);
  CHECK_TRUE(option.quiet().compile({"--nonsense"}) == NVRTC_ERROR_INVALID_OPTION);
  CHECK_TRUE(has(option.log(), "nvrtc: error: unrecognized option --nonsense found"));
  CHECK_TRUE(option.compile({"-arch=sm_91"}) == NVRTC_ERROR_INVALID_OPTION);
  CHECK_TRUE(nvrtcGetPTXSize(option.program, nullptr) == NVRTC_ERROR_INVALID_INPUT);
}

static int cancel(void *payload, void *) {
  ++*static_cast<int *>(payload);
  return 1;
}

/// What there is not, precompiled headers, and a compilation that the program gives up.
static void others() {
  rtc::Program program(axpy);
  CHECK_TRUE(program.compile({"-arch=sm_80", "--pch"}) == NVRTC_SUCCESS);
  size_t size = 1;
  char byte = 5;
  CHECK_TRUE(nvrtcGetNVVMSize(program.program, &size) == NVRTC_SUCCESS && size == 0);
  CHECK_TRUE(nvrtcGetNVVM(program.program, &byte) == NVRTC_SUCCESS && byte == 5);
  size = 1;
  CHECK_TRUE(nvrtcGetOptiXIRSize(program.program, &size) == NVRTC_SUCCESS && size == 0);
  CHECK_TRUE(nvrtcGetOptiXIR(program.program, &byte) == NVRTC_SUCCESS && byte == 5);
  CHECK_TRUE(nvrtcGetPCHCreateStatus(program.program) ==
             NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED);
  CHECK_TRUE(nvrtcGetPCHHeapSizeRequired(program.program, &size) ==
             NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED);
  CHECK_TRUE(nvrtcSetPCHHeapSize(12345) == NVRTC_SUCCESS);
  CHECK_TRUE(nvrtcGetPCHHeapSize(&size) == NVRTC_SUCCESS && size == 12345);

  int calls = 0;
  rtc::Program cancelled(axpy);
  CHECK_TRUE(nvrtcSetFlowCallback(cancelled.program, cancel, &calls) == NVRTC_SUCCESS);
  CHECK_TRUE(cancelled.quiet().compile() == NVRTC_ERROR_CANCELLED);
  CHECK_TRUE(calls == 1 && cancelled.ptx().empty());
}

int main() {
  rtc::begin();
  loading();
  loweredNames();
  headers();
  logs();
  wrongCalls();
  others();
  return check::finish("rtc/basic");
}
