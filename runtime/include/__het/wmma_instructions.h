// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The wmma instructions as macros, by how many registers a fragment has: r, a, b, c and d
// are its words.
// PTX ISA: Warp Level Matrix Multiply-Accumulate Instructions.

#ifndef HET_WMMA_INSTRUCTIONS_H
#define HET_WMMA_INSTRUCTIONS_H

#define HET_WMMA_LOAD_1(text, r, p, ldm)                                                 \
  asm volatile("wmma.load." text " {%0}, [%1], %2;"                                      \
               : "=r"(r[0])                                                              \
               : "l"(p), "r"(ldm)                                                        \
               : "memory")
#define HET_WMMA_LOAD_2(text, r, p, ldm)                                                 \
  asm volatile("wmma.load." text " {%0, %1}, [%2], %3;"                                  \
               : "=r"(r[0]), "=r"(r[1])                                                  \
               : "l"(p), "r"(ldm)                                                        \
               : "memory")
#define HET_WMMA_STORE_2(text, r, p, ldm)                                                \
  asm volatile("wmma.store.d." text " [%0], {%2, %3}, %1;"                               \
               :                                                                         \
               : "l"(p), "r"(ldm), "r"(r[0]), "r"(r[1])                                  \
               : "memory")
#define HET_WMMA_LOAD_4(text, r, p, ldm)                                                 \
  asm volatile("wmma.load." text " {%0, %1, %2, %3}, [%4], %5;"                          \
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])                          \
               : "l"(p), "r"(ldm)                                                        \
               : "memory")
#define HET_WMMA_STORE_4(text, r, p, ldm)                                                \
  asm volatile("wmma.store.d." text " [%0], {%2, %3, %4, %5}, %1;"                       \
               :                                                                         \
               : "l"(p), "r"(ldm), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])            \
               : "memory")
#define HET_WMMA_LOAD_8(text, r, p, ldm)                                                 \
  asm volatile("wmma.load." text " {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"          \
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), \
                 "=r"(r[6]), "=r"(r[7])                                                  \
               : "l"(p), "r"(ldm)                                                        \
               : "memory")
#define HET_WMMA_STORE_8(text, r, p, ldm)                                                \
  asm volatile("wmma.store.d." text " [%0], {%2, %3, %4, %5, %6, %7, %8, %9}, %1;"       \
               :                                                                         \
               : "l"(p), "r"(ldm), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]),           \
                 "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7])                              \
               : "memory")
#define HET_WMMA_LOAD_1d(text, r, p, ldm)                                                \
  asm volatile("wmma.load." text " {%0}, [%1], %2;"                                      \
               : "=d"(r[0])                                                              \
               : "l"(p), "r"(ldm)                                                        \
               : "memory")
#define HET_WMMA_LOAD_2d(text, r, p, ldm)                                                \
  asm volatile("wmma.load." text " {%0, %1}, [%2], %3;"                                  \
               : "=d"(r[0]), "=d"(r[1])                                                  \
               : "l"(p), "r"(ldm)                                                        \
               : "memory")
#define HET_WMMA_STORE_2d(text, r, p, ldm)                                               \
  asm volatile("wmma.store.d." text " [%0], {%2, %3}, %1;"                               \
               :                                                                         \
               : "l"(p), "r"(ldm), "d"(r[0]), "d"(r[1])                                  \
               : "memory")

// Registers of A, B, C and D.
#define HET_WMMA_MMA_8888(text, d, a, b, c)                                              \
  asm volatile(                                                                          \
      "wmma.mma." text                                                                   \
      " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, "      \
      "{%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, "   \
      "%31};"                                                                            \
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]),          \
        "=r"(d[6]), "=r"(d[7])                                                           \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]),     \
        "r"(a[7]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]),     \
        "r"(b[6]), "r"(b[7]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]),     \
        "r"(c[5]), "r"(c[6]), "r"(c[7]))
#define HET_WMMA_MMA_8848(text, d, a, b, c)                                              \
  asm volatile(                                                                          \
      "wmma.mma." text                                                                   \
      " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, "      \
      "{%16, %17, %18, %19, %20, %21, %22, %23}, {%24, %25, %26, %27};"                  \
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]),          \
        "=r"(d[6]), "=r"(d[7])                                                           \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]),     \
        "r"(a[7]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]),     \
        "r"(b[6]), "r"(b[7]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]))
