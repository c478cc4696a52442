// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built-in vector types: size, alignment, members, make_ functions, and loads
// of whole vectors, on the host as on the device. CUDA C++ Programming Guide:
// Built-in Vector Types.

#include "Inputs/check.h"

// clang-format off
#define TYPES(X) \
  X(char1, 1, 1) X(char2, 2, 2) X(char3, 3, 1) X(char4, 4, 4) X(uchar1, 1, 1) \
  X(uchar2, 2, 2) X(uchar3, 3, 1) X(uchar4, 4, 4) X(short1, 2, 2) \
  X(short2, 4, 4) X(short3, 6, 2) X(short4, 8, 8) X(ushort2, 4, 4) \
  X(ushort3, 6, 2) X(ushort4, 8, 8) X(int1, 4, 4) X(int2, 8, 8) X(int3, 12, 4) \
  X(int4, 16, 16) X(uint2, 8, 8) X(uint3, 12, 4) X(uint4, 16, 16) \
  X(long1, 8, 8) X(long2, 16, 16) X(long3, 24, 8) X(long4, 32, 16) \
  X(longlong1, 8, 8) X(longlong2, 16, 16) X(longlong3, 24, 8) \
  X(longlong4, 32, 16) X(ulonglong2, 16, 16) X(float1, 4, 4) X(float2, 8, 8) \
  X(float3, 12, 4) X(float4, 16, 16) X(double1, 8, 8) X(double2, 16, 16) \
  X(double3, 24, 8) X(double4, 32, 16) X(dim3, 12, 4)
// clang-format on

__global__ void sizes(int *out) {
#define X(type, size, alignment) *out++ = sizeof(type) * 100 + alignof(type);
  TYPES(X)
#undef X
}
__global__ void values(const float4 *in, float4 *out, double3 *d, uchar4 *c) {
  int t = threadIdx.x;
  float4 v = in[t];
  out[t] = make_float4(v.w, v.z * 2, v.y, v.x + t);
  d[t] = make_double3(v.x, v.y, t);
  c[t] = make_uchar4((unsigned char)t, 255, (unsigned char)(300 + t), 1);
}

int main() {
  check::Array<int> out(64);
  sizes<<<1, 1>>>(out);
  out.get();
  int at = 0;
#define X(type, size, alignment)                                               \
  CHECK_AT(at, out.host[at], size * 100 + alignment);                          \
  CHECK_AT(at, (int)(sizeof(type) * 100 + alignof(type)), out.host[at]);       \
  ++at;
  TYPES(X)
#undef X
  check::Array<float4> in(32), vectors(32);
  check::Array<double3> d(32);
  check::Array<uchar4> c(32);
  for (int t = 0; t < 32; ++t)
    in.host[t] = make_float4(t, t + 0.5f, -t, 9);
  in.put();
  values<<<1, 32>>>(in, vectors, d, c);
  vectors.get(), d.get(), c.get();
  for (int t = 0; t < 32; ++t) {
    CHECK_AT(t, vectors.host[t],
             make_float4(9, 2.0f * (float)-t, t + 0.5f, 2.0f * t));
    CHECK_AT(t, d.host[t], make_double3(t, t + 0.5, t));
    CHECK_AT(t, c.host[t], make_uchar4(t, 255, 300 + t, 1));
  }
  return check::finish("vector_types");
}
