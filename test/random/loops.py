# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Random loops: for, while and do-while with bounded trip counts, what leaves
# their rounds early, and irreducible loops made of goto.
#
# A divergent loop in which team operations may stand keeps the lanes of the
# current round in a variable of its own: every lane of a round votes at its head
# on whether it goes on.

from scalars import U32
from scope import BLOCK, TEAM, THREAD, Loop, Var
from tree import Block, Expr, Stmt


class Loops:
    """Part of the generator: loops and jumps."""

    def loop(self, ctx):
        rng = self.rng
        trips = rng.choice((1, 3, 3, 7))
        if ctx.weight * trips > 64:
            return None
        level = self.conditionLevel()
        bound = self.expressions.make(ctx, U32, 2, level)
        count = rng.randrange(1, 4)
        name, end = self.fresh("r"), self.fresh("n")
        declared = Stmt("declare", "unsigned %s = 0, %s = (" % (name, end), bound, ") & %du;" % trips)
        masked = level == THREAD and ctx.mask and rng.random() < 0.7
        if masked:
            mask = self.fresh("m")
            loop = Loop(THREAD, mask)
        else:
            mask = ctx.mask if level < THREAD else None
            loop = Loop(level, None)
        inner = ctx.inner(level, mask, trips)
        inner.loop = loop
        inner.top = True
        inner.variables.append(Var(name, U32, max(level, ctx.level), fixed=True))
        inner.variables.append(Var(end, U32, max(level, ctx.level), fixed=True))
        body = self.block(inner, count)
        if masked:
            return [declared] + self.maskedLoop(ctx, name, end, mask, body)
        form = rng.randrange(3)
        if form == 0:
            return [declared, Stmt("loop", "for (; %s < %s; ++%s) " % (name, end, name), body)]
        if form == 1:
            return [declared, Stmt("loop", "while (%s++ < %s) " % (name, end), body)]
        return [declared, Stmt("loop", "do ", body, " while (++%s < %s);" % (name, end))]

    def maskedLoop(self, ctx, name, end, mask, body):
        made = [Stmt("declare", "unsigned %s = %s;" % (mask, ctx.mask))]
        form = self.rng.randrange(3)
        vote = "__ballot_sync(%s, %s < %s)" % (mask, name, end)
        if form == 0:
            return made + [Stmt("loop", "for (;; ++%s) {\n%s = %s;\nif (%s >= %s)\nbreak;\n" % (
                name, mask, vote, name, end), body, "\n}")]
        if form == 1:
            return made + [Stmt("loop", "for (; %s = %s, %s < %s; ++%s) " % (
                mask, vote, name, end, name), body)]
        return made + [Stmt("loop", "do ", body, " while (++%s, %s = %s, %s < %s);" % (
            name, mask, vote, name, end))]

    def leaveLoop(self, ctx):
        """A break or continue under a condition."""
        rng = self.rng
        loop = ctx.loop
        word = rng.choice(("break", "continue"))
        before = self.block(ctx.inner(THREAD, None), 1) if rng.random() < 0.3 else Block()
        if not ctx.mask:
            # Nothing below depends on who is still here.
            condition = self.expressions.condition(ctx)
            before.items.append(Stmt("leave", word + ";"))
            return Stmt("if", "if (", condition, ") ", before)
        if not ctx.top:
            return None
        if ctx.level < THREAD:
            condition = self.expressions.condition(ctx, 2, ctx.level)
            return Stmt("if", "if (", condition, ") ", Block([Stmt("leave", word + ";")]))
        if not loop.mask or (word == "break" and loop.split):
            return None
        c = self.fresh("c")
        declared = Stmt("declare", "bool %s = " % c, self.expressions.condition(ctx), ";")
        before.items.append(Stmt("leave", word + ";"))
        leave = Stmt("if", "if (%s) " % c, before)
        if word == "break":
            return [declared, Stmt("ballot", "%s = __ballot_sync(%s, !%s);" % (loop.mask, loop.mask, c)), leave]
        loop.split = True
        mask = self.fresh("m")
        vote = Stmt("ballot", "unsigned %s = __ballot_sync(%s, !%s);" % (mask, ctx.mask, c))
        ctx.mask = mask
        return [declared, vote, leave]

    def jumps(self, ctx):
        """A loop with two entries. Its conditions have the level of its flow, or there is no mask."""
        rng = self.rng
        if ctx.weight > 16:
            return None
        level = self.conditionLevel()
        inner = ctx.inner(level, ctx.mask if level < THREAD else None, 4)
        inner.loop = None
        inner.top = False
        n, first, second, end = (self.fresh(x) for x in ("g", "L", "L", "L"))
        condition = lambda: self.expressions.condition(inner, 1, level)
        enter, again = condition(), condition()
        bodies = [self.block(self.again(inner), rng.randrange(1, 3)) for _ in range(2)]
        return Stmt("jumps", "{\nunsigned %s = 0;\nif (" % n, enter, ")\ngoto %s;\n%s: " % (second, first),
                    bodies[0], "\nif (++%s > 3)\ngoto %s;\n%s: " % (n, end, second), bodies[1],
                    "\nif (++%s < 4 && " % n, again, ")\ngoto %s;\n%s:;\n}" % (first, end))

    def again(self, ctx):
        """A fresh context like this one, for a second block of the same place."""
        here = ctx.inner()
        here.depth = ctx.depth
        here.loop = ctx.loop
        return here
