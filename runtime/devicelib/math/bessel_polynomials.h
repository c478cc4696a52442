/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Polynomials of bessel.c: minimax (Remez exchange), coefficients rounded to double.
 * Zeros of the functions are divided out, so that results near them stay relatively
 * exact.
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

/* j1(s) / s over s^2 - zero^2 for two zeros, s = sqrt(x + 40), |x| <= 24. */
HET_LOCAL double j1High(double x) {
  double p = -0x1.64305b442418ap-158;
  p = fma64(p, x, 0x1.0452e8bdcd4ebp-147);
  p = fma64(p, x, -0x1.527b461f5b4bbp-137);
  p = fma64(p, x, 0x1.8905a5de74783p-127);
  p = fma64(p, x, -0x1.943f89251903ep-117);
  p = fma64(p, x, 0x1.6d5dc70c3b785p-107);
  p = fma64(p, x, -0x1.1f82aa3f67666p-97);
  p = fma64(p, x, 0x1.85c6ae47df477p-88);
  p = fma64(p, x, -0x1.c18403e12ab6fp-79);
  p = fma64(p, x, 0x1.b27aed61acd41p-70);
  p = fma64(p, x, -0x1.59a892cbd95d2p-61);
  p = fma64(p, x, 0x1.baad36c9f9976p-53);
  p = fma64(p, x, -0x1.bb77af89c38f2p-45);
  p = fma64(p, x, 0x1.4e9e64c508836p-37);
  p = fma64(p, x, -0x1.68c69d850b152p-30);
  p = fma64(p, x, 0x1.008d918c34a3ep-23);
  p = fma64(p, x, -0x1.a32572437935ep-18);
  p = fma64(p, x, 0x1.1e9b53ee6a8f1p-13);
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
  double p = 0x1.d1658b9e87cf8p4;
  p = fma64(p, x, -0x1.d414151f471bbp4);
  p = fma64(p, x, 0x1.3f9601dadcc81p3);
  p = fma64(p, x, -0x1.40cd4cf01126ep2);
  p = fma64(p, x, 0x1.a19696601dfd9p2);
  p = fma64(p, x, -0x1.6e5ce03cbf5d6p2);
  p = fma64(p, x, 0x1.103d8cb33aa2bp2);
  p = fma64(p, x, -0x1.a9fbf117eb2dbp1);
  p = fma64(p, x, 0x1.57acf4b07cc76p1);
  p = fma64(p, x, -0x1.14ddc72272dc7p1);
  p = fma64(p, x, 0x1.bf2dcf58d6882p0);
  p = fma64(p, x, -0x1.6b73185240b17p0);
  p = fma64(p, x, 0x1.298532e1f28fep0);
  p = fma64(p, x, -0x1.eb239923c0b07p-1);
  p = fma64(p, x, 0x1.997016113d3d8p-1);
  p = fma64(p, x, -0x1.59848f1d2bbbcp-1);
  p = fma64(p, x, 0x1.2809cf9dda35dp-1);
  p = fma64(p, x, -0x1.02cf483331be4p-1);
  p = fma64(p, x, 0x1.d1c7b11cb46b7p-2);
  p = fma64(p, x, -0x1.a355e5b0b3d88p-2);
  p = fma64(p, x, 0x1.691fa3b967102p-2);
  p = fma64(p, x, -0x1.251ff70241b99p-1);
  p = fma64(p, x, 0x1.e929951b8b12ap-1);
  return p;
}

/* y0(x + 3/2) / (x + 3/2 - zero), |x| <= 1/2. */
HET_LOCAL double y0One(double x) {
  double p = 0x1.c1e842a104c8bp-18;
  p = fma64(p, x, -0x1.c3fd47b0a9712p-17);
  p = fma64(p, x, 0x1.330c96401f126p-17);
  p = fma64(p, x, -0x1.3228dfb4a871p-17);
  p = fma64(p, x, 0x1.8fe9373d5dc8cp-16);
  p = fma64(p, x, -0x1.5e6be9292ab71p-15);
  p = fma64(p, x, 0x1.037e5ef0c618bp-14);
  p = fma64(p, x, -0x1.94b468b1f78fp-14);
  p = fma64(p, x, 0x1.45742f8c34182p-13);
  p = fma64(p, x, -0x1.052fade081d13p-12);
  p = fma64(p, x, 0x1.a3f61d434275fp-12);
  p = fma64(p, x, -0x1.538a5cbb53bc9p-11);
  p = fma64(p, x, 0x1.1438d0dd894cfp-10);
  p = fma64(p, x, -0x1.c494027382336p-10);
  p = fma64(p, x, 0x1.75cf066691553p-9);
  p = fma64(p, x, -0x1.37533f45d9a43p-8);
  p = fma64(p, x, 0x1.06a4e280b946bp-7);
  p = fma64(p, x, -0x1.cfed1b29d6b46p-7);
  p = fma64(p, x, 0x1.94bcd58e88f92p-6);
  p = fma64(p, x, -0x1.c9916e82e29d6p-6);
  p = fma64(p, x, 0x1.a84dff701f761p-5);
  p = fma64(p, x, -0x1.70b648788e17ap-2);
  p = fma64(p, x, 0x1.42e656572461cp-1);
  return p;
}

