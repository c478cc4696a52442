/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Polynomials of gamma.c: minimax (Remez exchange), coefficients rounded to double.
 */
#ifndef HET_DEVICELIB_GAMMA_POLYNOMIALS_H
#define HET_DEVICELIB_GAMMA_POLYNOMIALS_H
#include "math.h"

/* lgamma(2 + x) / x, -1/2 <= x <= 1. */
HET_LOCAL double lgammaNear2(double x) {
  double p = -0x1.b74a3f7147357p-36;
  p = fma64(p, x, 0x1.047772ee1033ep-32);
  p = fma64(p, x, -0x1.1ae4ea84bfc6ep-30);
  p = fma64(p, x, 0x1.81168b29d097cp-29);
  p = fma64(p, x, -0x1.8e2cd86ee33dp-28);
  p = fma64(p, x, 0x1.7c4b4cfcf9bd5p-27);
  p = fma64(p, x, -0x1.7f9b469081c67p-26);
  p = fma64(p, x, 0x1.96393f25947a3p-25);
  p = fma64(p, x, -0x1.af858bdf3d752p-24);
  p = fma64(p, x, 0x1.c7ebd3584e04ap-23);
  p = fma64(p, x, -0x1.e2706e5bb9474p-22);
  p = fma64(p, x, 0x1.005fcc80cb24fp-20);
  p = fma64(p, x, -0x1.11b1b564741dep-19);
  p = fma64(p, x, 0x1.2597e01c45028p-18);
  p = fma64(p, x, -0x1.3cbcac64dafaep-17);
  p = fma64(p, x, 0x1.580dcd28f65a1p-16);
  p = fma64(p, x, -0x1.78de5adfa0c7ap-15);
  p = fma64(p, x, 0x1.a127b0f925886p-14);
  p = fma64(p, x, -0x1.d3fd4c7dc2641p-13);
  p = fma64(p, x, 0x1.0b36af862de5p-11);
  p = fma64(p, x, -0x1.38ac5c2be98bdp-10);
  p = fma64(p, x, 0x1.7add6eadb6eecp-9);
  p = fma64(p, x, -0x1.e404fc218f845p-8);
  p = fma64(p, x, 0x1.51322ac7d847fp-6);
  p = fma64(p, x, -0x1.13e001a557606p-4);
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
