// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaCreateChannelDesc<T>(): the channel format of an element type.

#ifndef HET_CHANNEL_DESCRIPTOR_H
#define HET_CHANNEL_DESCRIPTOR_H
#define __CHANNEL_DESCRIPTOR_H__

#include "cuda_runtime_api.h"

#ifdef __cplusplus

template <class T> __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDesc(void) {
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

static __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf(void) {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf1(void) {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf2(void) {
  return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf4(void) {
  return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}

#define HET_CHANNEL_DESC(type, x, y, z, w, kind)                                         \
  template <>                                                                            \
  __inline__ __host__ cudaChannelFormatDesc cudaCreateChannelDesc<type>(void) {          \
    return cudaCreateChannelDesc(x, y, z, w, cudaChannelFormatKind##kind);               \
  }
#define HET_CHANNEL_DESCS(scalar, name, bits, kind)                                      \
  HET_CHANNEL_DESC(scalar, bits, 0, 0, 0, kind)                                          \
  HET_CHANNEL_DESC(name##1, bits, 0, 0, 0, kind)                                         \
  HET_CHANNEL_DESC(name##2, bits, bits, 0, 0, kind)                                      \
  HET_CHANNEL_DESC(name##4, bits, bits, bits, bits, kind)

HET_CHANNEL_DESC(char, 8, 0, 0, 0, Signed)
HET_CHANNEL_DESCS(signed char, char, 8, Signed)
HET_CHANNEL_DESCS(unsigned char, uchar, 8, Unsigned)
HET_CHANNEL_DESCS(short, short, 16, Signed)
HET_CHANNEL_DESCS(unsigned short, ushort, 16, Unsigned)
HET_CHANNEL_DESCS(int, int, 32, Signed)
HET_CHANNEL_DESCS(unsigned int, uint, 32, Unsigned)
HET_CHANNEL_DESCS(float, float, 32, Float)
#undef HET_CHANNEL_DESCS
#undef HET_CHANNEL_DESC

#endif // __cplusplus

#endif // HET_CHANNEL_DESCRIPTOR_H
