/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Polynomials of bessel.c: minimax (Remez exchange), coefficients rounded to double. Zeros
 * of the functions are divided out, so that results near them stay relatively exact.
 */
#ifndef HET_DEVICELIB_BESSEL_POLYNOMIALS_H
#define HET_DEVICELIB_BESSEL_POLYNOMIALS_H
#include "math.h"

/* j0(sqrt(x + 8)) / (x + 8 - a^2), a its first zero, |x| <= 8. */
HET_LOCAL double j0Low(double x) {
  double p = 0x1.134fd2152f9b2p-82;
  p = fma64(p, x, -0x1.334432b3898d9p-73);
  p = fma64(p, x, 0x1.1e14388752805p-64);
  p = fma64(p, x, -0x1.b72e601d99b6fp-56);
  p = fma64(p, x, 0x1.0fff1f79bd727p-47);
  p = fma64(p, x, -0x1.08c6212623825p-39);
  p = fma64(p, x, 0x1.87a4ac4405536p-32);
  p = fma64(p, x, -0x1.a4b2380ccc146p-25);
  p = fma64(p, x, 0x1.33fa04134f0a7p-18);
  p = fma64(p, x, -0x1.17057235d9c2bp-12);
  p = fma64(p, x, 0x1.08d902d0bf62p-7);
  p = fma64(p, x, -0x1.6b2948e843e2bp-4);
  return p;
}

/* j0(sqrt(x + 40)) / (x + 40 - b^2), b its second zero, |x| <= 24. */
HET_LOCAL double j0High(double x) {
  double p = 0x1.297bffe6a8a7dp-142;
  p = fma64(p, x, -0x1.7029f34e8cb1fp-132);
  p = fma64(p, x, 0x1.916b4dea00bc4p-122);
  p = fma64(p, x, -0x1.82960cd4f428fp-112);
  p = fma64(p, x, 0x1.4583491b7d325p-102);
  p = fma64(p, x, -0x1.da7494c493de1p-93);
  p = fma64(p, x, 0x1.27c027691fd48p-83);
  p = fma64(p, x, -0x1.36f5201645024p-74);
  p = fma64(p, x, 0x1.0f106ed2ae9f4p-65);
  p = fma64(p, x, -0x1.7f91bf587a4d1p-57);
  p = fma64(p, x, 0x1.acac941d32a54p-49);
  p = fma64(p, x, -0x1.6cb3c6af1d886p-41);
  p = fma64(p, x, 0x1.bfdb0f3c189fcp-34);
  p = fma64(p, x, -0x1.6b97fcbf521ddp-27);
  p = fma64(p, x, 0x1.43a5fd24b1f71p-21);
  p = fma64(p, x, -0x1.dd85a06afee4fp-18);
  p = fma64(p, x, -0x1.bbe882f9ca954p-11);
  p = fma64(p, x, 0x1.897b22251c27p-6);
  return p;
}

/* j1(s) / s / (x + 8 - a^2), s = sqrt(x + 8), a its first zero, |x| <= 8. */
HET_LOCAL double j1Low(double x) {
  double p = 0x1.52e9c3433c16ep-87;
  p = fma64(p, x, -0x1.98fd3bb6b74d6p-78);
  p = fma64(p, x, 0x1.9f4d48af018d3p-69);
  p = fma64(p, x, -0x1.5e83fd735a72bp-60);
  p = fma64(p, x, 0x1.e2249b0c45074p-52);
  p = fma64(p, x, -0x1.07cd7fb37d1e4p-43);
  p = fma64(p, x, 0x1.bd76179b2a297p-36);
  p = fma64(p, x, -0x1.16aa83736c7b8p-28);
  p = fma64(p, x, 0x1.e84c1e7be0353p-22);
  p = fma64(p, x, -0x1.13333a854ed9p-15);
  p = fma64(p, x, 0x1.5910c675e079ap-10);
  p = fma64(p, x, -0x1.5aeded077f525p-6);
  return p;
}

