# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Random use of shared and global memory. A shared array is written and read in
# phases with a barrier between them, each thread writing one place of its own;
# atomics only gather with operations whose order does not count.

from scalars import F32, I32, I64, INTEGERS, U32, U64, WIDE
from scope import BLOCK, TEAM, THREAD, Var
from tree import Block, Expr, Stmt

# Members of Gather: the atomic, the type of its operand.
GATHERS = (("add", "atomicAdd", U32), ("least", "atomicMin", U32), ("most", "atomicMax", U32),
           ("all", "atomicAnd", U32), ("any", "atomicOr", U32), ("odd", "atomicXor", U32),
           ("swapped", "addBySwap", U32), ("counted", "atomicInc", None),
           ("signedLeast", "atomicMin", I32), ("signedMost", "atomicMax", I32), ("sum", "atomicAdd", F32),
           ("add64", "atomicAdd", U64), ("least64", "atomicMin", U64), ("most64", "atomicMax", U64),
           ("all64", "atomicAnd", U64), ("any64", "atomicOr", U64), ("odd64", "atomicXor", U64),
           ("signedLeast64", "atomicMin", I64), ("signedMost64", "atomicMax", I64))


class Memory:
    """Part of the generator: barriers, shared arrays, atomics, words of the buffers."""

    def barrier(self, ctx):
        """A barrier, plain or one whose result is mixed into the hash."""
        kind = self.rng.randrange(5)
        if kind < 3:
            return Stmt("barrier", "__syncthreads();")
        name = self.rng.choice(("count", "and", "or"))
        result = "__syncthreads_%s(" % name
        condition = self.expressions.condition(ctx, 1)
        if name == "count":
            return Stmt("barrier", "h = mix(h, " + result, condition, "));")
        return Stmt("barrier", "h = mix(h, " + result, condition, ") != 0);")

    def vote(self, ctx):
        """A vote of the block, into a variable that is uniform over it."""
        rng = self.rng
        if len(ctx.variables) > 24:
            return None
        condition = self.expressions.condition(ctx)
        name = rng.choice(("count", "and", "or"))
        variable = self.fresh("v")
        ctx.variables.append(Var(variable, I32, BLOCK))
        return Stmt("barrier", "int %s = __syncthreads_%s(" % (variable, name), condition,
                    ")" + ("" if name == "count" else " != 0") + ";")

    def place(self, ctx):
        """Where a thread writes: a permutation of the block's threads."""
        rng = self.rng
        kind = rng.randrange(4)
        if kind < 2:
            return Expr(U32, "threadNumber()")
        if kind == 2:
            return Expr(U32, "(blockThreads() - 1 - threadNumber())")
        shift = self.expressions.make(ctx, U32, 1, BLOCK)
        return Expr(U32, "((threadNumber() + (", shift, ") % 1000u) % blockThreads())")

    def exchange(self, ctx):
        """Threads of a block exchange values through a shared array, static or dynamic."""
        rng = self.rng
        type = rng.choice(WIDE)
        name = self.fresh("x")
        here = ctx.inner()
        here.depth = ctx.depth
        here.top = False
        here.loop = None
        if ctx.dynamic and rng.random() < 0.4:
            here.dynamic = False
            declared = Stmt("shared", "%s *%s = (%s *)dynamic;" % (type.name, name, type.name))
        else:
            declared = Stmt("shared", "__shared__ %s %s[256];" % (type.name, name))
        items = [declared, Stmt("assign", name + "[", self.place(here), "] = ",
                                self.expressions.make(here, type, 2), ";")]
        # Nothing but these statements knows the array, so others may stand between the phases.
        items += self.sequence(here, rng.randrange(0, 2))
        items.append(self.barrier(here))
        items += self.sequence(here, rng.randrange(0, 2))
        for _ in range(rng.randrange(1, 3)):
            items.append(self.readShared(here, type, name))
        items += self.sequence(here, rng.randrange(0, 2))
        items.append(self.barrier(here))
        return Stmt("exchange", Block(items))

    def parting(self, ctx):
        """The teams of a block part in two, each of which exchanges values behind a barrier of its own."""
        rng = self.rng
        type = rng.choice(WIDE)
        name, part, n = self.fresh("x"), self.fresh("c"), self.fresh("r")
        split, number = rng.randrange(1, 4), rng.randrange(1, 15)
        here = ctx.inner(TEAM, weight=2)
        here.depth = ctx.depth
        here.loop = None
        here.variables.append(Var(part, U32, TEAM, fixed=True))
        meet = "meetPart(%du, %du);" % (number, split)
        body = [Stmt("assign", name + "[threadNumber()] = ", self.expressions.make(here, type, 2), ";")]
        body += self.sequence(here, rng.randrange(0, 2))
        body.append(Stmt("barrier", meet))
        for _ in range(rng.randrange(1, 3)):
            index = self.expressions.make(here, U32, 2)
            body.append(Stmt("mix", "h = mix(h, hashOf(%s[inPart(%du, " % (name, split), index, ")]));"))
        body += self.sequence(here, rng.randrange(0, 2))
        body.append(Stmt("barrier", meet))
        rounds = (rng.randrange(0, 3), rng.randrange(1, 4))
        return Stmt("exchange", Block([
            Stmt("shared", "__shared__ %s %s[256];" % (type.name, name)),
            Stmt("declare", "const unsigned %s = partOf(%du);" % (part, split)),
            Stmt("loop", "for (unsigned %s = 0; %s < (%s ? %du : %du); ++%s) " % ((n, n, part) + rounds + (n,)),
                 Block(body)),
            Stmt("barrier", "__syncthreads();")]))

    def readShared(self, ctx, type, name):
        rng = self.rng
        choice = [v for v in ctx.assignable() if v.type is type]
        target = rng.choice(choice) if choice else None
        level = target.level if target and rng.random() < 0.7 else None
        index = self.expressions.make(ctx, U32, 2, THREAD if level is None else level)
        read = ["%s[(" % name, index, ") % blockThreads()]"]
        if level is None:
            return Stmt("mix", "h = mix(h, hashOf(", *read, "));")
        return Stmt("assign", target.text + " = ", *read, ";")

    # Atomics.

    def gatherOne(self, ctx, where):
        """One atomic on a member of a Gather."""
        member, name, type = self.rng.choice(GATHERS)
        if name == "atomicInc":
            return Stmt("atomic", "atomicInc(&%s.counted, 0xffffffffu);" % where)
        if type is F32:
            value = self.expressions.make(ctx, U32, 2)
            wide = self.rng.random() < 0.5
            return Stmt("atomic", "atomicAdd(&%s.%s, (%s)((" % (
                where, "sum64" if wide else "sum", "double" if wide else "float"), value, ") & 15));")
        value = self.expressions.make(ctx, type, 2)
        cast = "i64" if type is I64 else type.name
        return Stmt("atomic", "%s(&%s.%s, (%s)(" % (name, where, member, cast), value, "));")

    def gatherGlobal(self, ctx):
        return self.gatherOne(ctx, "(*gather)") if ctx.function.buffers else None

    def gatherShared(self, ctx):
        """Atomics on shared memory in any flow, then everyone reads what came together."""
        rng = self.rng
        name = self.fresh("g")
        here = ctx.inner()
        here.depth = ctx.depth
        here.loop = None
        items = [Stmt("shared", "__shared__ Gather %s;" % name),
                 Stmt("if", "if (threadNumber() == 0)\nclearGather(&%s);" % name),
                 self.barrier(here)]
        for _ in range(rng.randrange(1, 4)):
            flow = here.inner(THREAD, None)
            body = Block([self.gatherOne(flow, name)])
            kind = rng.randrange(3)
            if kind == 0:
                items.append(Stmt("if", body))
            elif kind == 1:
                items.append(Stmt("if", "if (", self.expressions.condition(flow), ") ", body))
            else:
                n = self.fresh("r")
                bound = self.expressions.make(flow, U32, 1)
                items.append(Stmt("loop", "for (unsigned %s = 0; %s < ((" % (n, n), bound, ") & 3); ++%s) " % n, body))
        items.append(self.barrier(here))
        for member, atomic, type in rng.sample(GATHERS, 5):
            choice = [v for v in here.assignable() if v.type is type]
            if choice:
                items.append(Stmt("assign", "%s = %s.%s;" % (rng.choice(choice).text, name, member)))
            else:
                items.append(Stmt("mix", "h = mix(h, hashOf(%s.%s));" % (name, member)))
        items.append(self.barrier(here))
        return Stmt("exchange", Block(items))

    def ownWord(self, ctx):
        """The thread's own word of the buffer that the next launch reads."""
        if not ctx.function.buffers:
            return None
        value = self.expressions.make(ctx, U32, 2)
        return Stmt("assign", "next[number] %s= " % self.rng.choice(("", "^", "+")), value, ";")
