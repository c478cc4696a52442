// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX texts that are linked: functions and variables of another text, names that are each
// text's own, weak definitions, parameters whose types differ in name alone; grid-wide
// barriers of NVIDIA's device runtime; what is missing, twice there or does not fit.
// CUDA Driver API: Module Management, cuLinkAddData. PTX ISA: Linking Directives.

#include "Inputs/check.h"
#include <cstring>
#include <cuda.h>
#include <string>

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

static const char user[] = HEAD R"(
.extern .func (.param .f32 result) scale(.param .f32 x, .param .b64 unused);
.extern .global .align 4 .u32 table[4];
.extern .func (.param .b32 handle) cudaCGSynchronize(.param .b64 handle, .param .b32 flags);
.extern .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope);
.func (.param .b32 result) own(.param .b32 x) {
  .reg .b32 %r<2>;
  ld.param.b32 %r1, [x];
  add.u32 %r1, %r1, 100;
  st.param.b32 [result], %r1;
  ret;
}
.weak .func (.param .b32 result) either() {
  st.param.b32 [result], 7;
  ret;
}
.visible .entry kernel(.param .u64 out) {
  .reg .b64 %rd<3>;
  .reg .f32 %f<3>;
  .reg .b32 %r<4>;
  ld.param.u64 %rd1, [out];
  mov.u64 %rd2, 0;
  mov.f32 %f1, 0f40400000;
  call (%f2), scale, (%f1, %rd2);
  st.global.f32 [%rd1], %f2;
  mov.u32 %r1, 1;
  call (%r2), own, (%r1);
  st.global.u32 [%rd1+4], %r2;
  call (%r2), either, ();
  st.global.u32 [%rd1+8], %r2;
  ld.global.u32 %r2, [table+8];
  st.global.u32 [%rd1+12], %r2;
  ret;
}
// Each block sees what all have added before.
.visible .entry together(.param .u64 out) {
  .reg .b64 %rd<3>;
  .reg .b32 %r<5>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x;
  red.global.add.u32 [%rd1], 1;
  call (%rd2), cudaCGGetIntrinsicHandle, (1);
  call (%r2), cudaCGSynchronize, (%rd2, 0);
  ld.volatile.global.u32 %r3, [%rd1];
  add.u32 %r3, %r3, %r2;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1+4], %r3;
  ret;
}
)";

static const char maker[] = HEAD R"(
.visible .global .align 4 .u32 table[4] = {11, 12, 13, 14};
.func (.param .b32 result) own(.param .b32 x) {
  .reg .b32 %r<2>;
  ld.param.b32 %r1, [x];
  add.u32 %r1, %r1, 1;
  st.param.b32 [result], %r1;
  ret;
}
.weak .func (.param .b32 result) either() {
  st.param.b32 [result], 7;
  ret;
}
.visible .func (.param .b32 result) scale(.param .b32 x, .param .u64 unused) {
  .reg .b32 %r<3>;
  .reg .f32 %f<2>;
  ld.param.f32 %f1, [x];
  cvt.rzi.s32.f32 %r1, %f1;
  call (%r2), own, (%r1);
  cvt.rn.f32.s32 %f1, %r2;
  st.param.f32 [result], %f1;
  ret;
}
)";

static const char misfit[] = HEAD R"(
.visible .global .align 4 .u32 table[4];
.visible .func (.param .b32 result) scale(.param .b64 x) {
  st.param.b32 [result], 0;
  ret;
}
)";

/// Links texts; null, with the log, where that fails with CUDA_ERROR_INVALID_PTX.
static CUmodule link(std::initializer_list<const char *> texts, std::string *log = nullptr) {
  char errors[1000] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {errors, (void *)sizeof(errors)};
  CUlinkState state;
  CHECK_EQ((int)cuLinkCreate(2, options, values, &state), 0);
  int number = 0;
  for (const char *text : texts) {
    const std::string name = "text" + std::to_string(number++);
    CHECK_EQ((int)cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)text, std::strlen(text) + 1,
                                name.c_str(), 0, nullptr, nullptr),
             0);
  }
  char archive[] = "!<arch>\n";
  CHECK_EQ((int)cuLinkAddData(state, CU_JIT_INPUT_LIBRARY, archive, 8, "libcudadevrt.a", 0,
                              nullptr, nullptr),
           0);
  void *image = nullptr;
  size_t size = 0;
  CUmodule module = nullptr;
  CHECK_EQ((int)cuLinkComplete(state, &image, &size), log ? (int)CUDA_ERROR_INVALID_PTX : 0);
  if (log)
    *log = errors;
  else
    CHECK_EQ((int)cuModuleLoadData(&module, image), 0);
  cuLinkDestroy(state);
  return module;
}

static bool has(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

int main() {
  CUdevice device;
  CUcontext context;
  CHECK_EQ((int)cuInit(0), 0);
  CHECK_EQ((int)cuDeviceGet(&device, 0), 0);
  CHECK_EQ((int)cuDevicePrimaryCtxRetain(&context, device), 0);
  CHECK_EQ((int)cuCtxSetCurrent(context), 0);

  constexpr unsigned blocks = 4;
  unsigned *out;
  CUDA(cudaMallocManaged(&out, (blocks + 1) * sizeof(unsigned)));
  void *arguments[] = {&out};
  for (bool isSwapped : {false, true}) {
    CUmodule module = isSwapped ? link({maker, user}) : link({user, maker});
    CUfunction kernel, together;
    CHECK_EQ((int)cuModuleGetFunction(&kernel, module, "kernel"), 0);
    CHECK_EQ((int)cuModuleGetFunction(&together, module, "together"), 0);
    CHECK_EQ((int)cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, 0, arguments, nullptr), 0);
    CHECK_EQ((int)cuCtxSynchronize(), 0);
    float scaled;
    memcpy(&scaled, out, sizeof(scaled));
    CHECK_EQ(scaled, 4.0f);
    CHECK_EQ(out[1], 101u);
    CHECK_EQ(out[2], 7u);
    CHECK_EQ(out[3], 13u);
    out[0] = 0;
    CHECK_EQ((int)cuLaunchCooperativeKernel(together, blocks, 1, 1, 2, 1, 1, 0, 0, arguments), 0);
    CHECK_EQ((int)cuCtxSynchronize(), 0);
    for (unsigned i = 0; i < blocks; ++i)
      CHECK_AT((int)i, out[i + 1], 2 * blocks);
    cuModuleUnload(module);
  }

  std::string log;
  link({user}, &log);
  CHECK_TRUE(has(log, "'scale'"));
  link({maker, maker}, &log);
  CHECK_TRUE(has(log, "' is defined in text0 and in text1"));
  link({user, misfit}, &log);
  CHECK_TRUE(has(log, "'scale' is declared with other parameters than it has"));
  return check::finish("linking");
}