/* j1(s) / s / (x + 40 - b^2), s = sqrt(x + 40), b its second zero, |x| <= 24. */
HET_LOCAL double j1High(double x) {
  double p = 0x1.009b247c20122p-147;
  p = fma64(p, x, -0x1.4c7f75ae59319p-137);
  p = fma64(p, x, 0x1.80a6d23d0e912p-127);
  p = fma64(p, x, -0x1.8a87c6c90f4e5p-117);
  p = fma64(p, x, 0x1.635f16077f6c3p-107);
  p = fma64(p, x, -0x1.167a1388d1cbp-97);
  p = fma64(p, x, 0x1.778f151049f91p-88);
  p = fma64(p, x, -0x1.ae3dd57572ca4p-79);
  p = fma64(p, x, 0x1.9c40806aa0508p-70);
  p = fma64(p, x, -0x1.442c7b7dc33e7p-61);
  p = fma64(p, x, 0x1.987dd27d3c87ep-53);
  p = fma64(p, x, -0x1.8faffc714eddbp-45);
  p = fma64(p, x, 0x1.22c2ab7d8318dp-37);
  p = fma64(p, x, -0x1.2696d786aad8ap-30);
  p = fma64(p, x, 0x1.72629a8f4ae19p-24);
  p = fma64(p, x, -0x1.b0543aca27955p-19);
  p = fma64(p, x, -0x1.6822ab5784ed7p-16);
  p = fma64(p, x, 0x1.c58516ec590cap-9);
  return p;
}

/* (y0(s) - 2/pi (log(s/2) + gamma) j0(s)) / x, s = sqrt(x) <= 1/2. */
HET_LOCAL double y0Tiny(double x) {
  double p = 0x1.15ec8b3866a15p-38;
  p = fma64(p, x, -0x1.93d1b8540ff2fp-31);
  p = fma64(p, x, 0x1.a76566519f0ddp-24);
  p = fma64(p, x, -0x1.2dce0fd5a69ecp-17);
  p = fma64(p, x, 0x1.09969d4b7609ap-11);
  p = fma64(p, x, -0x1.e8ec8a4aeacc4p-7);
  p = fma64(p, x, 0x1.45f306dc9c883p-3);
  return p;
}

/* y0(x + 3/4) / (x + 3/4 - zero), |x| <= 1/4. */
HET_LOCAL double y0Half(double x) {
  double p = 0x1.6adc8ed4b1239p3;
  p = fma64(p, x, -0x1.16c2fb621e21bp3);
  p = fma64(p, x, 0x1.c435943e31c72p1);
  p = fma64(p, x, -0x1.72377ee5efce8p1);
  p = fma64(p, x, 0x1.5ee87b22b552ep1);
  p = fma64(p, x, -0x1.18f3367f4d954p1);
  p = fma64(p, x, 0x1.be816aaa90b15p0);
  p = fma64(p, x, -0x1.6b1aca7a7378dp0);
  p = fma64(p, x, 0x1.298a253d2664dp0);
  p = fma64(p, x, -0x1.eb280b13ef02ap-1);
  p = fma64(p, x, 0x1.996fe9a8e5488p-1);
  p = fma64(p, x, -0x1.59847e6b65b79p-1);
  p = fma64(p, x, 0x1.2809d011afb19p-1);
  p = fma64(p, x, -0x1.02cf485500534p-1);
  p = fma64(p, x, 0x1.d1c7b11b7a5bap-2);
  p = fma64(p, x, -0x1.a355e5b075c2bp-2);
  p = fma64(p, x, 0x1.691fa3b967bc5p-2);
  p = fma64(p, x, -0x1.251ff70241c1fp-1);
  p = fma64(p, x, 0x1.e929951b8b12ap-1);
  return p;
}

/* y0(x + 3/2) / (x + 3/2 - zero), |x| <= 1/2. */
HET_LOCAL double y0One(double x) {
  double p = 0x1.54cb687e71976p-15;
  p = fma64(p, x, -0x1.0b0a9663c40c5p-14);
  p = fma64(p, x, 0x1.b68d6eeba3ff7p-15);
  p = fma64(p, x, -0x1.5f0b8f2ef0455p-14);
  p = fma64(p, x, 0x1.4b6e789d86c8cp-13);
  p = fma64(p, x, -0x1.091eaba72e02ap-12);
  p = fma64(p, x, 0x1.a370123ab7ad9p-12);
  p = fma64(p, x, -0x1.533537d696429p-11);
  p = fma64(p, x, 0x1.143c66a4ab637p-10);
  p = fma64(p, x, -0x1.c4984ce60c1c2p-10);
  p = fma64(p, x, 0x1.75cee8b307acdp-9);
  p = fma64(p, x, -0x1.37532f22f21bcp-8);
  p = fma64(p, x, 0x1.06a4e2c7a4c6ap-7);
  p = fma64(p, x, -0x1.cfed1b6b4d2e6p-7);
  p = fma64(p, x, 0x1.94bcd58dd8c7dp-6);
  p = fma64(p, x, -0x1.c9916e826a18fp-6);
  p = fma64(p, x, 0x1.a84dff70202c1p-5);
  p = fma64(p, x, -0x1.70b648788e1fdp-2);
  p = fma64(p, x, 0x1.42e656572461cp-1);
  return p;
}