/* y0(x + 3) / (x + 3 - zero), |x| <= 1. */
HET_LOCAL double y0Two(double x) {
  double p = 0x1.a23aad6f17ae3p-42;
  p = fma64(p, x, -0x1.a46d80af5853fp-40);
  p = fma64(p, x, 0x1.1e629703f52a8p-39);
  p = fma64(p, x, -0x1.1e82eee37ef2p-38);
  p = fma64(p, x, 0x1.757a4d722b852p-36);
  p = fma64(p, x, -0x1.475fe0b1653bbp-34);
  p = fma64(p, x, 0x1.e577ec6091365p-33);
  p = fma64(p, x, -0x1.7aed5bb57144p-31);
  p = fma64(p, x, 0x1.30f1e206d974ap-29);
  p = fma64(p, x, -0x1.e9b63e432fff4p-28);
  p = fma64(p, x, 0x1.8936e2a2b97e8p-26);
  p = fma64(p, x, -0x1.3dfbed0e9601cp-24);
  p = fma64(p, x, 0x1.08e5811910719p-22);
  p = fma64(p, x, -0x1.adf50060fab1dp-21);
  p = fma64(p, x, 0x1.009f93ddc957cp-19);
  p = fma64(p, x, -0x1.ea4227efd17ccp-18);
  p = fma64(p, x, 0x1.5df99c31d9e75p-14);
  p = fma64(p, x, -0x1.84a4e0018941bp-13);
  p = fma64(p, x, -0x1.2a9dc4eadafc8p-9);
  p = fma64(p, x, 0x1.2a058a0c0af5p-9);
  p = fma64(p, x, 0x1.0b103d54624bbp-4);
  p = fma64(p, x, -0x1.26622ea2e19b9p-4);
  p = fma64(p, x, -0x1.92f2a2e3bc7d7p-2);
  return p;
}

/* y0(x + 6) over its distances from two zeros, |x| <= 2. */
HET_LOCAL double y0Four(double x) {
  double p = -0x1.b1d5cd1fadfbap-67;
  p = fma64(p, x, 0x1.b29a4c01a7ba9p-64);
  p = fma64(p, x, -0x1.237466c09d3ap-62);
  p = fma64(p, x, 0x1.1e7800c6e973p-60);
  p = fma64(p, x, -0x1.797c7a7e5bdcdp-57);
  p = fma64(p, x, 0x1.429f2d6d512cbp-54);
  p = fma64(p, x, -0x1.d2c1944f79ea9p-52);
  p = fma64(p, x, 0x1.b6140bba8c6c5p-49);
  p = fma64(p, x, -0x1.779431da68c1ap-46);
  p = fma64(p, x, -0x1.c38f3b808783p-46);
  p = fma64(p, x, 0x1.1f042a197f6b3p-41);
  p = fma64(p, x, 0x1.1ddd3caaf1345p-35);
  p = fma64(p, x, -0x1.25ae8e680138ep-32);
  p = fma64(p, x, -0x1.2f63b22994d34p-28);
  p = fma64(p, x, 0x1.2f476e8e86cafp-25);
  p = fma64(p, x, 0x1.1b7d7751069a3p-21);
  p = fma64(p, x, -0x1.05511a3f32c9cp-18);
  p = fma64(p, x, -0x1.3c4d990653b1bp-15);
  p = fma64(p, x, 0x1.0e89645f5d8eap-12);
  p = fma64(p, x, 0x1.935623713512fp-10);
  p = fma64(p, x, -0x1.3d23e13004fe5p-7);
  p = fma64(p, x, -0x1.76f4ab3769427p-6);
  p = fma64(p, x, 0x1.0a191400bd247p-3);
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
  double p = 0x1.7d6f11624d0b5p-15;
  p = fma64(p, x, -0x1.7334e1f99b59p-14);
  p = fma64(p, x, 0x1.b2d046c2ba744p-15);
  p = fma64(p, x, -0x1.5f80dcc0e5b62p-15);
  p = fma64(p, x, 0x1.08d1727d0cb08p-13);
  p = fma64(p, x, -0x1.c76744b13c6e8p-13);
  p = fma64(p, x, 0x1.372dd793f7bfap-12);
  p = fma64(p, x, -0x1.c56a6de05c716p-12);
  p = fma64(p, x, 0x1.5835132e126a2p-11);
  p = fma64(p, x, -0x1.02de5c8a67838p-10);
  p = fma64(p, x, 0x1.8376902a668bap-10);
  p = fma64(p, x, -0x1.221ca793769f2p-9);
  p = fma64(p, x, 0x1.b26c5aad4054cp-9);
  p = fma64(p, x, -0x1.450e81baf12fp-8);
  p = fma64(p, x, 0x1.e610433287817p-8);
  p = fma64(p, x, -0x1.6ae1bc8990293p-7);
  p = fma64(p, x, 0x1.0d7969f13c64ep-6);
  p = fma64(p, x, -0x1.91007565900b3p-6);
  p = fma64(p, x, 0x1.3d33a2b8bdab7p-5);
  p = fma64(p, x, -0x1.b70a4e2d6d58ap-5);
  p = fma64(p, x, 0x1.d8b6eb4b2030cp-7);
  p = fma64(p, x, -0x1.83274e79c8b6dp-4);
  p = fma64(p, x, 0x1.2ecf9975a060dp-1);
  return p;
}