#define HET_WMMA_MMA_8884(text, d, a, b, c)                                              \
  asm volatile("wmma.mma." text                                                          \
               " {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "                 \
               "{%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23, %24, "    \
               "%25, %26, %27};"                                                         \
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                          \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]),       \
                 "r"(a[6]), "r"(a[7]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]),       \
                 "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]), "r"(c[0]), "r"(c[1]),       \
                 "r"(c[2]), "r"(c[3]), "r"(c[4]), "r"(c[5]), "r"(c[6]), "r"(c[7]))
#define HET_WMMA_MMA_8844(text, d, a, b, c)                                              \
  asm volatile(                                                                          \
      "wmma.mma." text " {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "         \
      "{%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};"                  \
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                   \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]),     \
        "r"(a[7]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]),     \
        "r"(b[6]), "r"(b[7]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]))
#define HET_WMMA_MMA_4488(text, d, a, b, c)                                              \
  asm volatile("wmma.mma." text                                                          \
               " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, "                 \
               "{%12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23};"         \
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), \
                 "=r"(d[6]), "=r"(d[7])                                                  \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),       \
                 "r"(b[2]), "r"(b[3]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]),       \
                 "r"(c[4]), "r"(c[5]), "r"(c[6]), "r"(c[7]))
#define HET_WMMA_MMA_2888(text, d, a, b, c)                                              \
  asm volatile("wmma.mma." text " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, "          \
               "{%10, %11, %12, %13, %14, %15, %16, %17}, {%18, %19, %20, %21, %22, "    \
               "%23, %24, %25};"                                                         \
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), \
                 "=r"(d[6]), "=r"(d[7])                                                  \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]),       \
                 "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]), "r"(c[0]), "r"(c[1]),       \
                 "r"(c[2]), "r"(c[3]), "r"(c[4]), "r"(c[5]), "r"(c[6]), "r"(c[7]))
#define HET_WMMA_MMA_8288(text, d, a, b, c)                                              \
  asm volatile(                                                                          \
      "wmma.mma." text                                                                   \
      " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, "      \
      "{%16, %17}, {%18, %19, %20, %21, %22, %23, %24, %25};"                            \
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]),          \
        "=r"(d[6]), "=r"(d[7])                                                           \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]),     \
        "r"(a[7]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]),     \
        "r"(c[4]), "r"(c[5]), "r"(c[6]), "r"(c[7]))
#define HET_WMMA_MMA_2288(text, d, a, b, c)                                              \
  asm volatile("wmma.mma." text " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, "          \
               "{%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};"                   \
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), \
                 "=r"(d[6]), "=r"(d[7])                                                  \
               : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]),       \
                 "r"(c[2]), "r"(c[3]), "r"(c[4]), "r"(c[5]), "r"(c[6]), "r"(c[7]))
#define HET_WMMA_MMA_1488(text, d, a, b, c)                                              \
  asm volatile("wmma.mma." text " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8}, "              \
               "{%9, %10, %11, %12}, {%13, %14, %15, %16, %17, %18, %19, %20};"          \
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), \
                 "=r"(d[6]), "=r"(d[7])                                                  \
               : "r"(a[0]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(c[0]),       \
                 "r"(c[1]), "r"(c[2]), "r"(c[3]), "r"(c[4]), "r"(c[5]), "r"(c[6]),       \
                 "r"(c[7]))
#define HET_WMMA_MMA_4188(text, d, a, b, c)                                              \
  asm volatile(                                                                          \
      "wmma.mma." text " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, "         \
      "{%12}, {%13, %14, %15, %16, %17, %18, %19, %20};"                                 \
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]),          \
        "=r"(d[6]), "=r"(d[7])                                                           \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(c[0]), "r"(c[1]),     \
        "r"(c[2]), "r"(c[3]), "r"(c[4]), "r"(c[5]), "r"(c[6]), "r"(c[7]))
#define HET_WMMA_MMA_1122(text, d, a, b, c)                                              \
  asm volatile("wmma.mma." text " {%0, %1}, {%2}, "                                      \
               "{%3}, {%4, %5};"                                                         \
               : "=r"(d[0]), "=r"(d[1])                                                  \
               : "r"(a[0]), "r"(b[0]), "r"(c[0]), "r"(c[1]))
#define HET_WMMA_MMA_1122d(text, d, a, b, c)                                             \
  asm volatile("wmma.mma." text " {%0, %1}, {%2}, {%3}, {%4, %5};"                       \
               : "=d"(d[0]), "=d"(d[1])                                                  \
               : "d"(a[0]), "d"(b[0]), "d"(c[0]), "d"(c[1]))

#endif // HET_WMMA_INSTRUCTIONS_H
