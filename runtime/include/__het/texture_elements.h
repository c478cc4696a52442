// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of textures and surfaces: from memory to the words that a fetch is made of,
// and from those to the program's type.

#ifndef HET_TEXTURE_ELEMENTS_H
#define HET_TEXTURE_ELEMENTS_H

#include "../vector_types.h"
#include "device_arithmetic.h"
#include "texture_descriptor.h"

#define HET_TEXTURE_CODE static __device__ __inline__ __attribute__((unused))
#define HET_TEXTURE_INLINE                                                               \
  static __device__ __inline__ __attribute__((always_inline, unused))
// Out of line as long as a texture unit may do it
#define HET_TEXTURE_OUTLINED                                                             \
  static __device__ __attribute__((annotate("het.texture_code"), pure, unused))
#define HET_GLOBAL __attribute__((address_space(1)))

// Operations of hetIR: whether the device samples textures by itself, and samples of
// those that it has a handle of.
extern "C" {
__device__ bool __het_texture_units(void) __attribute__((const, nothrow));
__device__ unsigned int __attribute__((ext_vector_type(4)))
__het_texture_fetch_line(unsigned long long, int) __attribute__((pure, nothrow));
__device__ unsigned int __attribute__((ext_vector_type(4)))
__het_texture_fetch_plane(unsigned long long, float, float)
    __attribute__((pure, nothrow));
}

namespace __het_textures {

typedef const HET_GLOBAL __het_texture *texture;
typedef const HET_GLOBAL __het_texture_level *level;

// Channels as registers hold them: floats by their bits, narrow integers extended.
template <int Channels> struct words {
  unsigned int w[Channels];
};

// What a texture unit gives
typedef unsigned int four_words __attribute__((ext_vector_type(4)));

template <int Channels> HET_TEXTURE_INLINE words<Channels> first(four_words from) {
  words<Channels> result;
  for (int i = 0; i < Channels; ++i)
    result.w[i] = from[i];
  return result;
}

// The types that can be fetched.
template <class T> struct element {};
#define HET_ELEMENT(name, scalar_type, n)                                                \
  template <> struct element<name> {                                                     \
    typedef name type;                                                                   \
    typedef void none;                                                                   \
    typedef scalar_type scalar;                                                          \
    enum { count = n };                                                                  \
  };
#define HET_ELEMENTS(scalar, name)                                                       \
  HET_ELEMENT(scalar, scalar, 1)                                                         \
  HET_ELEMENT(name##1, scalar, 1)                                                        \
  HET_ELEMENT(name##2, scalar, 2)                                                        \
  HET_ELEMENT(name##4, scalar, 4)
HET_ELEMENT(char, char, 1)
HET_ELEMENTS(signed char, char)
HET_ELEMENTS(unsigned char, uchar)
HET_ELEMENTS(short, short)
HET_ELEMENTS(unsigned short, ushort)
HET_ELEMENTS(int, int)
HET_ELEMENTS(unsigned int, uint)
HET_ELEMENTS(float, float)
#undef HET_ELEMENTS

HET_TEXTURE_INLINE float as_float(unsigned int bits) {
  return __builtin_bit_cast(float, bits);
}
HET_TEXTURE_INLINE unsigned int as_word(float f) {
  return __builtin_bit_cast(unsigned int, f);
}

template <class Scalar> HET_TEXTURE_INLINE Scalar narrowed(unsigned int word) {
  return (Scalar)word;
}
template <> HET_TEXTURE_INLINE float narrowed<float>(unsigned int word) {
  return as_float(word);
}

// The program's type, of as many words as it has channels
template <class T> HET_TEXTURE_INLINE T made(const words<element<T>::count> &from) {
  typename element<T>::scalar channels[element<T>::count];
  for (int i = 0; i < element<T>::count; ++i)
    channels[i] = narrowed<typename element<T>::scalar>(from.w[i]);
  return __builtin_bit_cast(T, channels);
}

HET_TEXTURE_INLINE unsigned int read(texture t, unsigned long long at, int channel) {
  const bool is_signed = t->kind == 0;
  if (t->bits == 8) {
    unsigned char byte = *(const HET_GLOBAL unsigned char *)(at + channel);
    return is_signed ? (unsigned int)(signed char)byte : byte;
  }
  if (t->bits == 16) {
    unsigned short half = *(const HET_GLOBAL unsigned short *)(at + 2 * channel);
    return is_signed ? (unsigned int)(short)half : half;
  }
  return *(const HET_GLOBAL unsigned int *)(at + 4 * channel);
}

// The float that a half, or an integer of 8 or 16 bits, is read as
HET_TEXTURE_CODE unsigned int converted(texture t, unsigned int word, int channel) {
  if (t->kind == 2)
    return as_word((float)__builtin_bit_cast(_Float16, (unsigned short)word));
  if (t->srgb && channel < 3)
    return *(const HET_GLOBAL unsigned int *)(t->srgb + 4ull * (word & 255));
  const float largest = (float)((1 << (t->bits - (t->kind == 0))) - 1);
  return as_word(__builtin_fmaxf(__fdiv_rn((float)(int)word, largest), -1.0f));
}

// The element at a place, an index below zero being beside the texture. Channels that it
// does not have are zero.
template <int Channels>
static __device__ __inline__ words<Channels> texel(texture t, level l, int x, int y,
                                                   int z) {
  words<Channels> result;
  const bool inside = (x | y | z) >= 0;
  const unsigned long long at = l->base + z * l->plane + y * l->pitch +
                                (unsigned long long)x * (t->channels * t->bits / 8);
  for (int i = 0; i < Channels; ++i) {
    result.w[i] = 0;
    if (!inside)
      result.w[i] = t->border[i];
    else if (i < t->channels) {
      result.w[i] = read(t, at, i);
      if (t->flags & __het_texture_converts)
        result.w[i] = converted(t, result.w[i], i);
    }
  }
  return result;
}

} // namespace __het_textures

#endif // HET_TEXTURE_ELEMENTS_H
