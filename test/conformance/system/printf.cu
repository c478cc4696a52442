// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf in kernels: flags, widths, precisions, sizes, strings, pointers, %%,
// up to 32 arguments, and its result, the number of arguments.
// CUDA C++ Programming Guide: Formatted Output.

#include "Inputs/capture.h"

__global__ void formats(int *results) {
  int i = 0;
  results[i++] =
      printf("%d %i %u %o %x %X %c\n", -42, 42, 42u, 42, 0xbeef, 0xBEEF, 'q');
  results[i++] = printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%#x] [%#o]\n", 42, 42,
                        42, 42, 42, 255, 8);
  results[i++] = printf("[%.3d] [%8.3d] [%-8.3d]\n", 7, 7, 7);
  results[i++] = printf("%ld %lld %lu %llu %hd\n", -1L, -5000000000LL, 1UL,
                        18446744073709551615ULL, (short)-3);
  results[i++] = printf("%f %e %g %a %.2f %10.3f %-10.1f|\n", 1.5, 12345.678,
                        0.0001, 1.0, 3.14159, 2.71828, 9.96);
  results[i++] = printf("%F %E %G %f %f %f\n", 1.5, 1e-10, 1e20, 1.0 / 0.0,
                        -1.0 / 0.0, 0.1f);
  results[i++] =
      printf("%s|%10s|%-10s|%.2s|\n", "text", "right", "left", "cut");
  results[i++] = printf("100%% done\n");
  results[i++] = printf("%p\n", (void *)0x1234abcd);
  results[i++] = printf("no arguments\n");
  results[i++] = printf(
      "%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d\n", 0,
      1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5,
      6, 7, 8, 9, 0, 1);
  results[i++] = printf("");
}

int main() {
  check::Array<int> results(12);
  std::string text = check::capture(1, [&] {
    formats<<<1, 1>>>(results);
    cudaDeviceSynchronize();
  });
  CUDA_DONE();
  CHECK_TEXT(text,
             "-42 42 42 52 beef BEEF q\n"
             "[   42] [42   ] [00042] [+42] [ 42] [0xff] [010]\n"
             "[007] [     007] [007     ]\n"
             "-1 -5000000000 1 18446744073709551615 -3\n"
             "1.500000 1.234568e+04 0.0001 0x1p+0 3.14      2.718 10.0      |\n"
             "1.500000 1.000000E-10 1E+20 inf -inf 0.100000\n"
             "text|     right|left      |cu|\n"
             "100% done\n"
             "0x1234abcd\n"
             "no arguments\n"
             "01234567890123456789012345678901\n");
  const int want[12] = {7, 7, 3, 5, 7, 6, 4, 0, 1, 0, 32, 0};
  results.get();
  for (int i = 0; i < 12; ++i)
    CHECK_AT(i, results.host[i], want[i]);
  return check::finish("printf");
}
