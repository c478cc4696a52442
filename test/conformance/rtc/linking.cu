// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lnvrtc -lnvJitLink -lcuda
//
// Links while the program runs: LTO-IR, relocatable text and cubins, by nvJitLink and by
// cuLinkAddData; a library of PTX of another compiler; what is missing or of another
// kind. nvJitLink documentation: Basic Usage. CUDA Driver API: Module Management.

#include "Inputs/rtc.h"
#include <nvJitLink.h>

static const char caller[] = R"(
extern __device__ int twice(int);
extern __device__ int counter;
extern "C" __global__ void k(int *p) { *p = twice(*p) + ++counter; }
)";
static const char callee[] = R"(
__device__ int counter = 100;
__device__ int twice(int x) { return 2 * x; }
extern "C" __global__ void other(int *p) { *p = 3; }
)";

static int *number;

static void runLinked(const void *image) {
  rtc::Module module(image);
  *number = 4;
  module.launch("k", 1, 1, number);
  CHECK_EQ(*number, 109);
  module.launch("other", 1, 1, number);
  CHECK_EQ(*number, 3);
}

static std::string errorLog(nvJitLinkHandle link) {
  size_t size = 0;
  CHECK_TRUE(nvJitLinkGetErrorLogSize(link, &size) == NVJITLINK_SUCCESS);
  std::vector<char> log(size + 1);
  CHECK_TRUE(nvJitLinkGetErrorLog(link, log.data()) == NVJITLINK_SUCCESS);
  return log.data();
}

static void jitLink(nvJitLinkInputType type, const std::vector<char> &a,
                    const std::vector<char> &b) {
  const char *options[] = {"-arch=sm_80", "-lto", "-O3"};
  nvJitLinkHandle link;
  CHECK_TRUE(nvJitLinkCreate(&link, 3, options) == NVJITLINK_SUCCESS);
  CHECK_TRUE(nvJitLinkAddData(link, type, a.data(), a.size(), "a") == NVJITLINK_SUCCESS);
  CHECK_TRUE(nvJitLinkAddData(link, type, b.data(), b.size(), "b") == NVJITLINK_SUCCESS);
  const nvJitLinkResult result = nvJitLinkComplete(link);
  if (result != NVJITLINK_SUCCESS)
    std::printf("%s\n", errorLog(link).c_str());
  CHECK_TRUE(result == NVJITLINK_SUCCESS);
  size_t size = 0;
  CHECK_TRUE(nvJitLinkGetLinkedCubinSize(link, &size) == NVJITLINK_SUCCESS);
  std::vector<char> cubin(size);
  CHECK_TRUE(nvJitLinkGetLinkedCubin(link, cubin.data()) == NVJITLINK_SUCCESS);
  CHECK_TRUE(nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS && !link);
  runLinked(cubin.data());
}

static void driverLink(CUjitInputType type, std::vector<char> a, std::vector<char> b) {
  char log[1000] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
  CUlinkState link;
  CHECK_TRUE(cuLinkCreate(2, options, values, &link) == CUDA_SUCCESS);
  for (auto *input : {&a, &b})
    CHECK_TRUE(cuLinkAddData(link, type, input->data(), input->size(), "input", 0,
                             nullptr, nullptr) == CUDA_SUCCESS);
  void *cubin;
  size_t size;
  const CUresult result = cuLinkComplete(link, &cubin, &size);
  if (result != CUDA_SUCCESS)
    std::printf("%s\n", log);
  CHECK_TRUE(result == CUDA_SUCCESS);
  runLinked(cubin);
  CHECK_TRUE(cuLinkDestroy(link) == CUDA_SUCCESS);
}

static std::vector<char> bytesOf(const std::string &text) {
  return {text.c_str(), text.c_str() + text.size() + 1};
}