/* y0(x + 3) / (x + 3 - zero), |x| <= 1. */
HET_LOCAL double y0Two(double x) {
  double p = 0x1.59b5840fcf6c7p-35;
  p = fma64(p, x, -0x1.f315454dad30cp-34);
  p = fma64(p, x, 0x1.7b3e17eca1058p-33);
  p = fma64(p, x, -0x1.48b21f68e5f16p-31);
  p = fma64(p, x, 0x1.3a30efabd861fp-29);
  p = fma64(p, x, -0x1.f116bd7677302p-28);
  p = fma64(p, x, 0x1.8842a27629d3p-26);
  p = fma64(p, x, -0x1.3dabed615a811p-24);
  p = fma64(p, x, 0x1.08ed41d188c21p-22);
  p = fma64(p, x, -0x1.adf90ad959802p-21);
  p = fma64(p, x, 0x1.009f471bfc182p-19);
  p = fma64(p, x, -0x1.ea4209762708fp-18);
  p = fma64(p, x, 0x1.5df99c9f99f4fp-14);
  p = fma64(p, x, -0x1.84a4e0208a8e6p-13);
  p = fma64(p, x, -0x1.2a9dc4eb2b92bp-9);
  p = fma64(p, x, 0x1.2a058a0c2797ep-9);
  p = fma64(p, x, 0x1.0b103d5462631p-4);
  p = fma64(p, x, -0x1.26622ea2e19f7p-4);
  p = fma64(p, x, -0x1.92f2a2e3bc7d8p-2);
  return p;
}

/* y0(x + 6) / (x + 6 - zero), |x| <= 2. */
HET_LOCAL double y0Four(double x) {
  double p = 0x1.bc08e2a642ad5p-54;
  p = fma64(p, x, -0x1.025d8d85ddf5cp-51);
  p = fma64(p, x, 0x1.bf12be04774b4p-50);
  p = fma64(p, x, -0x1.d6c3ff1bc7a71p-47);
  p = fma64(p, x, -0x1.1cd85444df3ecp-44);
  p = fma64(p, x, 0x1.fc7d34dfc2ddp-42);
  p = fma64(p, x, 0x1.26e08688b1226p-35);
  p = fma64(p, x, -0x1.b95decd0ac842p-33);
  p = fma64(p, x, -0x1.54dfb7ac8e1c6p-28);
  p = fma64(p, x, 0x1.c3a722da79a93p-26);
  p = fma64(p, x, 0x1.4233c0827c61fp-21);
  p = fma64(p, x, -0x1.79e39d7cd42bap-19);
  p = fma64(p, x, -0x1.7f03c5ae37ed5p-15);
  p = fma64(p, x, 0x1.7b9340ab5ac2p-13);
  p = fma64(p, x, 0x1.0ebbcd72ab5f4p-9);
  p = fma64(p, x, -0x1.ac583870863c6p-8);
  p = fma64(p, x, -0x1.5d674629dd695p-5);
  p = fma64(p, x, 0x1.54c0394c18d59p-4);
  p = fma64(p, x, 0x1.0fba92f0eb262p-2);
  return p;
}

/* (y1(s) + 2/(pi s) - 2/pi (log(s/2) + gamma) j1(s)) / s, s = sqrt(x) <= 1. */
HET_LOCAL double y1Tiny(double x) {
  double p = -0x1.05dfac869a56p-50;
  p = fma64(p, x, 0x1.1dcccf27bbeb3p-42);
  p = fma64(p, x, -0x1.daf78d625ad28p-35);
  p = fma64(p, x, 0x1.2490cffe5b45ep-27);
  p = fma64(p, x, -0x1.fa11067b42ffap-21);
  p = fma64(p, x, 0x1.1bb256909b2f7p-14);
  p = fma64(p, x, -0x1.6a2a7966e6d03p-9);
  p = fma64(p, x, 0x1.976fc893c3aa3p-5);
  p = fma64(p, x, -0x1.45f306dc9c883p-3);
  return p;
}

