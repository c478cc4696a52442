# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Polynomials of float that are as short as CUDA's limits let them be, so their errors are
# counted in units in the result's last place: exp_f32.c, hyperbolic_f32.c, asin_f32.c,
# atan_f32.c, cbrt_f32.c, log10 and log(1 + v) (log_f32.c, log_f32.h), erf beyond 0.92
# (error_f32.c), the logarithm and the central polynomial of error_inverse_f32.c.
import numpy as np
import scipy.special as sp
from minimax import fit, nodes, solve


def per_ulp(y):
    """What makes an error of y one in units in its last place."""
    return 2.0 ** (23 - np.floor(np.log2(np.abs(y))))


def away(low, high, count, least=1e-6):
    x = nodes(low, high, count)
    return x[np.abs(x) > least]


def exponentials():
    for name, base in ("2^r", 2.0), ("exp(r)", np.e), ("10^r", 10.0):
        half = np.log(2) / np.log(base) / 2 * 1.001
        x = away(-half, half, 801)
        fit(f"({name} - 1) / r, ULP", x, (base**x - 1) / x, 4, np.abs(x) * per_ulp(base**x))
    x = away(-0.1737, 0.1737, 600)
    e = np.expm1(2 * x) / 2
    fit("((exp(2 h) - 1) / 2 - h) / h^2", x, (e - x) / x**2, 4, x**2 / np.abs(e))
    s = nodes(1e-6, 0.1209, 300)
    r = np.sqrt(s)
    fit("(sinh(r) - r) / r^3, r^2", s, (np.sinh(r) / r - 1) / s, 1, s)
    fit("(cosh(r) - 1) / r^2, r^2", s, (np.cosh(r) - 1) / s, 2, s)
    x = away(-0.5, 0.5, 400)
    fit("(2^r - 1) / r, of erf", x, (2**x - 1) / x, 4, np.abs(x))
    x = nodes(0.92, 4, 400)
    fit("-log2(erfc(x)), x", x, -np.log2(sp.erfc(x)), 6, sp.erfc(x))


def logarithms():
    f = away(np.sqrt(0.5) - 1, np.sqrt(2) - 1, 500, 1e-5)
    y = np.log10(1 + f)
    fit("log10(1 + f) / f - its first part, ULP", f, y / f - float(np.float32(np.log10(np.e))), 8,
        np.abs(f) * per_ulp(y))
    f = away(-0.25, 0.5, 500, 1e-5)
    y = np.log1p(f)
    fit("(log(1 + f) - f) / f^2, ULP", f, (y / f - 1) / f, 7, f**2 * per_ulp(y))


def arcs():
    z = nodes(1e-7, 0.25, 400)
    t = np.sqrt(z)
    fit("(asin(t) - t) / t^3, t^2", z, (np.arcsin(t) / t - 1) / z, 4, z)
    s = nodes(1e-6, 1, 500)
    t = np.sqrt(s)
    fit("(atan(t) - t) / t^3, t^2, ULP", s, (np.arctan(t) / t - 1) / s, 7, s * t * per_ulp(np.arctan(t)))


def roots():
    # e of the first values: first_values.py.
    e = away(-0.10203, 0.1034, 500, 1e-5)
    for power in 2, 1:
        fit(f"((1 + e)^(-{power}/3) - 1) / e", e, ((1 + e) ** (-power / 3) - 1) / e, 4, np.abs(e))


def inverse_erf():
    m = nodes(1, 2, 400)
    line = np.log(2) * (m - 1) - np.log(m)
    w = nodes(1e-9, 5.005, 300)
    x = np.sqrt(-np.expm1(-w))
    y = np.where(x > 0.5, sp.erfcinv(np.exp(-w) / (1 + x)), sp.erfinv(x))
    # The middle is such that the first coefficients of both are nearly floats; and below
    # 1, so that the difference from it is rounded little where w is small.
    first = solve(m - 1.5, line, np.ones_like(m), range(9), 80)[0]
    middles = [first - float(np.float32(first - 0.7 + k / 256)) for k in range(-12, 13)]

    def lost(middle):
        c = solve(w - middle, y / x, x / y, range(10), 25)[0]
        return abs(c - float(np.float32(c)))

    middle = min(middles, key=lost)
    fit(f"(m - 1) log(2) - log(m) - {middle}, m - 3/2", m - 1.5, line - middle, 8, np.ones_like(m))
    fit(f"erfinv(x) / x, w - {middle}", w - middle, y / x, 9)


exponentials()
logarithms()
arcs()
roots()
inverse_erf()