/* y1(x + 3) / (x + 3 - zero), |x| <= 1. */
HET_LOCAL double y1Two(double x) {
  double p = 0x1.7b4cb72279807p-38;
  p = fma64(p, x, -0x1.70fdb76df32a2p-36);
  p = fma64(p, x, 0x1.af5eae3441b1dp-36);
  p = fma64(p, x, -0x1.5b7ee4fdb956ap-35);
  p = fma64(p, x, 0x1.0665e749f5097p-32);
  p = fma64(p, x, -0x1.c30bddce5d3b4p-31);
  p = fma64(p, x, 0x1.33b514c9c1e6p-29);
  p = fma64(p, x, -0x1.bfa4b195a3c86p-28);
  p = fma64(p, x, 0x1.5349f9579794fp-26);
  p = fma64(p, x, -0x1.fd5945ad0bd21p-25);
  p = fma64(p, x, 0x1.7c403e040911p-23);
  p = fma64(p, x, -0x1.1b9a5a1443d83p-21);
  p = fma64(p, x, 0x1.a6f1f454d629fp-20);
  p = fma64(p, x, -0x1.3f5a760e69402p-18);
  p = fma64(p, x, 0x1.dc32a284f06d5p-17);
  p = fma64(p, x, -0x1.29d58b827b5f5p-15);
  p = fma64(p, x, 0x1.aa21157794e8dp-14);
  p = fma64(p, x, -0x1.76ab7012aecb2p-11);
  p = fma64(p, x, 0x1.1bc950414da75p-9);
  p = fma64(p, x, 0x1.1f3b822559fp-7);
  p = fma64(p, x, -0x1.974db4bbc67fp-6);
  p = fma64(p, x, -0x1.5a573911b9cbcp-3);
  p = fma64(p, x, 0x1.9e1a80f14796dp-2);
  return p;
}

/* y1(x + 6) / (x + 6 - zero), |x| <= 2. */
HET_LOCAL double y1Four(double x) {
  double p = 0x1.2c1a3f2125884p-62;
  p = fma64(p, x, -0x1.237e4e03b8009p-59);
  p = fma64(p, x, 0x1.520e286e97cep-58);
  p = fma64(p, x, -0x1.0dcabe6b066f7p-56);
  p = fma64(p, x, 0x1.9ae44aa2e4423p-53);
  p = fma64(p, x, -0x1.58372a6f36eafp-50);
  p = fma64(p, x, 0x1.cbf8a229e36a9p-48);
  p = fma64(p, x, -0x1.9fc3eaa9c5059p-45);
  p = fma64(p, x, 0x1.5098bb3e7ec1cp-42);
  p = fma64(p, x, 0x1.551bd5829e70cp-41);
  p = fma64(p, x, -0x1.1244ef38e34f7p-37);
  p = fma64(p, x, -0x1.d367c772ee101p-32);
  p = fma64(p, x, 0x1.a8741d5c54a3dp-29);
  p = fma64(p, x, 0x1.b0fa0bcb7d2d9p-25);
  p = fma64(p, x, -0x1.72fed3082cb11p-22);
  p = fma64(p, x, -0x1.4c0230a184b98p-18);
  p = fma64(p, x, 0x1.005abac23935dp-15);
  p = fma64(p, x, 0x1.266b1555aa3b4p-12);
  p = fma64(p, x, -0x1.94a78f4d6d0d6p-10);
  p = fma64(p, x, -0x1.155cf697f39bbp-7);
  p = fma64(p, x, 0x1.4739eeba02f46p-5);
  p = fma64(p, x, 0x1.579152b20729dp-4);
  p = fma64(p, x, -0x1.3a3a8cefc7efbp-2);
  return p;
}

