# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Random statements without team operations or shared memory: declarations,
# assignments, branches and switches. Statements that only team or shared memory
# make are in teams.py and memory.py, loops in loops.py.

from scalars import SMALL, U32, WIDE, constant
from scope import BLOCK, TEAM, THREAD, Array, Var
from tree import Block, Expr, Stmt


class Statements:
    """Part of the generator: picks statements and makes those of plain C++."""

    def block(self, ctx, count):
        """A block of about count statements; variables declared in it end with it."""
        known = len(ctx.variables)
        items = self.sequence(ctx, count)
        mine = [v for v in ctx.variables[known:] if not v.fixed]
        if mine and self.rng.random() < 0.8:
            items.append(self.mixed(ctx, self.rng.choice(mine)))
        return Block(items)

    def sequence(self, ctx, count):
        items = []
        for _ in range(count):
            if self.budget <= 0:
                break
            self.budget -= 1
            ctx.function.cost += ctx.weight
            made = self.statement(ctx)
            items += made if isinstance(made, list) else [made]
        return items

    def statement(self, ctx):
        """One random statement that is allowed here, as one or more nodes."""
        makers = [(self.declaration, 4), (self.assignment, 14), (self.mixing, 4),
                  (self.localArray, 1), (self.elementStore, 4), (self.pointer, 1),
                  (self.structure, 1), (self.ownWord, 1), (self.gatherGlobal, 2),
                  (self.pointerCall, 2)]
        if ctx.depth < 4:
            makers += [(self.branch, 8), (self.loop, 6), (self.switch, 2), (self.jumps, 1)]
        if ctx.loop:
            makers += [(self.leaveLoop, 3)]
        if ctx.function.returns:
            makers += [(self.earlyReturn, 1)]
        if ctx.mask:
            makers += [(self.teamOperation, 12), (self.teamCall, 3)]
            if ctx.level <= TEAM:
                makers += [(self.teamExchange, 3)]
        if ctx.level == BLOCK:
            makers += [(self.exchange, 4), (self.gatherShared, 3), (self.vote, 3), (self.blockCall, 2),
                       (self.parting, 4)]
        if self.idioms:
            makers += [(self.idiom, 25)]
        while True:
            made = self.pick(makers)(ctx)
            if made:
                return made

    def pick(self, weighted):
        total = self.rng.randrange(sum(w for _, w in weighted))
        for maker, weight in weighted:
            total -= weight
            if total < 0:
                return maker
        return weighted[0][0]

    # Declarations and assignments.

    def declaration(self, ctx, type=None, level=None):
        if len(ctx.variables) > 24:
            return None
        rng = self.rng
        type = type or rng.choice(WIDE)
        level = max(ctx.level, rng.choice((BLOCK, TEAM, THREAD, THREAD)) if level is None else level)
        name = self.fresh("v")
        value = self.expressions.make(ctx, type, 3, level)
        ctx.variables.append(Var(name, type, level))
        return Stmt("declare", type.name + " " + name + " = ", value, ";")

    def assignment(self, ctx):
        rng = self.rng
        choice = ctx.assignable()
        if not choice:
            return None
        target = rng.choice(choice)
        if target.type.small:
            value = self.expressions.make(ctx, U32, 3, target.level)
            return Stmt("assign", target.text + " = (%s)(" % target.type.name, value, ");")
        value = self.expressions.make(ctx, target.type, rng.choice((2, 3, 3, 4)), target.level)
        operators = ["="] * 3
        if target.type.floating:
            operators += ["+=", "-=", "*="]
        elif not target.type.signed:
            operators += ["+=", "-=", "*=", "^=", "|=", "&="]
        return Stmt("assign", target.text + " %s " % rng.choice(operators), value, ";")

    def mixed(self, ctx, variable):
        return Stmt("mix", "h = mix(h, hashOf(%s));" % variable.text)

    def mixing(self, ctx):
        value = self.expressions.make(ctx, self.rng.choice(WIDE), 2)
        return Stmt("mix", "h = mix(h, hashOf(", value, "));")

    # Local memory.

    def localArray(self, ctx):
        if len(ctx.arrays) > 8:
            return None
        rng = self.rng
        type = rng.choice(WIDE + SMALL)
        count = rng.randrange(2, 9)
        name = self.fresh("a")
        values = ", ".join(constant(rng, type) for _ in range(count))
        ctx.arrays.append(Array(name, type, count, THREAD))
        return Stmt("declare", "%s %s[%d] = {%s};" % (type.name, name, count, values))

    def elementStore(self, ctx):
        arrays = [a for a in ctx.arrays if not a.fixed]
        if not arrays:
            return None
        array = self.rng.choice(arrays)
        index = self.expressions.index(ctx, array.count, 2, THREAD)
        if array.type.small:
            value = self.expressions.make(ctx, U32, 2)
            return Stmt("assign", array.text + "[", index, "]%s = (%s)(" % (array.suffix, array.type.name),
                        value, ");")
        value = self.expressions.make(ctx, array.type, 2)
        return Stmt("assign", array.text + "[", index, "]%s = " % array.suffix, value, ";")

    def pointer(self, ctx):
        rng = self.rng
        type = rng.choice(WIDE + SMALL)
        targets = [v.text for v in ctx.variables if v.type is type and v.level == THREAD and not v.fixed and v.plain]
        places = [Expr(None, "&" + t) for t in targets]
        for a in ctx.arrays:
            if a.type is type and not a.fixed:
                index = self.expressions.index(ctx, a.count, 1, THREAD)
                places.append(Expr(None, "&%s[" % a.text, index, "]" + a.suffix))
        if not places:
            return None
        name = self.fresh("p")
        first, second = rng.choice(places), rng.choice(places)
        condition = self.expressions.condition(ctx)
        ctx.variables.append(Var("(*%s)" % name, type, THREAD))
        return Stmt("declare", "%s *%s = " % (type.name, name), condition, " ? ", first, " : ", second, ";")

    def structure(self, ctx):
        """A struct, or an array of structs, filled with constants; later ones may be copies."""
        if len(ctx.structs) > 3 or not self.structs:
            return None
        rng = self.rng
        struct = rng.choice(self.structs)
        name = self.fresh("s")
        count = rng.choice((0, 0, 3))
        one = lambda: "{%s}" % ", ".join(self.initial(t, n) for _, t, n in struct.fields)
        same = [s for s, kind in ctx.structs if kind is struct]
        if count:
            value = "{%s}" % ", ".join(one() for _ in range(count))
            for field, type, length in struct.fields:
                if not length:
                    ctx.arrays.append(Array(name, type, count, THREAD, suffix="." + field))
            return Stmt("declare", "%s %s[%d] = %s;" % (struct.name, name, count, value))
        value = rng.choice(same) if same and rng.random() < 0.5 else one()
        self.fieldsOf(ctx, name + ".", struct)
        ctx.structs.append((name, struct))
        return Stmt("declare", "%s %s = %s;" % (struct.name, name, value))

    def initial(self, type, count):
        if count:
            return "{%s}" % ", ".join(constant(self.rng, type) for _ in range(count))
        return constant(self.rng, type)

    def fieldsOf(self, ctx, path, struct):
        """Makes a struct's fields known as variables and arrays."""
        for field, type, count in struct.fields:
            if count:
                ctx.arrays.append(Array(path + field, type, count, THREAD))
            else:
                ctx.variables.append(Var(path + field, type, THREAD))

    # Branches.

    def conditionLevel(self):
        return self.rng.choice((BLOCK, TEAM, THREAD, THREAD, THREAD))

    def branch(self, ctx):
        rng = self.rng
        level = self.conditionLevel()
        condition = self.expressions.condition(ctx, 2, level)
        count = rng.randrange(1, 4)
        other = rng.random() < 0.5
        if level < THREAD or not ctx.mask or rng.random() < 0.3:
            mask = ctx.mask if level < THREAD else None
            inner = lambda: ctx.inner(level, mask)
            parts = ["if (", condition, ") ", self.block(inner(), count)]
            if other:
                parts += [" else ", self.block(inner(), count)]
            return Stmt("if", *parts)
        return self.maskedBranch(ctx, condition, count, other)

    def maskedBranch(self, ctx, condition, count, other):
        """A divergent branch whose sides know which lanes have come."""
        c, m = self.fresh("c"), self.fresh("m")
        made = [Stmt("declare", "bool %s = " % c, condition, ";"),
                Stmt("ballot", "unsigned %s = __ballot_sync(%s, %s);" % (m, ctx.mask, c))]
        parts = ["if (%s) " % c, self.block(ctx.inner(THREAD, m), count)]
        if other:
            parts += [" else ", self.block(ctx.inner(THREAD, "(%s & ~%s)" % (ctx.mask, m)), count)]
        return made + [Stmt("if", *parts)]

    def switch(self, ctx):
        """A switch; some cases fall through. Divergent ones get a mask for each case."""
        rng = self.rng
        level = self.conditionLevel()
        cases = rng.randrange(2, 5)
        falls = [rng.random() < 0.35 for _ in range(cases)]
        name = self.fresh("w")
        value = self.expressions.make(ctx, U32, 2, level)
        made = [Stmt("declare", "unsigned %s = (" % name, value, ") %% %du;" % (cases + 1))]
        masked = level == THREAD and ctx.mask and rng.random() < 0.6
        parts = ["switch (%s) {\n" % name]
        for k in range(cases):
            mask = ctx.mask if level < THREAD else None
            if masked:
                mask = self.fresh("m")
                made.append(Stmt("ballot", "unsigned %s = __ballot_sync(%s, %s);" % (
                    mask, ctx.mask, " || ".join(reaching(name, k, cases, falls)))))
            here = ctx.inner(level, mask)
            here.loop = None
            label = "default: " if k == cases - 1 and rng.random() < 0.5 and not masked else "case %d: " % k
            parts += [label, self.block(here, rng.randrange(1, 3)), "\n" if falls[k] else " break;\n"]
        return made + [Stmt("switch", *parts, "}")]

    def earlyReturn(self, ctx):
        """Leaves the function; where team operations may follow, their mask shrinks."""
        function = ctx.function
        if function.returns == "anywhere":
            condition = self.expressions.condition(ctx)
            return Stmt("if", "if (", condition, ") " + function.leave)
        if ctx.depth > 0 or ctx.level < THREAD or not ctx.mask:
            return None
        c, m = self.fresh("c"), self.fresh("m")
        condition = self.expressions.condition(ctx)
        made = [Stmt("declare", "bool %s = " % c, condition, ";"),
                Stmt("ballot", "unsigned %s = __ballot_sync(%s, !%s);" % (m, ctx.mask, c)),
                Stmt("if", "if (%s) " % c + function.leave)]
        ctx.mask = m
        return made


def reaching(name, k, cases, falls):
    """The conditions under which a switch comes to case k."""
    found = ["%s == %du" % (name, k)]
    while k > 0 and falls[k - 1]:
        k -= 1
        found.append("%s == %du" % (name, k))
    return found
