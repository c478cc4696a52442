// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX text that the program loads: kernels, functions with arrays and recursion, variables
// with values and addresses, branches through a list, calls through a register, shared
// memory of either kind; what is wrong is told with its line.
// CUDA Driver API: Module Management. PTX ISA: Directives; Control Flow Instructions.

#include "Inputs/check.h"
#include <cstring>
#include <cuda.h>

static const char text[] = R"(
.version 8.0
.target sm_80
.address_size 64

// What this begins with is no package.
.extern .shared .align 16 .b8 dynamic[];
.visible .global .align 4 .u32 counter = 40;
.global .align 8 .u64 where[2] = {generic(counter), table+4};
.global .align 4 .b32 table[4] = {1, -2, 0x30, 0f3F800000};
.visible .const .align 4 .f32 factor[2] = {0f40000000, 0.5};

.func (.param .b32 result) fib (.param .b32 n);

.func (.param .b32 result) fib (.param .b32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  ld.param.u32 %r1, [n];
  setp.lt.u32 %p1, %r1, 2;
  @%p1 bra SMALL;
  sub.u32 %r2, %r1, 1;
  {
    .param .b32 a;
    .param .b32 b;
    st.param.b32 [a], %r2;
    call.uni (b), fib, (a);
    ld.param.b32 %r3, [b];
  }
  sub.u32 %r2, %r1, 2;
  call (%r4), fib, (%r2);
  add.u32 %r1, %r3, %r4;
SMALL:
  st.param.b32 [result], %r1;
  ret;
}

.func (.param .align 8 .b8 result[16]) swap (.param .align 8 .b8 pair[16])
{
  .reg.b64 %rd<3>;
  ld.param.b64 %rd1, [pair];
  ld.param.b64 %rd2, [pair+8];
  st.param.b64 [result+0], %rd2;
  st.param.b64 [result+8], %rd1;
  ret;
}

.func (.reg .u32 %out) twice (.reg .u32 %in)
{
  shl.b32 %out, %in, 1;
  ret;
}

.visible .entry kernel(
  .param .u64 .ptr .global .align 4 out,
  .param .u32 n,
  .param .align 8 .b8 pair[16]
)
.maxntid 64, 1, 1
.minnctapersm 1
{
  .reg .pred %p<4>;
  .reg .b32 %r<30>;
  .reg .f32 %f<4>;
  .reg .b64 %rd<20>;
  .shared .align 4 .b8 tile[256];
  .local .align 4 .b8 stack[16];

  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd1, %rd1;
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  setp.ge.u32 %p1, %r2, %r1;
  @%p1 bra END;

  // Shared memory, by a register of 32 bits and by names.
  mov.u32 %r3, tile;
  mad.lo.u32 %r3, %r2, 4, %r3;
  st.shared.u32 [%r3], %r2;
  mov.u64 %rd2, dynamic;
  mad.wide.u32 %rd2, %r2, 4, %rd2;
  st.shared.u32 [%rd2], %r2;
  bar.sync 0;
  ld.shared.u32 %r4, [tile+8];
  ld.shared.u32 %r5, [dynamic+12];
  add.u32 %r4, %r4, %r5;

  // A branch through a list.
  and.b32 %r5, %r2, 3;
LIST: .branchtargets A, B, C, B;
  brx.idx %r5, LIST;
A: mov.u32 %r6, 100; bra.uni JOIN;
B: mov.u32 %r6, 200; bra.uni JOIN;
C: mov.u32 %r6, 300;
JOIN:
  add.u32 %r4, %r4, %r6;

  // Calls.
  and.b32 %r7, %r2, 7;
  {
    .param .b32 a; .param .b32 b;
    st.param.b32 [a], %r7;
    call.uni (b), fib, (a);
    ld.param.b32 %r8, [b];
  }
  {
    .param .align 8 .b8 a[16]; .param .align 8 .b8 b[16];
    ld.param.v2.u64 {%rd3, %rd4}, [pair];
    st.param.v2.b64 [a], {%rd3, %rd4};
    call.uni (b), swap, (a);
    ld.param.b64 %rd5, [b];
  }
  mov.u64 %rd6, twice;
PROTOTYPE: .callprototype (.reg .u32 _) _ (.reg .u32 _);
  call (%r9), %rd6, (%r8), PROTOTYPE;
  add.u32 %r4, %r4, %r9;
  cvt.u32.u64 %r10, %rd5;
  add.u32 %r4, %r4, %r10;

  // Variables and their addresses, constants, local memory.
  ld.global.u64 %rd7, [where];
  ld.global.u32 %r11, [%rd7];
  ld.global.u64 %rd8, [where+8];
  ld.u32 %r12, [%rd8];
  add.u32 %r11, %r11, %r12;
  add.u32 %r4, %r4, %r11;
  ld.const.f32 %f1, [factor+4];
  ld.const.f32 %f2, [factor];
  ld.global.f32 %f3, [table+12];
  fma.rn.f32 %f1, %f1, %f2, %f3;
  cvt.rzi.u32.f32 %r13, %f1;
  st.local.u32 [stack+4], %r13;
  mov.u64 %rd9, stack;
  cvta.local.u64 %rd9, %rd9;
  ld.u32 %r14, [%rd9+4];
  add.u32 %r4, %r4, %r14;

  mad.wide.u32 %rd10, %r2, 4, %rd1;
  st.global.u32 [%rd10], %r4;
END:
  ret;
}
)";

