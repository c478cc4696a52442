/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Polynomials of bessel_i.c: minimax (Remez exchange), coefficients rounded to double.
 */
#ifndef HET_DEVICELIB_BESSEL_I_POLYNOMIALS_H
#define HET_DEVICELIB_BESSEL_I_POLYNOMIALS_H
#include "math.h"

/* I0(8 sqrt(x)), x <= 1. */
HET_LOCAL double i0Low(double x) {
  double p = 0x1.1caf6f4328b32p-20;
  p = fma64(p, x, 0x1.108bd3f519eaap-17);
  p = fma64(p, x, 0x1.f2a2c74876b1p-14);
  p = fma64(p, x, 0x1.40a5e3f3155c3p-10);
  p = fma64(p, x, 0x1.69e61df785005p-7);
  p = fma64(p, x, 0x1.55ff4dab97acdp-4);
  p = fma64(p, x, 0x1.0b3153e3cd329p-1);
  p = fma64(p, x, 0x1.522a41270dad8p1);
  p = fma64(p, x, 0x1.522a4421867fbp3);
  p = fma64(p, x, 0x1.02e85c06c9c41p5);
  p = fma64(p, x, 0x1.23456789c5ddbp6);
  p = fma64(p, x, 0x1.c71c71c71a945p6);
  p = fma64(p, x, 0x1.c71c71c71c85bp6);
  p = fma64(p, x, 0x1.ffffffffffff3p5);
  p = fma64(p, x, 0x1.0p4);
  p = fma64(p, x, 0x1.0p0);
  return p;
}

/* I1(z) / z, z = 8 sqrt(x), x <= 1. */
HET_LOCAL double i1Low(double x) {
  double p = 0x1.17cf1d03b7877p-25;
  p = fma64(p, x, 0x1.26fd779e52191p-22);
  p = fma64(p, x, 0x1.1c18864f7bf5bp-18);
  p = fma64(p, x, 0x1.8ad6a6ed357a7p-15);
  p = fma64(p, x, 0x1.e2808a96b3ac9p-12);
  p = fma64(p, x, 0x1.f17427c476ae8p-9);
  p = fma64(p, x, 0x1.ab82105e69a17p-6);
  p = fma64(p, x, 0x1.2c97572feeb0dp-3);
  p = fma64(p, x, 0x1.522a441147b89p-1);
  p = fma64(p, x, 0x1.27e4fb76583dap1);
  p = fma64(p, x, 0x1.845c8a0cf772ap2);
  p = fma64(p, x, 0x1.6c16c16c160bcp3);
  p = fma64(p, x, 0x1.c71c71c71c7a1p3);
  p = fma64(p, x, 0x1.5555555555552p3);
  p = fma64(p, x, 0x1.0p2);
  p = fma64(p, x, 0x1.0p-1);
  return p;
}

/* I0(z) sqrt(z) / exp(z), x = 8/z - 5/8, 8 <= z <= 32. */
HET_LOCAL double i0Middle(double x) {
  double p = -0x1.bf566bc3c24dp-12;
  p = fma64(p, x, 0x1.cdcf0be3ae8cfp-13);
  p = fma64(p, x, 0x1.1405f57b8f4a1p-11);
  p = fma64(p, x, -0x1.50f1bf5a4546dp-12);
  p = fma64(p, x, -0x1.49779d93d6a4ep-12);
  p = fma64(p, x, 0x1.fcb0e6294e997p-13);
  p = fma64(p, x, 0x1.11884ac31b877p-13);
  p = fma64(p, x, -0x1.16e615240a934p-13);
  p = fma64(p, x, -0x1.bdfc0e140b7b4p-15);
  p = fma64(p, x, 0x1.019c4b12a6947p-14);
  p = fma64(p, x, 0x1.05e0080f980cep-15);
  p = fma64(p, x, -0x1.6bd2efc25d4dbp-16);
  p = fma64(p, x, -0x1.87fec4326640ap-16);
  p = fma64(p, x, -0x1.b7b1b17dbf6ebp-19);
  p = fma64(p, x, 0x1.2a5c0cb569468p-17);
  p = fma64(p, x, 0x1.9f4e0a48144a4p-17);
  p = fma64(p, x, 0x1.0d2e2887f0931p-16);
  p = fma64(p, x, 0x1.07edbb5cd4f31p-15);
  p = fma64(p, x, 0x1.af13977d75f73p-14);
  p = fma64(p, x, 0x1.3078375f219e3p-11);
  p = fma64(p, x, 0x1.c1b02c176d4dp-8);
  p = fma64(p, x, 0x1.9cb2accf14128p-2);
  return p;
}

