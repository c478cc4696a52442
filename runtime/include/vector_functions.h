// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// make_char1 … make_double4: the constructors of the built-in vector types.

#ifndef HET_VECTOR_FUNCTIONS_H
#define HET_VECTOR_FUNCTIONS_H
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define HET_MAKE static __inline__ __host__ __device__
#define HET_MAKE_VECTORS(name, type)                                                     \
  HET_MAKE struct name##1 make_##name##1(type x) {                                       \
    struct name##1 t = {x};                                                              \
    return t;                                                                            \
  }                                                                                      \
  HET_MAKE struct name##2 make_##name##2(type x, type y) {                               \
    struct name##2 t = {x, y};                                                           \
    return t;                                                                            \
  }                                                                                      \
  HET_MAKE struct name##3 make_##name##3(type x, type y, type z) {                       \
    struct name##3 t = {x, y, z};                                                        \
    return t;                                                                            \
  }                                                                                      \
  HET_MAKE struct name##4 make_##name##4(type x, type y, type z, type w) {               \
    struct name##4 t = {x, y, z, w};                                                     \
    return t;                                                                            \
  }

HET_MAKE_VECTORS(char, signed char)
HET_MAKE_VECTORS(uchar, unsigned char)
HET_MAKE_VECTORS(short, short)
HET_MAKE_VECTORS(ushort, unsigned short)
HET_MAKE_VECTORS(int, int)
HET_MAKE_VECTORS(uint, unsigned int)
HET_MAKE_VECTORS(long, long int)
HET_MAKE_VECTORS(ulong, unsigned long int)
HET_MAKE_VECTORS(longlong, long long int)
HET_MAKE_VECTORS(ulonglong, unsigned long long int)
HET_MAKE_VECTORS(float, float)
HET_MAKE_VECTORS(double, double)
#undef HET_MAKE_VECTORS
#undef HET_MAKE

#endif // HET_VECTOR_FUNCTIONS_H
