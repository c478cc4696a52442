# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The scalar types of generated programs, their constants, and conversions that
# are defined for every value.


class Scalar:
    """A type: its name in source, its bits, and what kind of number it holds."""

    def __init__(self, name, key, bits, signed=False, floating=False):
        self.name = name
        self.key = key
        self.bits = bits
        self.signed = signed
        self.floating = floating
        self.small = bits < 32


I32 = Scalar("int", "I32", 32, signed=True)
U32 = Scalar("unsigned", "U32", 32)
I64 = Scalar("long long", "I64", 64, signed=True)
U64 = Scalar("u64", "U64", 64)
F32 = Scalar("float", "F32", 32, floating=True)
F64 = Scalar("double", "F64", 64, floating=True)
U8 = Scalar("unsigned char", "U8", 8)
I16 = Scalar("short", "I16", 16, signed=True)
U16 = Scalar("unsigned short", "U16", 16)

WIDE = (I32, U32, I64, U64, F32, F64)
INTEGERS = (I32, U32, I64, U64)
SMALL = (U8, I16, U16)


def constant(rng, type):
    """Text of a constant of a type; edge values are as likely as others."""
    if type.floating:
        return floatingConstant(rng, type)
    bits = type.bits
    kind = rng.randrange(6)
    if kind == 0:
        value = rng.choice((0, 1, 2, 3, -1))
    elif kind == 1:
        value = 1 << rng.randrange(bits)
    elif kind == 2:
        value = (1 << rng.randrange(1, bits + 1)) - 1
    elif kind == 3:
        value = rng.getrandbits(bits)
    else:
        value = rng.randrange(256)
    value %= 1 << bits
    if type.small:
        return "(%s)%d" % (type.name, value)
    suffix = {"I32": "u", "U32": "u", "I64": "ull", "U64": "ull"}[type.key]
    text = "%#x%s" % (value, suffix) if value > 999 else "%d%s" % (value, suffix)
    if type in (I64, U64) or type.signed:
        return "(%s)%s" % (type.name.replace("long long", "i64"), text)
    return text


def floatingConstant(rng, type):
    values = ["0.0", "-0.0", "1.0", "-1.0", "0.5", "3.0", "0.1", "1.5e-3", "1234.5", "-7.25"]
    values += ["3.0e38", "1.0e-40", "-2.5e9", "16777217.0", "1.0e19"]
    if type is F64:
        values += ["1.0e300", "4.0e-320", "9007199254740993.0"]
    text = rng.choice(values) if rng.random() < 0.6 else "%.4f" % rng.uniform(-100, 100)
    return "(%s%s)" % (text, "f" if type is F32 else "")


def simplest(type):
    """The constants that the reducer tries in an expression's place."""
    if type is F32:
        return ["1.0f", "0.0f"]
    if type is F64:
        return ["1.0", "0.0"]
    name = "i64" if type is I64 else type.name
    return ["(%s)1" % name, "(%s)0" % name]


def convert(text, source, target):
    """Pieces of an expression that converts a value; out of range gives a fixed value."""
    if source is target:
        return text
    if source.floating and not target.floating:
        wide = I32 if target.small else target
        text = "to%s(%s)" % (wide.key, text)
        return text if wide is target else "(%s)%s" % (target.name, text)
    return "(%s)(%s)" % ("i64" if target is I64 else target.name, text)
