# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Random team operations. Each takes the mask of its context, which names exactly
# the lanes that come there; what they return is uniform over those lanes for votes
# and reductions, so over the team where the context is a team's.

from scalars import F32, F64, I32, I64, INTEGERS, U32, U64, WIDE
from scope import BLOCK, TEAM, THREAD, Var
from tree import Block, Expr, Stmt

SHUFFLES = ("shuffleIdx", "shuffleXor", "shuffleUp", "shuffleDown")


class Teams:
    """Part of the generator: shuffles, votes, matches, reductions, exchanges."""

    def teamOperation(self, ctx):
        return self.pick([(self.shuffle, 8), (self.voteOfTeam, 5), (self.match, 2), (self.reduction, 3),
                          (self.direct, 3), (self.teamSync, 1)])(ctx)

    def result(self, ctx, type, level, *parts):
        """Assigns to a variable that may hold the result, or declares one."""
        rng = self.rng
        choice = [v for v in ctx.assignable() if v.type is type and v.level >= level]
        if choice and (rng.random() < 0.6 or len(ctx.variables) > 24):
            return Stmt("team", rng.choice(choice).text + " = ", *parts, ";")
        if rng.random() < 0.5 or len(ctx.variables) > 24:
            return Stmt("team", "h = mix(h, hashOf(", *parts, "));")
        name = self.fresh("v")
        ctx.variables.append(Var(name, type, max(level, ctx.level)))
        return Stmt("team", "%s %s = " % (type.name, name), *parts, ";")

    def shuffle(self, ctx):
        rng = self.rng
        type = rng.choice(WIDE)
        value = self.expressions.make(ctx, type, 2)
        width = rng.choice((2, 4, 8, 16, 32, 32, 32))
        name = rng.choice(SHUFFLES)
        if name == "shuffleIdx":
            by = self.expressions.make(ctx, U32, 2)
            return self.result(ctx, type, THREAD, "%s<%s>(%s, " % (name, type.name, ctx.mask), value, ", ",
                               by, ", %du)" % width)
        # One number for all lanes: what a lane gives up is defined only where the others agree.
        by = Expr(U32, str(rng.randrange(width)) + "u")
        if rng.random() < 0.3:
            by = Expr(U32, "((", self.expressions.make(ctx, U32, 1, TEAM), ") & %du)" % (width - 1))
        return self.result(ctx, type, THREAD, "%s<%s>(%s, " % (name, type.name, ctx.mask), value, ", ", by,
                           ", %du)" % width)

    def direct(self, ctx):
        """The builtin itself, from a lane that is in the mask by construction."""
        rng = self.rng
        type = rng.choice(WIDE)
        value = self.expressions.make(ctx, type, 2)
        mask = ctx.mask
        if rng.random() < 0.5:
            # The first lane of the mask: all lanes get one value.
            return self.result(ctx, type, TEAM, "__shfl_sync(%s, (%s)(" % (mask, type.name), value,
                               "), __ffs(%s) - 1)" % mask)
        source = self.expressions.make(ctx, U32, 2)
        return self.result(ctx, type, THREAD, "__shfl_sync(%s, (%s)(" % (mask, type.name), value,
                           "), (int)laneIn(%s, " % mask, source, "))")

    def voteOfTeam(self, ctx):
        rng = self.rng
        condition = self.expressions.condition(ctx)
        name = rng.choice(("__ballot_sync", "__any_sync", "__all_sync"))
        if name == "__ballot_sync":
            return self.result(ctx, U32, TEAM, "__ballot_sync(%s, " % ctx.mask, condition, ")")
        type = rng.choice((I32, U32))
        return self.result(ctx, type, TEAM, "(%s)(%s(%s, " % (type.name, name, ctx.mask), condition, ") != 0)")

    def match(self, ctx):
        rng = self.rng
        type = rng.choice(INTEGERS)
        name = "i64" if type is I64 else type.name
        few = rng.choice(("3", "1", "7", "0"))
        value = self.expressions.make(ctx, type, 2)
        value = Expr(type, "(%s)((" % name, value, ") & (%s)%s)" % (name, few))
        if rng.random() < 0.6:
            return self.result(ctx, U32, THREAD, "__match_any_sync(%s, " % ctx.mask, value, ")")
        pred, got = self.fresh("q"), self.fresh("v")
        ctx.variables.append(Var(got, U32, max(TEAM, ctx.level)))
        return [Stmt("declare", "int %s = 0;" % pred),
                Stmt("team", "unsigned %s = __match_all_sync(%s, " % (got, ctx.mask), value, ", &%s);" % pred),
                Stmt("mix", "h = mix(h, hashOf(%s != 0));" % pred)]

    def reduction(self, ctx):
        rng = self.rng
        type = rng.choice((I32, U32))
        name = rng.choice(("add", "min", "max"))
        if type is U32:
            name = rng.choice(("add", "min", "max", "and", "or", "xor"))
        value = self.expressions.make(ctx, type, 2)
        return self.result(ctx, type, TEAM, "__reduce_%s_sync(%s, (%s)(" % (name, ctx.mask, type.name), value, "))")

    def teamSync(self, ctx):
        if self.rng.random() < 0.5:
            return Stmt("team", "__syncwarp(%s);" % ctx.mask)
        # Which lanes are active together is free, but a lane that asks is.
        return Stmt("team", "h = mix(h, (__activemask() >> (threadNumber() & 31)) & 1);")

    def teamExchange(self, ctx):
        """Through shared memory within a team: each lane writes its place and reads another's."""
        rng = self.rng
        type = rng.choice(WIDE)
        name = self.fresh("x")
        value = self.expressions.make(ctx, type, 2)
        source = self.expressions.make(ctx, U32, 2)
        items = [Stmt("shared", "__shared__ %s %s[256];" % (type.name, name)),
                 Stmt("assign", "%s[threadNumber()] = " % name, value, ";"),
                 Stmt("sync", "__syncwarp(%s);" % ctx.mask)]
        for _ in range(rng.randrange(1, 3)):
            source = self.expressions.make(ctx, U32, 2)
            items.append(Stmt("mix", "h = mix(h, hashOf(%s[(threadNumber() & ~31u) + laneIn(%s, " % (name, ctx.mask),
                              source, ")]));"))
        items.append(Stmt("sync", "__syncwarp(%s);" % ctx.mask))
        return Stmt("exchange", Block(items))
