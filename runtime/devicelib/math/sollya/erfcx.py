# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# error_polynomials.h: (4 + z) erfcx(z) of double, by least squares at Chebyshev's points,
# which is nearly minimax; the ten highest coefficients have 21 bits.
import mpmath as mp
from minimax import text

mp.mp.dps = 60
DEGREE, SHORT, COUNT = 23, 10, 69


def exact(t):
    if t > mp.mpf("0.9999"):
        return 1 / mp.sqrt(mp.pi)
    z = 4 * (1 + t) / (1 - t)
    if z < 60:
        return (4 + z) * mp.exp(z * z) * mp.erfc(z)
    total = term = mp.mpf(1)
    for k in range(1, 25):
        term *= -(2 * k - 1) / (2 * z * z)
        total += term
    return (4 + z) * total / (z * mp.sqrt(mp.pi))


def rounded(v, bits):
    mantissa, exponent = mp.frexp(v)
    return mp.ldexp(mp.nint(mp.ldexp(mantissa, bits)), exponent - bits)


points = [mp.cos(mp.pi * (k + mp.mpf(1) / 2) / COUNT) for k in range(COUNT)]
values = [exact(t) for t in points]
weights = [1 / v for v in values]


def solve(powers, rest):
    a = mp.matrix(COUNT, len(powers))
    b = mp.matrix(COUNT, 1)
    for i, t in enumerate(points):
        b[i] = rest[i] * weights[i]
        for j, p in enumerate(powers):
            a[i, j] = t**p * weights[i]
    return mp.lu_solve(a.T * a, a.T * b)


rest, coefficients = list(values), {}
order = list(range(DEGREE, DEGREE - SHORT, -1)) + list(range(DEGREE - SHORT + 1))
free = list(range(DEGREE + 1))
for power in order:
    c = rounded(solve(free, rest)[free.index(power)], 21 if power > DEGREE - SHORT else 53)
    free.remove(power)
    coefficients[power] = c
    rest = [v - c * t**power for v, t in zip(rest, points)]
print("largest error 2^", float(mp.log(max(abs(r) * w for r, w in zip(rest, weights)), 2)))
print("   " + " ".join(text(coefficients[p]) for p in range(DEGREE, -1, -1)))