/* Hankel's P of order 0 at z, x = (8 / z)^2 <= 1. */
HET_LOCAL double p0(double x) {
  double p = 0x1.3742db5c12743p-33;
  p = fma64(p, x, -0x1.2329e7332af1fp-30);
  p = fma64(p, x, 0x1.00dfc0126f859p-28);
  p = fma64(p, x, -0x1.255c81191bc09p-27);
  p = fma64(p, x, 0x1.02c5a25778396p-26);
  p = fma64(p, x, -0x1.a1e0a95dfa33ap-26);
  p = fma64(p, x, 0x1.753f91682c95cp-25);
  p = fma64(p, x, -0x1.b76c58d70cf61p-24);
  p = fma64(p, x, 0x1.84b7af8934f4ap-22);
  p = fma64(p, x, -0x1.251eda33a63fep-19);
  p = fma64(p, x, 0x1.cb5fffed89546p-16);
  p = fma64(p, x, -0x1.1ffffffffec7ap-10);
  p = fma64(p, x, 0x1.0p0);
  return p;
}

/* Hankel's Q of order 0 at z, times z. */
HET_LOCAL double q0(double x) {
  double p = -0x1.2b1a669df2e0cp-31;
  p = fma64(p, x, 0x1.46d9ae72cd587p-28);
  p = fma64(p, x, -0x1.4a4d0e25778c1p-26);
  p = fma64(p, x, 0x1.9e1996a3c7f5ap-25);
  p = fma64(p, x, -0x1.70521fa920bb6p-24);
  p = fma64(p, x, 0x1.011d0c184fbc2p-23);
  p = fma64(p, x, -0x1.3adea941ec603p-23);
  p = fma64(p, x, 0x1.856d932d12d5cp-23);
  p = fma64(p, x, -0x1.1bb2e6f3bc6f5p-22);
  p = fma64(p, x, 0x1.1392a27fe0be6p-21);
  p = fma64(p, x, -0x1.8615c81cb17c6p-20);
  p = fma64(p, x, 0x1.ba4c5785c20bfp-18);
  p = fma64(p, x, -0x1.d11dffff2c27fp-15);
  p = fma64(p, x, 0x1.2bfffffffffb7p-10);
  p = fma64(p, x, -0x1.0p-3);
  return p;
}

/* P of order 1. */
HET_LOCAL double p1(double x) {
  double p = -0x1.4a7d6e18801d4p-33;
  p = fma64(p, x, 0x1.355e23b9d3d33p-30);
  p = fma64(p, x, -0x1.113e608f0b6f8p-28);
  p = fma64(p, x, 0x1.38a98d93e47acp-27);
  p = fma64(p, x, -0x1.14c1bbf016251p-26);
  p = fma64(p, x, 0x1.c1b57104b4e4cp-26);
  p = fma64(p, x, -0x1.95e842a3c5ea3p-25);
  p = fma64(p, x, 0x1.e5b5bbd689144p-24);
  p = fma64(p, x, -0x1.b88c537fc5d21p-22);
  p = fma64(p, x, 0x1.5a6a496b01b43p-19);
  p = fma64(p, x, -0x1.274ffff63e25fp-15);
  p = fma64(p, x, 0x1.dffffffffeb5dp-10);
  p = fma64(p, x, 0x1.0p0);
  return p;
}

/* Q of order 1, times z. */
HET_LOCAL double q1(double x) {
  double p = 0x1.3b3a54318543fp-31;
  p = fma64(p, x, -0x1.5897374cc1e3fp-28);
  p = fma64(p, x, 0x1.5c67bf253718bp-26);
  p = fma64(p, x, -0x1.b52324b130621p-25);
  p = fma64(p, x, 0x1.854d45ed7debap-24);
  p = fma64(p, x, -0x1.1057e0b6f42f7p-23);
  p = fma64(p, x, 0x1.4ec3d0ef3f5a6p-23);
  p = fma64(p, x, -0x1.a0a0180764f6bp-23);
  p = fma64(p, x, 0x1.32714bc451902p-22);
  p = fma64(p, x, -0x1.2dd2769f147ecp-21);
  p = fma64(p, x, 0x1.b3fa48fd432c1p-20);
  p = fma64(p, x, -0x1.fe58166c4609cp-18);
  p = fma64(p, x, 0x1.1c3cffff90bd8p-14);
  p = fma64(p, x, -0x1.a3fffffffffb3p-10);
  p = fma64(p, x, 0x1.8p-2);
  return p;
}

#endif
