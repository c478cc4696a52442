/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Polynomials of gamma.c: minimax (Remez exchange), coefficients rounded to double.
 */
#ifndef HET_DEVICELIB_GAMMA_POLYNOMIALS_H
#define HET_DEVICELIB_GAMMA_POLYNOMIALS_H
#include "math.h"

/* lgamma(2 + x) / x, -0.82 <= x <= 1. */
HET_LOCAL double lgammaNear2(double x) {
  double p = -0x1.55832439c1c8ep-36;
  p = fma64(p, x, 0x1.e0c09720132c8p-34);
  p = fma64(p, x, -0x1.91974887cc50dp-33);
  p = fma64(p, x, -0x1.3f0f720879ad4p-35);
  p = fma64(p, x, 0x1.fa12e3a145eeap-33);
  p = fma64(p, x, 0x1.5e1ff1dff4313p-31);
  p = fma64(p, x, -0x1.2e633606a72f2p-29);
  p = fma64(p, x, 0x1.82cf949e74553p-29);
  p = fma64(p, x, -0x1.0feb2658cb647p-28);
  p = fma64(p, x, 0x1.5b243e27e527ep-27);
  p = fma64(p, x, -0x1.9751aec8ca749p-26);
  p = fma64(p, x, 0x1.a0c162daf692p-25);
  p = fma64(p, x, -0x1.acf04286e91dbp-24);
  p = fma64(p, x, 0x1.c627ee3ded094p-23);
  p = fma64(p, x, -0x1.e29c8a9adbf45p-22);
  p = fma64(p, x, 0x1.007902fa302cap-20);
  p = fma64(p, x, -0x1.11b0eb6012eb6p-19);
  p = fma64(p, x, 0x1.2595d9a3a97fcp-18);
  p = fma64(p, x, -0x1.3cbcab3d7ebf8p-17);
  p = fma64(p, x, 0x1.580deb943f836p-16);
  p = fma64(p, x, -0x1.78de5b75d2c39p-15);
  p = fma64(p, x, 0x1.a127afb3d416bp-14);
  p = fma64(p, x, -0x1.d3fd4c7517782p-13);
  p = fma64(p, x, 0x1.0b36af8abf557p-11);
  p = fma64(p, x, -0x1.38ac5c2c098ddp-10);
  p = fma64(p, x, 0x1.7add6eada2ebdp-9);
  p = fma64(p, x, -0x1.e404fc218f0dcp-8);
  p = fma64(p, x, 0x1.51322ac7d85e3p-6);
  p = fma64(p, x, -0x1.13e001a557609p-4);
  p = fma64(p, x, 0x1.4a34cc4a60fa6p-2);
  p = fma64(p, x, 0x1.b0ee6072093cep-2);
  return p;
}

/* gamma(5/2 + x), |x| <= 1/2. */
HET_LOCAL double gammaNear25(double x) {
  double p = -0x1.75a63f09dd64ap-24;
  p = fma64(p, x, 0x1.b9bb30711d4fbp-23);
  p = fma64(p, x, -0x1.bc2bff6b64f9p-22);
  p = fma64(p, x, 0x1.1e129fd437846p-20);
  p = fma64(p, x, -0x1.58273c84a5794p-19);
  p = fma64(p, x, 0x1.e714d76861823p-18);
  p = fma64(p, x, -0x1.ad86d7476bd2bp-17);
  p = fma64(p, x, 0x1.013be5a03b6acp-14);
  p = fma64(p, x, 0x1.0885d6076afbbp-18);
  p = fma64(p, x, 0x1.8b8fcf7e2e4efp-11);
  p = fma64(p, x, 0x1.a55ed22911a15p-10);
  p = fma64(p, x, 0x1.5489cc6a42edap-7);
  p = fma64(p, x, 0x1.d0a9bc49257fap-6);
  p = fma64(p, x, 0x1.c138b89493d8ap-4);
  p = fma64(p, x, 0x1.03f6d2fa4f53cp-2);
  p = fma64(p, x, 0x1.4f224d4b7e017p-1);
  p = fma64(p, x, 0x1.de9585f1a7093p-1);
  p = fma64(p, x, 0x1.544fa6d47b39p0);
  return p;
}

/* (lgamma(z) - (z - 1/2) log z + z - log(2 pi) / 2) z, x = 1 / z^2, z >= 8. */
HET_LOCAL double stirling(double x) {
  double p = -0x1.560daad7c7bcep-6;
  p = fma64(p, x, 0x1.96eef994cb00cp-8);
  p = fma64(p, x, -0x1.f600e2b73d08fp-10);
  p = fma64(p, x, 0x1.b94f76b0744adp-11);
  p = fma64(p, x, -0x1.38137ecd809f8p-11);
  p = fma64(p, x, 0x1.a01a019ee9a07p-11);
  p = fma64(p, x, -0x1.6c16c16c16b32p-9);
  p = fma64(p, x, 0x1.5555555555555p-4);
  return p;
}

#endif
