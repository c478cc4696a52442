# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Random forms of what CUDA programs do all the time and C++ does not know: values that
# only some lanes have and only these lanes give (--idioms), and shared arrays whose
# places are computed from the thread's number: networks of compare and exchange, tables.
#
# What a lane does under a condition goes into its hash, so that a condition which a
# compiler drops is noticed.

from scalars import F32, F64, I32, INTEGERS, U32, U64, WIDE
from scope import BLOCK, TEAM, THREAD, Var
from tree import Block, Expr, Stmt

LANE = "(threadNumber() & 31)"

# How a value goes from one lane to all of the mask.
GIVES = ("__shfl_sync(%(mask)s, %(value)s, (int)%(lane)s)", "giveByValue(%(value)s, %(mask)s, %(lane)s)",
         "giveByReference(%(value)s, %(mask)s, %(lane)s)", "giveFromCall(%(value)s, %(mask)s, %(lane)s)",
         "Giver<%(type)s>{%(value)s}(%(mask)s, %(lane)s)")


class Holder:
    """A variable that is declared without a value: how, and the text that names it."""

    def __init__(self, rng, name, type):
        kind = rng.randrange(5)
        self.text = name
        self.declaration = "%s %s;" % (type.name, name)
        if kind == 3:
            self.declaration = "struct {\nint first;\n%s second;\n} %s;" % (type.name, name)
            self.text = name + ".second"
        elif kind == 4:
            self.declaration = "%s %s[%d];" % (type.name, name, rng.choice((2, 3, 20)))
            self.text = name + "[1]"


