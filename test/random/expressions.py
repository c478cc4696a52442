# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Random expressions of a type and level. Each is defined for all values of its
# operands: signed arithmetic is done on unsigned numbers, shifts are masked,
# division is guarded, and conversions out of range give a fixed value.

from scalars import (F32, F64, I32, I64, INTEGERS, SMALL, U32, U64, WIDE, constant, convert)
from scope import BLOCK, TEAM, THREAD
from tree import Expr

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class Expressions:
    """Makes expressions from a random source; pure lists functions to call."""

    def __init__(self, rng):
        self.rng = rng
        self.pure = []

    def make(self, ctx, type, depth=3, level=THREAD):
        """An expression of a wide type."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.12:
            return self.leaf(ctx, type, level)
        kind = rng.random()
        if kind < 0.10:
            return self.choice(ctx, type, depth, level)
        if kind < 0.22:
            other = rng.choice([t for t in WIDE if t is not type])
            return self.converted(self.make(ctx, other, depth - 1, level), type)
        if kind < 0.28:
            return self.element(ctx, type, depth, level)
        if kind < 0.34 and self.pure and ctx.function:
            return self.call(ctx, type, depth, level)
        if type.floating:
            return self.floating(ctx, type, depth, level)
        if kind < 0.40:
            return Expr(type, "(%s)(" % spelled(type), self.condition(ctx, depth - 1, level), ")")
        return self.integer(ctx, type, depth, level)

    def converted(self, operand, type):
        text = convert("\0", operand.type, type)
        before, after = text.split("\0")
        return Expr(type, before, operand, after)

    def leaf(self, ctx, type, level):
        rng = self.rng
        variables = [v for v in ctx.variables if v.level <= level]
        same = [v for v in variables if v.type is type]
        if same and rng.random() < 0.7:
            return Expr(type, rng.choice(same).text)
        if variables and rng.random() < 0.5:
            variable = rng.choice(variables)
            return self.converted(Expr(variable.type, variable.text), type)
        if type is U32 and rng.random() < 0.5:
            where = BLOCK if ctx.function and ctx.function.uniform else level
            return Expr(type, rng.choice(positions(where)))
        return Expr(type, constant(rng, type))

    def choice(self, ctx, type, depth, level):
        return Expr(type, "(", self.condition(ctx, depth - 1, level), " ? ",
                    self.make(ctx, type, depth - 1, level), " : ",
                    self.make(ctx, type, depth - 1, level), ")")

    def index(self, ctx, count, depth, level):
        """An index into count elements."""
        return Expr(U32, "(", self.make(ctx, U32, depth, level), ") % ", "%du" % count)

    def element(self, ctx, type, depth, level):
        arrays = [a for a in ctx.arrays if a.level <= level]
        if not arrays:
            return self.leaf(ctx, type, level)
        array = self.rng.choice(arrays)
        index = self.index(ctx, array.count, min(depth - 1, 2), level)
        return self.converted(
            Expr(array.type, array.text + "[", index, "]" + array.suffix), type)

    def call(self, ctx, type, depth, level):
        needed = level < THREAD or ctx.function.uniform
        choice = [f for f in self.pure if f.uniform or not needed]
        if not choice:
            return self.leaf(ctx, type, level)
        function = self.rng.choice(choice)
        if ctx.weight * function.cost > 400 or (function.table and ctx.depth > 3):
            return self.leaf(ctx, type, level)
        ctx.function.cost += ctx.weight * function.cost
        parts = [function.name]
        if function.table:
            parts += ["[", self.index(ctx, function.table, 1, level), "]"]
        parts.append("(")
        for i, parameter in enumerate(function.parameters):
            parts += [", " if i else "", self.make(ctx, parameter, min(depth - 1, 1), level)]
        return self.converted(Expr(function.type, *parts, ")"), type)

    def condition(self, ctx, depth=2, level=THREAD):
        """A truth value."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.15 and depth > 0:
            return Expr("bool", "(", self.condition(ctx, depth - 1, level), rng.choice((" && ", " || ")),
                        self.condition(ctx, depth - 1, level), ")")
        if kind < 0.20 and depth > 0:
            return Expr("bool", "!", self.condition(ctx, depth - 1, level))
        if kind < 0.45:
            bits = rng.choice((1, 2, 3, 5, 7))
            return Expr("bool", "(((", self.make(ctx, U32, depth, level), ") & %du) " % bits,
                        rng.choice(("==", "!=", "<")), " %du)" % rng.randrange(1, bits + 1))
        type = rng.choice(WIDE)
        return Expr("bool", "(", self.make(ctx, type, depth, level), " %s " % rng.choice(COMPARISONS),
                    self.make(ctx, type, depth, level), ")")

    def integer(self, ctx, type, depth, level):
        rng = self.rng
        a = self.make(ctx, type, depth - 1, level)
        name, bits = spelled(type), type.bits
        unsigned = "u64" if bits == 64 else "unsigned"
        kind = rng.randrange(9)
        if kind >= 7:
            return self.intrinsic(ctx, type, a, depth, level)
        if kind == 6:
            return Expr(type, "(%s)(%s(%s)(" % (name, rng.choice("-~"), unsigned), a, "))")
        if kind == 5:
            count = self.make(ctx, U32, depth - 1, level)
            if rng.random() < 0.5:
                return Expr(type, "(%s)((%s)(" % (name, unsigned), a, ") << ((", count, ") & %d))" % (bits - 1))
            return Expr(type, "((", a, ") >> ((", count, ") & %d))" % (bits - 1))
        b = self.make(ctx, type, depth - 1, level)
        if kind == 4:
            which = rng.choice(("quotient", "remainderOf", "quotient", "min", "max"))
            return Expr(type, "%s<%s>(" % (which, name) if which[0] in "qr" else which + "(", a, ", ", b, ")")
        operator = rng.choice(("+", "-", "*", "&", "|", "^"))
        if type.signed:
            return Expr(type, "(%s)((%s)(" % (name, unsigned), a, ") %s (%s)(" % (operator, unsigned), b, "))")
        return Expr(type, "((", a, ") %s (" % operator, b, "))")

    def intrinsic(self, ctx, type, a, depth, level):
        """A device function on integers; its result is converted to the type."""
        rng = self.rng
        u32 = lambda: self.make(ctx, U32, min(depth - 1, 1), level)
        if type.bits == 64:
            kind = rng.choice(("__popcll(u64", "__clzll(i64", "__ffsll(i64", "__brevll(u64", "__umul64hi"))
            if kind == "__umul64hi":
                return Expr(type, "(%s)__umul64hi((u64)(" % spelled(type), a, "), (u64)(", self.leaf(ctx, U64, level), "))")
            call, operand = kind.split("(")
            return Expr(type, "(%s)%s((%s)(" % (spelled(type), call, operand), a, "))")
        kind = rng.randrange(8)
        cast = "(%s)" % type.name
        if kind < 4:
            call = ("__popc((unsigned)(", "__clz((int)(", "__ffs((int)(", "__brev((unsigned)(")[kind]
            return Expr(type, cast + call, a, "))")
        if kind == 4:
            return Expr(type, cast + "__umulhi((unsigned)(", a, "), ", u32(), ")")
        if kind == 5:
            return Expr(type, cast + "__mulhi((int)(", a, "), (int)(", u32(), "))")
        if kind == 6:
            return Expr(type, cast + "__byte_perm((unsigned)(", a, "), ", u32(), ", ", u32(), ")")
        return Expr(type, cast + "__funnelshift_%s((unsigned)(" % rng.choice("lr"), a, "), ", u32(), ", ", u32(), ")")

    def floating(self, ctx, type, depth, level):
        rng = self.rng
        end = "f" if type is F32 else ""
        a = self.make(ctx, type, depth - 1, level)
        kind = rng.randrange(12)
        if kind == 0:
            return Expr(type, "-(", a, ")")
        if kind == 1:
            return Expr(type, "sqrt%s(fabs%s(" % (end, end), a, "))")
        if kind == 2:
            return Expr(type, rng.choice(("fabs", "floor", "ceil", "trunc", "rint")) + end + "(", a, ")")
        b = self.make(ctx, type, depth - 1, level)
        if kind in (3, 4):
            return Expr(type, "fma%s(" % end, a, ", ", b, ", ", self.leaf(ctx, type, level), ")")
        return Expr(type, "((", a, ") %s (" % rng.choice("++--**/"), b, "))")


def spelled(type):
    return "i64" if type is I64 else type.name


def positions(level):
    """Numbers of the thread, team and block that are uniform at a level."""
    found = ["blockNumber()", "blockThreads()", "gridDim.x", "blockIdx.x", "blockDim.x"]
    if level >= TEAM:
        found += ["(threadNumber() >> 5)", "teamMask()"]
    if level >= THREAD:
        found = ["threadNumber()", "(threadNumber() & 31)", "threadIdx.x", "threadIdx.y"] * 2 + found
    return found