static void inputs() {
  rtc::Program a(caller, "caller.cu"), b(callee, "callee.cu");
  CHECK_TRUE(a.compile({"-arch=sm_80", "-dlto"}) == NVRTC_SUCCESS);
  CHECK_TRUE(b.compile({"-arch=sm_80", "-dlto"}) == NVRTC_SUCCESS);
  CHECK_TRUE(a.ptx().empty());
  jitLink(NVJITLINK_INPUT_LTOIR, a.ltoir(), b.ltoir());
  jitLink(NVJITLINK_INPUT_ANY, b.ltoir(), a.ltoir());
  driverLink(CU_JIT_INPUT_NVVM, a.ltoir(), b.ltoir());

  rtc::Program c(caller, "caller.cu"), d(callee, "callee.cu");
  CHECK_TRUE(c.compile({"-arch=sm_80", "-rdc=true"}) == NVRTC_SUCCESS);
  CHECK_TRUE(d.compile({"-arch=sm_80", "--relocatable-device-code=true"}) ==
             NVRTC_SUCCESS);
  jitLink(NVJITLINK_INPUT_PTX, bytesOf(c.ptx()), bytesOf(d.ptx()));
  jitLink(NVJITLINK_INPUT_CUBIN, c.cubin(), d.cubin());
  driverLink(CU_JIT_INPUT_PTX, bytesOf(c.ptx()), bytesOf(d.ptx()));
  driverLink(CU_JIT_INPUT_CUBIN, c.cubin(), d.cubin());
}

/// A relocatable program that needs no other file is loaded without a link.
static void alone() {
  rtc::Program program(R"(
struct Shape { __device__ virtual int sides() const { return 0; } };
struct Square : Shape { __device__ int sides() const override { return 4; } };
__device__ int twice(int x) { return 2 * x; }
extern "C" __global__ void k(int *p) {
  Square square;
  const Shape *volatile shape = &square;
  int (*volatile function)(int) = twice;
  *p = shape->sides() + function(*p);
}
)");
  CHECK_TRUE(program.compile({"-arch=sm_80", "-rdc=true"}) == NVRTC_SUCCESS);
  const std::vector<char> cubin = program.cubin();
  const std::string text = program.ptx();
  for (const void *image : {static_cast<const void *>(cubin.data()),
                            static_cast<const void *>(text.c_str())}) {
    *number = 5;
    rtc::Module(image).launch("k", 1, 1, number);
    CHECK_EQ(*number, 14);
  }
}

/// The text of a link is as good as its cubin.
static void linkedText() {
  rtc::Program a(caller, "caller.cu"), b(callee, "callee.cu");
  CHECK_TRUE(a.compile({"-arch=sm_80", "-dlto"}) == NVRTC_SUCCESS);
  CHECK_TRUE(b.compile({"-arch=sm_80", "-dlto"}) == NVRTC_SUCCESS);
  const char *options[] = {"-arch=sm_80", "-lto", "-ptx"};
  nvJitLinkHandle link;
  CHECK_TRUE(nvJitLinkCreate(&link, 3, options) == NVJITLINK_SUCCESS);
  for (auto *program : {&a, &b}) {
    const std::vector<char> code = program->ltoir();
    CHECK_TRUE(nvJitLinkAddData(link, NVJITLINK_INPUT_LTOIR, code.data(), code.size(),
                                nullptr) == NVJITLINK_SUCCESS);
  }
  CHECK_TRUE(nvJitLinkComplete(link) == NVJITLINK_SUCCESS);
  size_t size = 0;
  CHECK_TRUE(nvJitLinkGetInfoLogSize(link, &size) == NVJITLINK_SUCCESS && size == 0);
  char nothing = 5;
  CHECK_TRUE(nvJitLinkGetInfoLog(link, &nothing) == NVJITLINK_SUCCESS && nothing == 5);
  CHECK_TRUE(nvJitLinkGetLinkedPtxSize(link, &size) == NVJITLINK_SUCCESS);
  std::vector<char> text(size);
  CHECK_TRUE(nvJitLinkGetLinkedPtx(link, text.data()) == NVJITLINK_SUCCESS);
  CHECK_TRUE(nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS);
  runLinked(text.data());
}

