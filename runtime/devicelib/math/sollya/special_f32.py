# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# error_inverse_f32.c, error_polynomials.h (the two of float), gamma_f32.c, bessel_f32.h,
# bessel_i_f32.c.
import mpmath as mp
import numpy as np
import scipy.special as sp
from minimax import fit, nodes

mp.mp.dps = 30


def inverse_erf():
    w = nodes(1e-9, 5)
    x = np.sqrt(-np.expm1(-w))
    y = np.where(x > 0.5, sp.erfcinv(np.exp(-w) / (1 + x)), sp.erfinv(x))
    # About a point where the first coefficient is nearly a float.
    fit("erfinv(x) / x, w - 2.35", w - float(np.float32(2.35)), y / x, 9)

    def tail(w):
        # Newton's method for log(erfc(y)) = log(1 - sqrt(1 - exp(-w))).
        target = mp.log(1 - mp.sqrt(1 - mp.exp(-w))) if w < 40 else -w - mp.log(2)
        y = mp.sqrt(w)
        for _ in range(60):
            step = (mp.log(mp.erfc(y)) - target) * mp.erfc(y) * mp.exp(y * y)
            y += step * mp.sqrt(mp.pi) / 2
        return y

    for last in 104, 746:
        s = nodes(5**0.5, last**0.5, 100)
        values = [tail(mp.mpf(v) ** 2) / mp.mpf(v) for v in s]
        fit(f"erfinv(x) / sqrt(w), 1/sqrt(w), w < {last}", 1 / s, values, 9)


def gamma():
    t = nodes(0, 1)
    fit("gamma(2 + t), t", t, sp.gamma(2 + t), 9)
    v = nodes(1e-2, 1 / 3, 200)
    x = [1 / mp.mpf(u) for u in v]
    stirling = [mp.gamma(a) / mp.power(a, a - 0.5) * mp.exp(a) for a in x]
    fit("gamma(x) / x^(x - 1/2) exp(x), 1/x", v, stirling, 4)
    rest = [(mp.loggamma(a) - (a - 0.5) * mp.log(a) + a - mp.log(2 * mp.pi) / 2) * a for a in x]
    fit("x (lgamma(x) - (x - 1/2) log(x) + x - log(2 pi)/2), 1/x^2", v * v, rest, 2, np.ones_like(v))
    t = nodes(0, 2, 200)
    between = [mp.loggamma(1 + mp.mpf(u)) / (mp.mpf(u) * (mp.mpf(u) - 1)) for u in t]
    fit("lgamma(1 + t) / (t (t - 1)), t - 1", t - 1, between, 12)


def bessel_below_8():
    j, y = mp.besselj, mp.bessely
    zero = {(f, n, k): (mp.besseljzero if f == "j" else mp.besselyzero)(n, k)
            for f in "jy" for n in (0, 1) for k in (1, 2, 3)}
    gamma_log2 = mp.euler - mp.log(2)

    def piece(title, function, low, high, variable, degree):
        x = nodes(low, high, 120)
        fit(title, variable(x), [function(mp.mpf(v)) for v in x], degree)

    def square(x):
        return x * x - 8

    piece("j0 / (x^2 - zero^2), x^2 - 8", lambda x: j(0, x) / (x * x - zero["j", 0, 1] ** 2), 1e-6, 4, square, 6)
    piece("j0 / (x - zero), x - 6", lambda x: j(0, x) / (x - zero["j", 0, 2]), 4, 8, lambda x: x - 6, 10)
    piece("j1 / x (x^2 - zero^2), x^2 - 8", lambda x: j(1, x) / (x * (x * x - zero["j", 1, 1] ** 2)), 1e-6, 4, square, 6)
    piece("j1 / (x - zero), x - 6", lambda x: j(1, x) / (x - zero["j", 1, 2]), 4, 8, lambda x: x - 6, 10)
    piece("y0's rest / x^2, x^2", lambda x: (y(0, x) - 2 / mp.pi * (mp.log(x) + gamma_log2) * j(0, x)) / x**2,
          1e-3, 0.5, lambda x: x * x, 2)
    for low, high, degree in (0.5, 1, 8), (1, 2, 9):
        piece("y0 / (x - zero), x - middle", lambda x: y(0, x) / (x - zero["y", 0, 1]), low, high,
              lambda x: x - (low + high) / 2, degree)
    piece("y0 / (x - zero), x - 3", lambda x: y(0, x) / (x - zero["y", 0, 2]), 2, 4, lambda x: x - 3, 8)
    piece("y0 / (x - zero) (x - zero), x - 6",
          lambda x: y(0, x) / (x - zero["y", 0, 2]) / (x - zero["y", 0, 3]), 4, 8, lambda x: x - 6, 9)
    piece("y1's rest / x, x^2",
          lambda x: (y(1, x) - 2 / mp.pi * (mp.log(x) + gamma_log2) * j(1, x) + 2 / mp.pi / x) / x,
          1e-2, 1, lambda x: x * x, 3)
    for low, high in (1, 2), (2, 4):
        piece("y1 / (x - zero), x - middle", lambda x: y(1, x) / (x - zero["y", 1, 1]), low, high,
              lambda x: x - (low + high) / 2, 9)
    piece("y1 / (x - zero), x - 6", lambda x: y(1, x) / (x - zero["y", 1, 2]), 4, 8, lambda x: x - 6, 10)


def bessel_above_8():
    w = nodes(1e-6, 1 / 64, 80)
    for n in 0, 1:
        pairs = []
        for x in [1 / mp.sqrt(mp.mpf(v)) for v in w]:
            angle, scale = x - (2 * n + 1) * mp.pi / 4, mp.sqrt(mp.pi * x / 2)
            j, y = mp.besselj(n, x) * scale, mp.bessely(n, x) * scale
            pairs.append((j * mp.cos(angle) + y * mp.sin(angle), x * (y * mp.cos(angle) - j * mp.sin(angle))))
        fit(f"Hankel's P of order {n}, 1/x^2", w, [p for p, _ in pairs], 2)
        fit(f"x times Hankel's Q of order {n}, 1/x^2", w, [q for _, q in pairs], 2)
    s = nodes(1e-9, 64)
    fit("i0, x^2", s, sp.i0(np.sqrt(s)), 9)
    fit("i1 / x, x^2", s, sp.i1(np.sqrt(s)) / np.sqrt(s), 9)
    u = nodes(1e-9, 1 / 8)
    fit("i0 sqrt(x) exp(-x), 1/x", u, sp.i0e(1 / u) / np.sqrt(u), 5)
    fit("i1 sqrt(x) exp(-x), 1/x", u, sp.i1e(1 / u) / np.sqrt(u), 5)


inverse_erf()
gamma()
bessel_below_8()
bessel_above_8()
