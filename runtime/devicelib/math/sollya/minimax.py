# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the Python scripts here share: minimax polynomials of functions that Sollya lacks, by
# weighted least squares made minimax (Lawson, 1961). Needs numpy, scipy and mpmath.
import numpy as np


def nodes(low, high, count=300):
    """Chebyshev's points of an interval."""
    angles = np.pi * (np.arange(count) + 0.5) / count
    return (low + high) / 2 + (high - low) / 2 * np.cos(angles)


def solve(x, f, weight, powers, rounds=40):
    """The coefficients of least weighted maximum."""
    terms = np.stack([x**p for p in powers], 1)
    scale = np.abs(terms * weight[:, None]).max(0)
    share, best = np.ones_like(x), None
    for _ in range(rounds):
        w = np.sqrt(share) * weight
        c = np.linalg.lstsq(terms / scale * w[:, None], f * w, rcond=None)[0] / scale
        error = np.abs((terms @ c - f) * weight)
        if best is None or error.max() < best[0]:
            best = error.max(), c
        share = share * (error / error.max() + 1e-9)
        share /= share.max()
    return best[1]


def text(v):
    mantissa, exponent = float(v).hex().split("p")
    return mantissa.rstrip("0").rstrip(".") + "p" + str(int(exponent))


def fit(title, x, f, degree, weight=None):
    """Prints float coefficients, rounded one by one from the lowest, the highest first."""
    f = np.array([float(v) for v in f])
    weight = 1 / np.abs(f) if weight is None else weight
    powers, rest, coefficients = list(range(degree + 1)), f.copy(), []
    while powers:
        c = float(np.float32(solve(x, rest, weight, powers)[0]))
        rest = rest - c * x ** powers.pop(0)
        coefficients.append(c)
    error = np.log2(np.abs(rest * weight).max())
    print(f"{title}: largest error 2^{error:.2f}")
    print("   " + " ".join(text(c) for c in coefficients[::-1]))