/* y1(x + 3/2) / (x + 3/2 - zero), |x| <= 1/2. */
HET_LOCAL double y1One(double x) {
  double p = 0x1.efc5264391834p-13;
  p = fma64(p, x, -0x1.63f03333ffbdcp-12);
  p = fma64(p, x, 0x1.dedbb2b7347d4p-13);
  p = fma64(p, x, -0x1.78a68c18a7422p-12);
  p = fma64(p, x, 0x1.63cd7d712c2a9p-11);
  p = fma64(p, x, -0x1.088be26c20593p-10);
  p = fma64(p, x, 0x1.8259d76d8d607p-10);
  p = fma64(p, x, -0x1.21a13b767894fp-9);
  p = fma64(p, x, 0x1.b27d3363665f7p-9);
  p = fma64(p, x, -0x1.4514bd57b33a8p-8);
  p = fma64(p, x, 0x1.e60fa7130ad42p-8);
  p = fma64(p, x, -0x1.6ae18d9e776dcp-7);
  p = fma64(p, x, 0x1.0d796b9611537p-6);
  p = fma64(p, x, -0x1.91007623e3442p-6);
  p = fma64(p, x, 0x1.3d33a2b422b3fp-5);
  p = fma64(p, x, -0x1.b70a4e2c0f476p-5);
  p = fma64(p, x, 0x1.d8b6eb4b49c8dp-7);
  p = fma64(p, x, -0x1.83274e79c973ep-4);
  p = fma64(p, x, 0x1.2ecf9975a0609p-1);
  return p;
}

/* y1(x + 3) / (x + 3 - zero), |x| <= 1. */
HET_LOCAL double y1Two(double x) {
  double p = 0x1.cff8409e4045fp-32;
  p = fma64(p, x, -0x1.61399eff2482ap-30);
  p = fma64(p, x, 0x1.f836f9232c01fp-30);
  p = fma64(p, x, -0x1.72ee3bdb93dep-28);
  p = fma64(p, x, 0x1.5b1fce5f35191p-26);
  p = fma64(p, x, -0x1.045e5f5bb2b5bp-24);
  p = fma64(p, x, 0x1.7b9cfc02ed678p-23);
  p = fma64(p, x, -0x1.1b1e13fac5982p-21);
  p = fma64(p, x, 0x1.a6f9d8637055ep-20);
  p = fma64(p, x, -0x1.3f60c406333bp-18);
  p = fma64(p, x, 0x1.dc3269dfc410ap-17);
  p = fma64(p, x, -0x1.29d55bcc3d2f6p-15);
  p = fma64(p, x, 0x1.aa2116537fd19p-14);
  p = fma64(p, x, -0x1.76ab707412196p-11);
  p = fma64(p, x, 0x1.1bc95040e7ba7p-9);
  p = fma64(p, x, 0x1.1f3b8225b4312p-7);
  p = fma64(p, x, -0x1.974db4bbc6338p-6);
  p = fma64(p, x, -0x1.5a573911b9e46p-3);
  p = fma64(p, x, 0x1.9e1a80f14796dp-2);
  return p;
}

/* y1(x + 6) / (x + 6 - zero), |x| <= 2. */
HET_LOCAL double y1Four(double x) {
  double p = 0x1.609962ff09414p-52;
  p = fma64(p, x, -0x1.125011f93bc23p-49);
  p = fma64(p, x, 0x1.81b9a52f4fe09p-48);
  p = fma64(p, x, -0x1.61584e937add4p-45);
  p = fma64(p, x, 0x1.5525a4ee65ea1p-42);
  p = fma64(p, x, 0x1.4240a9d7dc037p-41);
  p = fma64(p, x, -0x1.128ec742b5a53p-37);
  p = fma64(p, x, -0x1.d34d8f500064p-32);
  p = fma64(p, x, 0x1.a8745cbe40786p-29);
  p = fma64(p, x, 0x1.b0f9b4c7c6091p-25);
  p = fma64(p, x, -0x1.72fed2e074b87p-22);
  p = fma64(p, x, -0x1.4c022ff8a98d9p-18);
  p = fma64(p, x, 0x1.005abac10257bp-15);
  p = fma64(p, x, 0x1.266b1554472b1p-12);
  p = fma64(p, x, -0x1.94a78f4d66f53p-10);
  p = fma64(p, x, -0x1.155cf697f0f2p-7);
  p = fma64(p, x, 0x1.4739eeba02ebp-5);
  p = fma64(p, x, 0x1.579152b20723cp-4);
  p = fma64(p, x, -0x1.3a3a8cefc7efbp-2);
  return p;
}