static CUmodule load(const char *source, CUresult expected, std::string *log = nullptr) {
  char errors[1024] = {}, notes[16] = "not written";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {errors, (void *)sizeof(errors), notes, (void *)sizeof(notes)};
  CUmodule module = nullptr;
  CHECK_EQ((int)cuModuleLoadDataEx(&module, source, 4, options, values), (int)expected);
  CHECK_TRUE(std::strcmp(notes, "not written") != 0);
  if (log)
    *log = errors;
  return module;
}

static void run(CUmodule module) {
  constexpr unsigned threads = 40, n = 37;
  CUfunction kernel = nullptr;
  CHECK_EQ((int)cuModuleGetFunction(&kernel, module, "kernel"), 0);
  check::Array<unsigned> out(threads);
  unsigned *memory = out;
  unsigned count = n;
  struct {
    unsigned long long first, second;
  } pair = {7, 5000};
  void *arguments[] = {&memory, &count, &pair};
  CHECK_EQ((int)cuLaunchKernel(kernel, 1, 1, 1, n, 1, 1, 256, nullptr, arguments, nullptr), 0);
  CHECK_EQ((int)cuCtxSynchronize(), 0);
  out.get();
  const unsigned fib[] = {0, 1, 1, 2, 3, 5, 8, 13}, branch[] = {100, 200, 300, 200};
  for (unsigned i = 0; i < threads; ++i)
    CHECK_AT((int)i, out.host[i],
             i < n ? 2 + 3 + branch[i % 4] + 2 * fib[i % 8] + 5000 + (40 - 2) + 2 : 0u);
}

int main() {
  CUDA(cudaFree(nullptr));
  CUmodule module = load(text, CUDA_SUCCESS);
  run(module);
  CUdeviceptr address;
  size_t size = 0;
  CHECK_EQ((int)cuModuleGetGlobal(&address, &size, module, "counter"), 0);
  CHECK_EQ(size, sizeof(int));
  cuModuleUnload(module);

  CUlinkState link;
  void *image = nullptr;
  CHECK_EQ((int)cuLinkCreate(0, nullptr, nullptr, &link), 0);
  CHECK_EQ((int)cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)text, sizeof(text), "text", 0,
                              nullptr, nullptr),
           0);
  CHECK_EQ((int)cuLinkComplete(link, &image, &size), 0);
  CHECK_EQ((int)cuModuleLoadData(&module, image), 0);
  cuLinkDestroy(link);
  run(module);
  cuModuleUnload(module);

  std::string log;
  load(".version 8.0\n.target sm_80\n.visible .entry k()\n{\n  foo.bar %r1;\n}\n",
       CUDA_ERROR_INVALID_PTX, &log);
  CHECK_TRUE(log.find("line 5") != std::string::npos);
  CHECK_TRUE(log.find("'foo.bar'") != std::string::npos);
  load(".version 8.0\n.visible .entry k(\n", CUDA_ERROR_INVALID_PTX, &log);
  CHECK_TRUE(log.find("line 3") != std::string::npos);
  return check::finish("modules");
}
