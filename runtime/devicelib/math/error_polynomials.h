/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Polynomials of error.c: minimax (Remez exchange), coefficients rounded to double.
 */
#ifndef HET_DEVICELIB_ERROR_POLYNOMIALS_H
#define HET_DEVICELIB_ERROR_POLYNOMIALS_H
#include "math.h"

/* (1 + 2 z) erfcx(z), x = (z - 4) / (z + 4), z >= 0. */
HET_LOCAL double erfcxMapped(double x) {
  double p = 0x1.c47f1fc3970d7p-42;
  p = fma64(p, x, 0x1.71a949d7f07cep-41);
  p = fma64(p, x, -0x1.d6931d26af817p-38);
  p = fma64(p, x, -0x1.819927ec91367p-37);
  p = fma64(p, x, 0x1.03861da268f63p-34);
  p = fma64(p, x, 0x1.ba58cf36f6ec2p-34);
  p = fma64(p, x, -0x1.b151105087997p-32);
  p = fma64(p, x, -0x1.822939b8780e8p-31);
  p = fma64(p, x, 0x1.4e4415f4d6e55p-29);
  p = fma64(p, x, 0x1.2319687e95d3ep-28);
  p = fma64(p, x, -0x1.0e4195ff67bbbp-26);
  p = fma64(p, x, -0x1.7d5c06f162ed3p-26);
  p = fma64(p, x, 0x1.dd918a0a8f92ep-24);
  p = fma64(p, x, 0x1.53edf8256018ep-24);
  p = fma64(p, x, -0x1.bb501b3e62274p-21);
  p = fma64(p, x, 0x1.383d32a661972p-22);
  p = fma64(p, x, 0x1.7f2ab81088448p-18);
  p = fma64(p, x, -0x1.788130f041243p-17);
  p = fma64(p, x, -0x1.995955c1a23fcp-16);
  p = fma64(p, x, 0x1.3be0317ed425bp-13);
  p = fma64(p, x, -0x1.a1df2566c6d06p-13);
  p = fma64(p, x, -0x1.8d4a9982a2784p-11);
  p = fma64(p, x, 0x1.49c6728681781p-8);
  p = fma64(p, x, -0x1.0962388553c25p-6);
  p = fma64(p, x, 0x1.3079edf680c39p-5);
  p = fma64(p, x, -0x1.0fb06dfe488edp-4);
  p = fma64(p, x, 0x1.7fee004e1268dp-4);
  p = fma64(p, x, -0x1.9ddb23c3e910dp-4);
  p = fma64(p, x, 0x1.16ecefcfa5388p-4);
  p = fma64(p, x, 0x1.f7f5df66fd7bcp-7);
  p = fma64(p, x, -0x1.1df1ad154a28ep-3);
  p = fma64(p, x, 0x1.3ba5916e9fd7fp0);
  return p;
}

/* erfinv(z) / z to 2^-29, x = z^2, z <= 1/2. */
HET_LOCAL double inverseNear0(double x) {
  double p = 0x1.a0756f9c8c581p-4;
  p = fma64(p, x, 0x1.b87f351e5aaacp-6);
  p = fma64(p, x, 0x1.1db61c7e21b79p-4);
  p = fma64(p, x, 0x1.60a20406a3665p-4);
  p = fma64(p, x, 0x1.0547077b99cebp-3);
  p = fma64(p, x, 0x1.db29cca541319p-3);
  p = fma64(p, x, 0x1.c5bf892369e8bp-1);
  return p;
}

#endif