/* Hankel's P of order 0 at z, x = (8 / z)^2 <= 1. */
HET_LOCAL double p0(double x) {
  double p = -0x1.db802837ea74ep-33;
  p = fma64(p, x, 0x1.a829062d6ce13p-30);
  p = fma64(p, x, -0x1.69535a714840ep-28);
  p = fma64(p, x, 0x1.9adc2664c43bfp-27);
  p = fma64(p, x, -0x1.8091776324f8ap-26);
  p = fma64(p, x, 0x1.6e5240fbc6879p-25);
  p = fma64(p, x, -0x1.b67a0b0236587p-24);
  p = fma64(p, x, 0x1.84ad3733281cdp-22);
  p = fma64(p, x, -0x1.251eb821bff2cp-19);
  p = fma64(p, x, 0x1.cb5fffb477a26p-16);
  p = fma64(p, x, -0x1.1ffffffffa1fbp-10);
  p = fma64(p, x, 0x1.0p0);
  return p;
}

/* Hankel's Q of order 0 at z, times z. */
HET_LOCAL double q0(double x) {
  double p = 0x1.cc38bff3f5f56p-30;
  p = fma64(p, x, -0x1.9451435b75c45p-27);
  p = fma64(p, x, 0x1.5015e135f791cp-25);
  p = fma64(p, x, -0x1.6ea141ee9b856p-24);
  p = fma64(p, x, 0x1.3f7e815b470ffp-23);
  p = fma64(p, x, -0x1.0ed70b813253fp-22);
  p = fma64(p, x, 0x1.11faa84adaa82p-21);
  p = fma64(p, x, -0x1.85f53b1e7f5e9p-20);
  p = fma64(p, x, 0x1.ba4b91765e5fep-18);
  p = fma64(p, x, -0x1.d11dfec60a9d8p-15);
  p = fma64(p, x, 0x1.2bffffffcf61bp-10);
  p = fma64(p, x, -0x1.ffffffffffff6p-4);
  return p;
}

/* P of order 1. */
HET_LOCAL double p1(double x) {
  double p = 0x1.faaf3896f4f98p-33;
  p = fma64(p, x, -0x1.c46abaa78fb1cp-30);
  p = fma64(p, x, 0x1.82085db42ea71p-28);
  p = fma64(p, x, -0x1.b84222b929352p-27);
  p = fma64(p, x, 0x1.9e598020cbf3cp-26);
  p = fma64(p, x, -0x1.8e8dee2d3da07p-25);
  p = fma64(p, x, 0x1.e4b48cee12b78p-24);
  p = fma64(p, x, -0x1.b88136c6361e4p-22);
  p = fma64(p, x, 0x1.5a6a2542e9a9ap-19);
  p = fma64(p, x, -0x1.274fffd7f692fp-15);
  p = fma64(p, x, 0x1.dffffffff9c52p-10);
  p = fma64(p, x, 0x1.0p0);
  return p;
}

/* Q of order 1, times z. */
HET_LOCAL double q1(double x) {
  double p = -0x1.e93a5276beaecp-30;
  p = fma64(p, x, 0x1.ae24c0c0e8fddp-27);
  p = fma64(p, x, -0x1.6609af8774f57p-25);
  p = fma64(p, x, 0x1.87866c6a1a2fep-24);
  p = fma64(p, x, -0x1.56b6f01db4753p-23);
  p = fma64(p, x, 0x1.24d99ed61578bp-22);
  p = fma64(p, x, -0x1.2c23279ba523dp-21);
  p = fma64(p, x, 0x1.b3d7dec35cd57p-20);
  p = fma64(p, x, -0x1.fe5745033ac42p-18);
  p = fma64(p, x, 0x1.1c3cff5a07801p-14);
  p = fma64(p, x, -0x1.a3ffffffcc997p-10);
  p = fma64(p, x, 0x1.7fffffffffffdp-2);
  return p;
}

#endif