class Idioms:
    """Part of the generator: values that nobody looks at, networks, tables."""

    # Whether programs contain them.
    idioms = False

    def idiom(self, ctx):
        """One that may stand in this context, or None."""
        makers = []
        if ctx.mask:
            makers += [(self.fromOne, 6), (self.fromSome, 6), (self.fetching, 2), (self.votes, 3)]
        if ctx.level == BLOCK:
            makers += [(self.network, 3), (self.lookUps, 2)]
        return self.pick(makers)(ctx) if makers else None

    # Values that only some lanes have.

    def given(self, ctx, type, name, has, value):
        """Declares a variable to which only lanes with `has` give a value."""
        rng = self.rng
        holder = Holder(rng, name, type)
        inner = ctx.inner(THREAD, None)
        inner.loop = None
        inner.function.cost += ctx.weight
        if rng.random() < 0.2:
            # A function that ends without one.
            set = [Stmt("assign", "%s = onlyIf<%s>(%s, " % (holder.text, type.name, has), value, ");")]
        elif rng.random() < 0.2:
            set = [Stmt("assign", "setIf(%s, %s, (%s)(" % (has, holder.text, type.name), value, "));")]
        else:
            noted = [Stmt("mix", "h = mix(h, %du);" % rng.randrange(1000))]
            if inner.function.buffers and rng.random() < 0.5:
                noted.append(self.gatherOne(inner, "(*gather)"))
            set = [Stmt("if", "if (%s) " % has, Block(noted + [
                Stmt("assign", holder.text + " = (%s)(" % type.name, value, ");")]))]
        return [Stmt("declare", holder.declaration)] + set, holder.text

    def changed(self, ctx, type, text):
        """Computes with a value in all lanes, those included that do not have it; what comes out."""
        rng = self.rng
        made = []
        for _ in range(rng.choice((0, 0, 1, 1, 2))):
            other = self.expressions.make(ctx, type, 1)
            next = self.fresh("d")
            kind = rng.randrange(5)
            if kind == 0:
                made.append(Stmt("declare", "%s %s = " % (type.name, next), other, ";"))
                made.append(Stmt("if", "if (%s < %s) " % (text, next), Block([
                    Stmt("assign", "%s = " % next, self.expressions.make(ctx, type, 1), ";")])))
            elif kind == 1:
                made.append(Stmt("declare", "%s %s = %s > 3 ? %s : " % (type.name, next, text, text), other, ";"))
            elif kind == 2 and type in (U32, U64):
                made.append(Stmt("declare", "%s %s = divided<%s>(" % (type.name, next, type.name), other,
                                 ", %s);" % text))
            elif type.floating:
                made.append(Stmt("declare", "%s %s = %s %s (" % (type.name, next, text, rng.choice("+-*")), other, ");"))
            else:
                made.append(Stmt("declare", "%s %s = (%s)((u64)%s %s (u64)(" % (
                    type.name, next, type.name, text, rng.choice("+-*^")), other, "));"))
            text = next
        return made, text

    def fromOne(self, ctx):
        """One lane computes a value, all get it."""
        rng = self.rng
        type = rng.choice(WIDE)
        lane, has = self.fresh("l"), self.fresh("c")
        first = rng.choice(("__ffs(%s) - 1", "31 - __clz(%s)")) % ("(int)" + ctx.mask)
        made = [Stmt("declare", "const unsigned %s = %s;" % (lane, first)),
                Stmt("declare", "const bool %s = %s == %s;" % (has, LANE, lane))]
        items, text = self.given(ctx, type, self.fresh("d"), has, self.expressions.make(ctx, type, 2))
        steps, text = self.changed(ctx, type, text)
        give = rng.choice(GIVES) % {"mask": ctx.mask, "value": text, "lane": lane, "type": type.name}
        return made + items + steps + [self.result(ctx, type, TEAM, give)]

    def fromSome(self, ctx):
        """Some lanes have a value; of what the team makes of it, only what these gave is looked at."""
        rng = self.rng
        has, lanes, got = self.fresh("c"), self.fresh("m"), self.fresh("d")
        made = [Stmt("declare", "const bool %s = " % has, self.expressions.condition(ctx), ";"),
                Stmt("ballot", "const unsigned %s = __ballot_sync(%s, %s);" % (lanes, ctx.mask, has))]
        kind = rng.randrange(4)
        if kind == 0:
            return made + self.matched(ctx, has, lanes)
        if kind == 1:
            return made + self.reduced(ctx, has)
        if kind == 2:
            return made + self.asked(ctx, has)
        type = rng.choice(WIDE)
        items, text = self.given(ctx, type, got, has, self.expressions.make(ctx, type, 2))
        steps, text = self.changed(ctx, type, text)
        name, source = rng.choice((("__shfl_xor_sync", "^"), ("__shfl_down_sync", "+"), ("__shfl_up_sync", "-")))
        by, from_, result = rng.choice((1, 2, 3, 8, 16)), self.fresh("l"), self.fresh("d")
        return made + items + steps + [
            Stmt("declare", "const unsigned %s = %s %s %du;" % (from_, LANE, source, by)),
            Stmt("team", "const %s %s = %s(%s, %s, %d);" % (type.name, result, name, ctx.mask, text, by)),
            Stmt("mix", "if (%s < 32 && (%s >> %s & 1))\nh = mix(h, hashOf(%s));" % (from_, lanes, from_, result))]

    def matched(self, ctx, has, lanes):
        type = self.rng.choice(INTEGERS)
        value = Expr(type, "(%s)((" % type.name, self.expressions.make(ctx, type, 2), ") & 3)")
        items, text = self.given(ctx, type, self.fresh("d"), has, value)
        got, all = self.fresh("d"), self.fresh("q")
        call = "__match_any_sync(%s, %s)" % (ctx.mask, text)
        if self.rng.random() < 0.3:
            items.append(Stmt("declare", "int %s;" % all))
            items.append(Stmt("team", "(void)__match_all_sync(%s, %s, &%s);" % (ctx.mask, text, all)))
        return items + [Stmt("team", "const unsigned %s = %s & %s;" % (got, call, lanes)),
                        Stmt("mix", "if (%s)\nh = mix(h, %s);" % (has, got))]

    def reduced(self, ctx, has):
        type = self.rng.choice((I32, U32))
        items, text = self.given(ctx, type, self.fresh("d"), has, self.expressions.make(ctx, type, 2))
        steps, text = self.changed(ctx, type, text)
        return items + steps + [self.result(ctx, type, TEAM, "__reduce_%s_sync(%s, %s ? %s : (%s)5)" % (
            self.rng.choice(("add", "min", "max")), ctx.mask, has, text, type.name))]

    def asked(self, ctx, has):
        """Which lane to read from is known to those alone that look at the result."""
        type = self.rng.choice(WIDE)
        from_ = Expr(U32, "laneIn(%s, " % ctx.mask, self.expressions.make(ctx, U32, 2), ")")
        items, text = self.given(ctx, U32, self.fresh("d"), has, from_)
        got = self.fresh("d")
        return items + [
            Stmt("team", "const %s %s = __shfl_sync(%s, (%s)(" % (type.name, got, ctx.mask, type.name),
                 self.expressions.make(ctx, type, 2), "), (int)%s);" % text),
            Stmt("mix", "if (%s)\nh = mix(h, hashOf(%s));" % (has, got))]

    def votes(self, ctx):
        """Truth values of some lanes."""
        rng = self.rng
        has, yes = self.fresh("c"), self.fresh("d")
        made = [Stmt("declare", "const bool %s = " % has, self.expressions.condition(ctx), ";"),
                Stmt("declare", "bool %s;" % yes),
                Stmt("if", "if (%s) " % has, Block([
                    Stmt("mix", "h = mix(h, %du);" % rng.randrange(1000)),
                    Stmt("assign", "%s = " % yes, self.expressions.condition(ctx), ";")]))]
        both = {"mask": ctx.mask, "has": has, "yes": yes}
        calls = ["__any_sync(%(mask)s, %(has)s && %(yes)s) != 0", "__all_sync(%(mask)s, !%(has)s || %(yes)s) != 0",
                 "(__ballot_sync(%(mask)s, %(yes)s) & __ballot_sync(%(mask)s, %(has)s))"]
        level = TEAM
        if ctx.level == BLOCK:
            level = BLOCK
            calls = ["__syncthreads_count(%(has)s && %(yes)s)", "__syncthreads_or(%(has)s && %(yes)s) != 0",
                     "__syncthreads_and(!%(has)s || %(yes)s) != 0"] + calls
        call = rng.choice(calls)
        if "_sync(" in call:
            level = TEAM
        return made + [self.result(ctx, U32, level, "(unsigned)(%s)" % (call % both))]

    def fetching(self, ctx):
        """A loop in which one lane takes the next item for all."""
        rng = self.rng
        if ctx.weight * 4 > 64:
            return None
        lane, has, item, round = self.fresh("l"), self.fresh("c"), self.fresh("d"), self.fresh("r")
        next = self.expressions.make(ctx, U32, 2)
        give = rng.choice(GIVES) % {"mask": ctx.mask, "value": item, "lane": lane, "type": "unsigned"}
        return [Stmt("declare", "const unsigned %s = __ffs((int)%s) - 1;" % (lane, ctx.mask)),
                Stmt("declare", "const bool %s = %s == %s;" % (has, LANE, lane)),
                Stmt("loop", "for (unsigned %s = 0; %s < 4; ++%s) " % (round, round, round), Block([
                    Stmt("declare", "unsigned %s;" % item),
                    Stmt("if", "if (%s) " % has, Block([
                        Stmt("mix", "h = mix(h, %s);" % round),
                        Stmt("assign", "%s = %s * 5 + (" % (item, round), next, ");")])),
                    Stmt("team", "%s = %s;" % (item, give)),
                    Stmt("if", "if (%s %% 3 == 1)\nbreak;" % item),
                    Stmt("mix", "h = mix(h, %s);" % item)]))]

    # Places computed from the thread's number.

    def pairPlace(self, stride):
        """The first place of a thread's pair, whose second is `stride` further."""
        return self.rng.choice((
            "2 * threadNumber() - (threadNumber() & (%(s)s - 1))",
            "((threadNumber() & ~(%(s)s - 1)) << 1 | (threadNumber() & (%(s)s - 1)))",
            "threadNumber() / (%(s)s) * 2 * (%(s)s) + threadNumber() %% (%(s)s)")) % {"s": stride}

    def network(self, ctx):
        """Pairs of a shared array are exchanged where they are out of order, at several distances."""
        rng = self.rng
        rng = self.rng
        keys, values, n = self.fresh("x"), self.fresh("x"), self.fresh("n")
        type, other = rng.choice(WIDE), rng.choice(WIDE)
        stride, place = self.fresh("r"), self.fresh("r")
        here = ctx.inner(weight=4)
        here.loop = None
        items = [Stmt("shared", "__shared__ %s %s[256];" % (type.name, keys)),
                 Stmt("shared", "__shared__ %s %s[256];" % (other.name, values)),
                 Stmt("declare", "const unsigned %s = blockThreads();" % n)]
        for array, what in ((keys, type), (values, other)):
            for at in ("threadNumber()", "threadNumber() + %s" % n):
                items.append(Stmt("assign", "%s[%s] = " % (array, at), self.expressions.make(ctx, what, 2), ";"))
        way = rng.choice(("0", "1", "((threadNumber() & %du) != 0)" % rng.choice((1, 2, 4)), "blockNumber() & 1"))
        names = {"k": keys, "v": values, "p": place, "s": stride, "w": way}
        exchange = rng.choice(("exchangePair(%(k)s[%(p)s], %(v)s[%(p)s], %(k)s[%(p)s + %(s)s], "
                               "%(v)s[%(p)s + %(s)s], %(w)s);",
                               "exchange(%(k)s[%(p)s], %(k)s[%(p)s + %(s)s], %(w)s);",
                               "exchangePair(%(v)s[%(p)s], %(k)s[%(p)s], %(v)s[%(p)s + %(s)s], "
                               "%(k)s[%(p)s + %(s)s], %(w)s);")) % names
        items.append(Stmt("loop", "for (unsigned %s = %du; %s > 0; %s >>= 1) " % (
            stride, rng.choice((1, 2, 4, 8, 8, 16)), stride, stride), Block([
                Stmt("barrier", "__syncthreads();"),
                Stmt("declare", "const unsigned %s = %s;" % (place, self.pairPlace(stride))),
                Stmt("if", "if (%s + %s < 2 * %s)\n%s" % (place, stride, n, exchange))])))
        items.append(Stmt("barrier", "__syncthreads();"))
        for array in (keys, values):
            items.append(Stmt("mix", "h = mix(mix(h, hashOf(%s[threadNumber()])), hashOf(%s[threadNumber() + %s]));" % (
                array, array, n)))
        items.append(Stmt("barrier", "__syncthreads();"))
        return Stmt("exchange", Block(items))

    def tablePlace(self):
        """A number of the thread below 512, of pieces that count in few bits."""
        rng = self.rng
        t = "threadNumber()"
        pieces = []
        for _ in range(rng.choice((1, 2, 2, 3))):
            mask = rng.choice((1, 2, 3, 3, 6, 7, 12, 15, 31))
            pieces.append(rng.choice(("%s & %du" % (t, mask), "%s %% %du" % (t, mask + 1),
                                      "(unsigned char)%s & %du" % (t, mask), "(%s << 1) & %du" % (t, mask),
                                      "%s >> %d" % (t, rng.choice((1, 2, 3))), "%s ^ %du" % (t, mask))))
        start = rng.choice(("2 * %s" % t, t, "3 * %s" % t, "%du" % rng.randrange(64)))
        return "((%s%s) & 511u)" % (start, "".join(" %s (%s)" % (rng.choice("+-"), p) for p in pieces))

    def lookUps(self, ctx):
        """All write a shared array, then each reads places of it, and may write them again."""
        rng = self.rng
        name, type = self.fresh("x"), rng.choice(WIDE)
        items = [Stmt("shared", "__shared__ %s %s[512];" % (type.name, name)),
                 Stmt("loop", "for (unsigned i = threadNumber(); i < 512; i += blockThreads())\n%s[i] = (%s)(i * %du);" % (
                     name, type.name, rng.choice((1, 3, 7919)))),
                 Stmt("barrier", "__syncthreads();")]
        for _ in range(rng.randrange(1, 4)):
            items.append(Stmt("mix", "h = mix(h, hashOf(%s[%s]));" % (name, self.tablePlace())))
        items.append(Stmt("barrier", "__syncthreads();"))
        return Stmt("exchange", Block(items))
