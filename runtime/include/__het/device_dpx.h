// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DPX: minima and maxima of sums, of three values, clamped at zero, with a
// predicate that says which value it was; for words and for pairs of halfwords.
// Additions wrap. They are for host and device.

#ifndef HET_DEVICE_DPX_H
#define HET_DEVICE_DPX_H

#define HET_DPX static __inline__ __host__ __device__ __attribute__((always_inline))

namespace __het_dpx {

struct Max {
  template <class T> HET_DPX T pick(T a, T b) { return a >= b ? a : b; }
  template <class T> HET_DPX bool first(T a, T b) { return a >= b; }
};
struct Min {
  template <class T> HET_DPX T pick(T a, T b) { return a <= b ? a : b; }
  template <class T> HET_DPX bool first(T a, T b) { return a <= b; }
};

template <class T> HET_DPX T add(T a, T b) { return (T)((unsigned)a + (unsigned)b); }

/// Applies an operation to a word, or to each half of one.
template <class Which> struct Three {
  template <class T> HET_DPX T of(T a, T b, T c) {
    return Which::pick(Which::pick(a, b), c);
  }
};
template <class Which> struct Sum {
  template <class T> HET_DPX T of(T a, T b, T c) { return Which::pick(add(a, b), c); }
};
template <class Which> struct Two {
  template <class T> HET_DPX T of(T a, T b, T) { return Which::pick(a, b); }
};
template <class Part> struct Relu {
  template <class T> HET_DPX T of(T a, T b, T c) {
    return Max::pick(Part::of(a, b, c), (T)0);
  }
};

template <class Part, class T>
HET_DPX unsigned halves(unsigned a, unsigned b, unsigned c) {
  unsigned low = (unsigned short)Part::of((T)a, (T)b, (T)c);
  unsigned high = (unsigned short)Part::of((T)(a >> 16), (T)(b >> 16), (T)(c >> 16));
  return high << 16 | low;
}

template <class Which, class T>
HET_DPX unsigned predicated(unsigned a, unsigned b, bool *high, bool *low) {
  *high = Which::first((T)(a >> 16), (T)(b >> 16));
  *low = Which::first((T)a, (T)b);
  return halves<Two<Which>, T>(a, b, 0);
}

} // namespace __het_dpx

#define HET_DPX_SIGNED(name, Part)                                                       \
  HET_DPX int name##_s32(int a, int b, int c) { return __het_dpx::Part::of(a, b, c); }   \
  HET_DPX int name##_s32_relu(int a, int b, int c) {                                     \
    return __het_dpx::Relu<__het_dpx::Part>::of(a, b, c);                                \
  }                                                                                      \
  HET_DPX unsigned name##_s16x2(unsigned a, unsigned b, unsigned c) {                    \
    return __het_dpx::halves<__het_dpx::Part, short>(a, b, c);                           \
  }                                                                                      \
  HET_DPX unsigned name##_s16x2_relu(unsigned a, unsigned b, unsigned c) {               \
    return __het_dpx::halves<__het_dpx::Relu<__het_dpx::Part>, short>(a, b, c);          \
  }
#define HET_DPX_UNSIGNED(name, Part)                                                     \
  HET_DPX unsigned name##_u32(unsigned a, unsigned b, unsigned c) {                      \
    return __het_dpx::Part::of(a, b, c);                                                 \
  }                                                                                      \
  HET_DPX unsigned name##_u16x2(unsigned a, unsigned b, unsigned c) {                    \
    return __het_dpx::halves<__het_dpx::Part, unsigned short>(a, b, c);                  \
  }
#define HET_DPX_RELU(name, Which)                                                        \
  HET_DPX int name##_s32_relu(int a, int b) {                                            \
    return __het_dpx::Relu<__het_dpx::Two<__het_dpx::Which>>::of(a, b, 0);               \
  }                                                                                      \
  HET_DPX unsigned name##_s16x2_relu(unsigned a, unsigned b) {                           \
    return __het_dpx::halves<__het_dpx::Relu<__het_dpx::Two<__het_dpx::Which>>, short>(  \
        a, b, 0);                                                                        \
  }
#define HET_DPX_PREDICATE(name, Which, suffix, T, Half)                                  \
  HET_DPX T name##_##suffix##32(T a, T b, bool *const pred) {                            \
    *pred = __het_dpx::Which::first(a, b);                                               \
    return __het_dpx::Which::pick(a, b);                                                 \
  }                                                                                      \
  HET_DPX unsigned name##_##suffix##16x2(unsigned a, unsigned b, bool *const pred_hi,    \
                                         bool *const pred_lo) {                          \
    return __het_dpx::predicated<__het_dpx::Which, Half>(a, b, pred_hi, pred_lo);        \
  }

HET_DPX_SIGNED(__vimax3, Three<__het_dpx::Max>)
HET_DPX_SIGNED(__vimin3, Three<__het_dpx::Min>)
HET_DPX_SIGNED(__viaddmax, Sum<__het_dpx::Max>)
HET_DPX_SIGNED(__viaddmin, Sum<__het_dpx::Min>)
HET_DPX_UNSIGNED(__vimax3, Three<__het_dpx::Max>)
HET_DPX_UNSIGNED(__vimin3, Three<__het_dpx::Min>)
HET_DPX_UNSIGNED(__viaddmax, Sum<__het_dpx::Max>)
HET_DPX_UNSIGNED(__viaddmin, Sum<__het_dpx::Min>)
HET_DPX_RELU(__vimax, Max)
HET_DPX_RELU(__vimin, Min)
HET_DPX_PREDICATE(__vibmax, Max, s, int, short)
HET_DPX_PREDICATE(__vibmax, Max, u, unsigned, unsigned short)
HET_DPX_PREDICATE(__vibmin, Min, s, int, short)
HET_DPX_PREDICATE(__vibmin, Min, u, unsigned, unsigned short)

#undef HET_DPX_SIGNED
#undef HET_DPX_UNSIGNED
#undef HET_DPX_RELU
#undef HET_DPX_PREDICATE
#undef HET_DPX

#endif // HET_DEVICE_DPX_H