static const char foreign[] = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry other(.param .u64 p) {
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [p];
  st.global.u32 [%rd1], 3;
  ret;
}
)";

/// Programs that were compiled whole are put side by side.
static void wholes() {
  rtc::Program program("extern \"C\" __global__ void k(int *p) { *p = 2 * *p + 101; }");
  CHECK_TRUE(program.compile() == NVRTC_SUCCESS);
  jitLink(NVJITLINK_INPUT_PTX, bytesOf(program.ptx()), bytesOf(foreign));
  driverLink(CU_JIT_INPUT_PTX, bytesOf(foreign), bytesOf(program.ptx()));
}

static void faults() {
  nvJitLinkHandle link;
  const char *none[] = {"-lto"}, *wrong[] = {"-arch=sm_80", "-nonsense"},
             *arch[] = {"-arch=sm_1234"}, *noArch[] = {"-arch=sm_XX"}, *right[] = {"-arch=sm_80"};
  CHECK_TRUE(nvJitLinkCreate(&link, 1, none) == NVJITLINK_ERROR_MISSING_ARCH);
  CHECK_TRUE(nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS);
  CHECK_TRUE(nvJitLinkCreate(&link, 2, wrong) == NVJITLINK_ERROR_UNRECOGNIZED_OPTION);
  CHECK_TRUE(errorLog(link).find("-nonsense") != std::string::npos);
  CHECK_TRUE(nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS);
  CHECK_TRUE(nvJitLinkCreate(&link, 1, arch) == NVJITLINK_ERROR_UNSUPPORTED_ARCH);
  CHECK_TRUE(nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS);
  CHECK_TRUE(nvJitLinkCreate(&link, 1, noArch) == NVJITLINK_ERROR_UNRECOGNIZED_OPTION);
  CHECK_TRUE(nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS);
  CHECK_TRUE(nvJitLinkCreate(nullptr, 1, right) == NVJITLINK_ERROR_NULL_INPUT);

  CHECK_TRUE(nvJitLinkCreate(&link, 1, right) == NVJITLINK_SUCCESS);
  CHECK_TRUE(nvJitLinkAddData(link, NVJITLINK_INPUT_LTOIR, "nonsense", 8, "a") ==
             NVJITLINK_ERROR_INVALID_INPUT);
  CHECK_TRUE(nvJitLinkAddFile(link, NVJITLINK_INPUT_PTX, "/nowhere/at/all") ==
             NVJITLINK_ERROR_INVALID_INPUT);
  rtc::Program a(caller, "caller.cu");
  CHECK_TRUE(a.compile({"-arch=sm_80", "-dlto"}) == NVRTC_SUCCESS);
  const std::vector<char> code = a.ltoir();
  CHECK_TRUE(nvJitLinkAddData(link, NVJITLINK_INPUT_OBJECT, code.data(), code.size(),
                              "a") == NVJITLINK_ERROR_INCORRECT_INPUT_TYPE);
  CHECK_TRUE(nvJitLinkAddData(link, NVJITLINK_INPUT_LTOIR, code.data(), code.size(),
                              "a") == NVJITLINK_SUCCESS);
  CHECK_TRUE(nvJitLinkComplete(link) == NVJITLINK_ERROR_FINALIZE);
  CHECK_TRUE(errorLog(link).find("undefined reference to 'twice(int)'") !=
             std::string::npos);
  CHECK_TRUE(nvJitLinkDestroy(&link) == NVJITLINK_SUCCESS);
  unsigned major = 0, minor = 0;
  CHECK_TRUE(nvJitLinkVersion(&major, &minor) == NVJITLINK_SUCCESS && major == 12);
}

int main() {
  rtc::begin();
  CUDA(cudaMallocManaged(&number, sizeof(int)));
  inputs();
  alone();
  linkedText();
  wholes();
  faults();
  return check::finish("rtc/linking");
}
