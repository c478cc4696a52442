// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A type of 8, 6 or 4 bits with its pair and its four, for one format: HET_NARROW names
// them, HET_NARROW_STORAGE what they are kept in, and a code begins HET_NARROW_STEP bits
// above the one before it. What does not fit is the largest finite value.

#if !defined(HET_NARROW)
#error "__het/narrow_float_type.h is a part of cuda_fp8.h, cuda_fp6.h and cuda_fp4.h"
#endif

#define HET_CODE(bits, place)                                                            \
  (HET_NARROW_STORAGE())((bits) >> (place) * HET_NARROW_STEP &                           \
                         (1u << HET_NARROW_STEP) - 1u)
#ifndef HET_NARROW_PAIR // the codes of two numbers
#define HET_NARROW_PAIR(low, high)                                                       \
  ((unsigned)HET_NARROW_ENCODE(low) | (unsigned)HET_NARROW_ENCODE(high)                  \
                                          << HET_NARROW_STEP)
#endif
#ifndef HET_NARROW_INTEGER // an integer as a number that has the same code
#define HET_NARROW_INTEGER(i) (double)(i)
#endif

#define HET_M __host__ __device__ __inline__ __attribute__((always_inline))

struct HET_NARROW() {
  HET_NARROW_STORAGE() __x;

  HET_NARROW()() = default;
#define HET_CONSTRUCTOR(type, value)                                                     \
  explicit HET_M HET_NARROW()(const type f) : __x(HET_NARROW_ENCODE(value)) {}
  HET_CONSTRUCTOR(__half, __half2float(f))
  HET_CONSTRUCTOR(__nv_bfloat16, __bfloat162float(f))
  HET_CONSTRUCTOR(float, f)
  HET_CONSTRUCTOR(double, f)
  HET_CONSTRUCTOR(short int, HET_NARROW_INTEGER(f))
  HET_CONSTRUCTOR(unsigned short int, HET_NARROW_INTEGER(f))
  HET_CONSTRUCTOR(int, HET_NARROW_INTEGER(f))
  HET_CONSTRUCTOR(unsigned int, HET_NARROW_INTEGER(f))
  HET_CONSTRUCTOR(long int, HET_NARROW_INTEGER(f))
  HET_CONSTRUCTOR(unsigned long int, HET_NARROW_INTEGER(f))
  HET_CONSTRUCTOR(long long int, HET_NARROW_INTEGER(f))
  HET_CONSTRUCTOR(unsigned long long int, HET_NARROW_INTEGER(f))
#undef HET_CONSTRUCTOR
  explicit HET_M operator __half() const { return __float2half(HET_NARROW_DECODE(__x)); }
  explicit HET_M operator __nv_bfloat16() const {
    return __float2bfloat16(HET_NARROW_DECODE(__x));
  }
  explicit HET_M operator float() const { return HET_NARROW_DECODE(__x); }
  explicit HET_M operator double() const { return (double)HET_NARROW_DECODE(__x); }
  explicit HET_M operator bool() const { return HET_NARROW_DECODE(__x) != 0.0f; }
#define HET_CONVERSION(type, function)                                                   \
  explicit HET_M operator type() const {                                                 \
    return (type)__het_to_##function##_rz(HET_NARROW_DECODE(__x));                       \
  }
#define HET_CONVERSION_CLAMPED(type, least, most)                                        \
  explicit HET_M operator type() const {                                                 \
    return (type)__het_clamp(__het_to_int_rz(HET_NARROW_DECODE(__x)), least, most);      \
  }
  HET_CONVERSION_CLAMPED(char, (char)-1 < 0 ? -128 : 0, (char)-1 < 0 ? 127 : 255)
  HET_CONVERSION_CLAMPED(signed char, -128, 127)
  HET_CONVERSION_CLAMPED(unsigned char, 0, 255)
  HET_CONVERSION_CLAMPED(short int, -32768, 32767)
  HET_CONVERSION_CLAMPED(unsigned short int, 0, 65535)
  HET_CONVERSION(int, int)
  HET_CONVERSION(unsigned int, uint)
  HET_CONVERSION(long int, ll)
  HET_CONVERSION(unsigned long int, ull)
  HET_CONVERSION(long long int, ll)
  HET_CONVERSION(unsigned long long int, ull)
#undef HET_CONVERSION
#undef HET_CONVERSION_CLAMPED
};

struct __align__(sizeof(HET_NARROW_STORAGE(x2))) HET_NARROW(x2) {
  HET_NARROW_STORAGE(x2) __x;

  HET_NARROW(x2)() = default;
#define HET_CONSTRUCTOR(type, low, high)                                                 \
  explicit HET_M HET_NARROW(x2)(const type f)                                            \
      : __x((HET_NARROW_STORAGE(x2))HET_NARROW_PAIR(low, high)) {}
  HET_CONSTRUCTOR(__half2, __half2float(f.x), __half2float(f.y))
  HET_CONSTRUCTOR(__nv_bfloat162, __bfloat162float(f.x), __bfloat162float(f.y))
  HET_CONSTRUCTOR(float2, f.x, f.y)
  HET_CONSTRUCTOR(double2, f.x, f.y)
#undef HET_CONSTRUCTOR
  explicit HET_M operator float2() const {
    float2 made;
    made.x = HET_NARROW_DECODE(HET_CODE(__x, 0));
    made.y = HET_NARROW_DECODE(HET_CODE(__x, 1));
    return made;
  }
  explicit HET_M operator __half2() const {
    const float2 both = (float2) * this;
    return __floats2half2_rn(both.x, both.y);
  }
  explicit HET_M operator __nv_bfloat162() const {
    const float2 both = (float2) * this;
    return __floats2bfloat162_rn(both.x, both.y);
  }
};

struct __align__(sizeof(HET_NARROW_STORAGE(x4))) HET_NARROW(x4) {
  HET_NARROW_STORAGE(x4) __x;

  HET_NARROW(x4)() = default;
#define HET_CONSTRUCTOR(type)                                                            \
  explicit HET_M HET_NARROW(x4)(const type f)                                            \
      : __x((HET_NARROW_STORAGE(x4))((unsigned)HET_NARROW_PAIR(f.x, f.y) |               \
                                     (unsigned)HET_NARROW_PAIR(f.z, f.w)                 \
                                         << 2 * HET_NARROW_STEP)) {}
  HET_CONSTRUCTOR(float4)
  HET_CONSTRUCTOR(double4)
#undef HET_CONSTRUCTOR
#define HET_CONSTRUCTOR(type)                                                            \
  explicit HET_M HET_NARROW(x4)(const type low, const type high)                         \
      : __x((HET_NARROW_STORAGE(x4))(HET_NARROW(x2)(low).__x |                           \
                                     (unsigned)HET_NARROW(x2)(high).__x                  \
                                         << 2 * HET_NARROW_STEP)) {}
  HET_CONSTRUCTOR(__half2)
  HET_CONSTRUCTOR(__nv_bfloat162)
#undef HET_CONSTRUCTOR
  explicit HET_M operator float4() const {
    float4 made;
    made.x = HET_NARROW_DECODE(HET_CODE(__x, 0));
    made.y = HET_NARROW_DECODE(HET_CODE(__x, 1));
    made.z = HET_NARROW_DECODE(HET_CODE(__x, 2));
    made.w = HET_NARROW_DECODE(HET_CODE(__x, 3));
    return made;
  }
};

#undef HET_M
#undef HET_CODE
#undef HET_NARROW
#undef HET_NARROW_ENCODE
#undef HET_NARROW_DECODE
#undef HET_NARROW_PAIR
#undef HET_NARROW_INTEGER
