# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# inverse_f32.h, inverse_f64.h, cbrt_f32.c, cbrt_f64.c: for a first value made of a number's
# bits, the integer constant and the polynomial that makes the next one best.
import numpy as np


def best(title, x, firsts, power, degree):
    """u = x first^power; first times a polynomial of u is nearly x^(-1/power)."""
    found = None
    for constant, first in firsts:
        u = x * first**power
        if not (u.min() > 0.01 and u.max() < 100):
            continue
        t = (u.min() + u.max()) / 2 + (u.max() - u.min()) / 2 * np.cos(np.pi * (np.arange(60) + 0.5) / 60)
        if degree == 1:
            # One coefficient is -1.
            choices = [[c, -1.0] for c in np.linspace(1.8, 2.1, 301)]
        else:
            terms = np.stack([t ** (1 / power) * t**k for k in range(degree + 1)], 1)
            choices = [np.linalg.lstsq(terms, np.ones(60), rcond=None)[0]]
        for c in choices:
            value = sum(v * u**k for k, v in enumerate(c))
            error = np.abs(u ** (1 / power) * value - 1).max()
            if found is None or error < found[0]:
                found = error, hex(constant), list(c)
    print(title, *found)


def as_float(bits):
    return bits.astype(np.uint32).view(np.float32).astype(np.float64)


def as_double(upper):
    return (upper.astype(np.uint64) << np.uint64(32)).view(np.float64)


def third(constant, bits, shift=8):
    sum_ = np.float64(2**23 + constant) - bits.astype(np.float32) * float(np.float32(1 / 3 / 2**shift))
    return (sum_.astype(np.float32).view(np.uint32) << np.uint32(shift)).astype(np.uint32)


def least(title, x, firsts):
    """For the first values that a longer polynomial follows: x first^3 - 1, from where to where."""
    errors = [(constant, x * first**3 - 1) for constant, first in firsts]
    constant, e = min(errors, key=lambda v: np.abs(v[1]).max())
    print(title, hex(constant), e.min(), e.max())


x = np.linspace(1, 2, 5001)[:-1].astype(np.float32)
bits = x.view(np.uint32)
best("1/x", x.astype(float), ((k, as_float(k - bits)) for k in range(0x7EF00000, 0x7EF80000, 0x1000)), 1, 1)
x = np.linspace(1, 4, 5001)[:-1].astype(np.float32)
bits = x.view(np.uint32)
best("1/sqrt(x)", x.astype(float), ((k, as_float(k - (bits >> 1))) for k in range(0x5F080000, 0x5F100000, 0x400)), 2, 1)
x = np.exp2(np.linspace(0, 3, 20001)[:-1])
bits = x.astype(np.float32).view(np.uint32)
least("x^(-1/3), float", x.astype(np.float32).astype(float),
      ((k, as_float(third(k, bits, 12))) for k in range(0x54800, 0x54C00, 4)))
upper = (x.view(np.uint64) >> np.uint64(32)).astype(np.uint32)
best("x^(-1/3), double", x, ((k, as_double(third(k, upper))) for k in range(0x553000, 0x554800, 0x10)), 3, 2)