/* I0(z) sqrt(z) / exp(z), x = 8 / z, z >= 32. */
HET_LOCAL double i0High(double x) {
  double p = 0x1.4df78e71d34c3p-24;
  p = fma64(p, x, -0x1.c911a72216983p-25);
  p = fma64(p, x, 0x1.195fbda070f5ep-24);
  p = fma64(p, x, 0x1.cd48b69c301a2p-26);
  p = fma64(p, x, 0x1.458b66b64cf5bp-24);
  p = fma64(p, x, 0x1.34fab9f9d656ep-23);
  p = fma64(p, x, 0x1.60f929eb83f43p-22);
  p = fma64(p, x, 0x1.d3c002d805d22p-21);
  p = fma64(p, x, 0x1.731c2039c4c4cp-19);
  p = fma64(p, x, 0x1.6e8739678fd3ep-17);
  p = fma64(p, x, 0x1.debb118bd7babp-15);
  p = fma64(p, x, 0x1.cb94dda4ebcbp-12);
  p = fma64(p, x, 0x1.9884533d43651p-8);
  p = fma64(p, x, 0x1.9884533d43651p-2);
  return p;
}

/* I1(z) sqrt(z) / exp(z), x = 8/z - 5/8, 8 <= z <= 32. */
HET_LOCAL double i1Middle(double x) {
  double p = 0x1.6072c001acee5p-11;
  p = fma64(p, x, -0x1.1b101fb6524c7p-12);
  p = fma64(p, x, -0x1.7d301c0115d97p-11);
  p = fma64(p, x, 0x1.82779226c89f5p-12);
  p = fma64(p, x, 0x1.91bd096f77552p-12);
  p = fma64(p, x, -0x1.16e2ea62d5434p-12);
  p = fma64(p, x, -0x1.29ced50a26339p-13);
  p = fma64(p, x, 0x1.2afee75b548acp-13);
  p = fma64(p, x, 0x1.bfefc2b61552cp-15);
  p = fma64(p, x, -0x1.1416cc58554fcp-14);
  p = fma64(p, x, -0x1.06876aaffdd8cp-15);
  p = fma64(p, x, 0x1.9178c5912624ep-16);
  p = fma64(p, x, 0x1.9ab02ce95f598p-16);
  p = fma64(p, x, 0x1.82e33ccdbf5d5p-19);
  p = fma64(p, x, -0x1.4e203bfddfe09p-17);
  p = fma64(p, x, -0x1.ce5ef746140a6p-17);
  p = fma64(p, x, -0x1.35631549d32bep-16);
  p = fma64(p, x, -0x1.4163294c2b36p-15);
  p = fma64(p, x, -0x1.1f638e948a051p-13);
  p = fma64(p, x, -0x1.e4fefa11a1eccp-11);
  p = fma64(p, x, -0x1.432999db9fea8p-6);
  p = fma64(p, x, 0x1.8c3bdda660b67p-2);
  return p;
}

/* I1(z) sqrt(z) / exp(z), x = 8 / z, z >= 32. */
HET_LOCAL double i1High(double x) {
  double p = -0x1.65384e4e5dd3cp-24;
  p = fma64(p, x, 0x1.e471dcd31fdb9p-25);
  p = fma64(p, x, -0x1.2f38a005a310ep-24);
  p = fma64(p, x, -0x1.039cdea98e338p-25);
  p = fma64(p, x, -0x1.6b1c75a24e74p-24);
  p = fma64(p, x, -0x1.5e418b559f2e8p-23);
  p = fma64(p, x, -0x1.974550600c22ap-22);
  p = fma64(p, x, -0x1.1465de449619bp-20);
  p = fma64(p, x, -0x1.c59426f133bb1p-19);
  p = fma64(p, x, -0x1.d740253da27e2p-17);
  p = fma64(p, x, -0x1.4f1c8c4848187p-14);
  p = fma64(p, x, -0x1.7efc0e096f2b2p-11);
  p = fma64(p, x, -0x1.32633e6df28bcp-6);
  p = fma64(p, x, 0x1.9884533d43651p-2);
  return p;
}

#endif
