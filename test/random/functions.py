# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Random device functions and their calls.
#
# pure: of numbers only; may be called anywhere, also through a table of pointers,
# and may call itself. byPointer: changes what its pointers name. team: takes the
# mask of the lanes that call it and contains team operations. block: is called by
# all threads of a block and contains barriers.

from scalars import SMALL, U32, WIDE
from scope import BLOCK, TEAM, THREAD, Array, Context, Var
from tree import Block, Expr, Stmt


class Function:
    """A function as its callers and the statements within see it.

    cost: about how many statements a call executes. returns: where it may be left
    early, "anywhere", "top" (with a new mask) or nowhere; leave: how. buffers:
    whether the kernel's arguments are in scope. uniform: the result depends only on
    the arguments and the block, not on the thread. table: how many entries a table
    of functions has, 0 for a function."""

    def __init__(self, name, type, parameters, table=0):
        self.name = name
        self.type = type
        self.parameters = parameters
        self.table = table
        self.cost = 1
        self.returns = None
        self.leave = ""
        self.buffers = False
        self.uniform = False


def fromHash(type):
    """The value that a function returns when it is left early."""
    if type.floating:
        return "(%s)(h >> 44)" % type.name
    return "(%s)h" % ("i64" if type.name == "long long" else type.name)


class Functions:
    """Part of the generator: device functions and calls."""

    def attribute(self):
        return "__device__ " + self.rng.choice(("__noinline__ ", "__noinline__ ", "__forceinline__ ", "inline "))

    def functions(self):
        """All functions of a program; a later one may call the earlier ones."""
        rng = self.rng
        items = []
        small = self.size < 8
        for _ in range(1 if small else rng.randrange(1, 4)):
            items.append(rng.choice((self.pureFunction, self.recursiveFunction, self.templateFunction))())
        if rng.random() < (0.2 if small else 0.4):
            items += self.table()
        for maker in (self.pointerFunction, self.teamFunction, self.blockFunction):
            for _ in range(rng.choice((0, 0, 1) if small else (0, 1, 1, 2))):
                items.append(maker())
        return items

    def body(self, function, ctx, first, count):
        """Statements of a function in a block that returns a number."""
        ctx.function = function
        ctx.arrays += self.tables
        self.budget = count * 2
        items = [Stmt("start", "u64 h = %s;" % first)] + self.sequence(ctx, count)
        for v in ctx.variables:
            if not v.fixed and self.rng.random() < 0.7:
                items.append(self.mixed(ctx, v))
        return items

    def parameters(self, ctx, levels=(THREAD,), types=WIDE):
        """Declares one to three parameters in a context."""
        found = []
        for _ in range(self.rng.randrange(1, 4)):
            v = Var(self.fresh("a"), self.rng.choice(types), self.rng.choice(levels))
            ctx.variables.append(v)
            found.append(v)
        return found

    # Pure functions.

    def pureFunction(self, signature=None):
        ctx = Context(THREAD, None)
        type = signature.type if signature else self.rng.choice(WIDE)
        if signature:
            formal = [Var(self.fresh("a"), t, THREAD) for t in signature.parameters]
            ctx.variables += formal
        else:
            formal = self.parameters(ctx)
        function = Function(self.fresh("f"), type, [v.type for v in formal])
        function.returns = "anywhere"
        function.uniform = signature.uniform if signature else self.rng.random() < 0.5
        function.leave = "{\nreturn %s;\n}" % fromHash(type)
        items = self.body(function, ctx, len(formal), self.rng.randrange(2, 7))
        value = self.expressions.make(ctx, type, 3)
        items.append(Stmt("return", "return ", value if self.rng.random() < 0.6 else fromHash(type), ";"))
        attribute = "__device__ " if signature else self.attribute()
        self.expressions.pure.append(function)
        return self.defined(function, attribute, formal, items)

    def defined(self, function, attribute, formal, items, head=""):
        signature = ", ".join("%s %s" % (v.type.name, v.text) for v in formal)
        return Stmt("function", "%s%s%s %s(%s) " % (head, attribute, function.type.name, function.name, signature),
                    Block(items))

    def templateFunction(self):
        """A template over a number; two of its instances become known."""
        ctx = Context(THREAD, None, [Var("N", U32, BLOCK, fixed=True)])
        formal = self.parameters(ctx)
        function = Function(self.fresh("f"), self.rng.choice(WIDE), [v.type for v in formal])
        function.returns = "anywhere"
        function.leave = "{\nreturn %s;\n}" % fromHash(function.type)
        function.uniform = self.rng.random() < 0.5
        items = self.body(function, ctx, "N", self.rng.randrange(2, 6))
        items.append(Stmt("return", "return %s;" % fromHash(function.type)))
        for n in (1, 6):
            instance = Function("%s<%du>" % (function.name, n), function.type, function.parameters)
            instance.cost = function.cost
            instance.uniform = function.uniform
            self.expressions.pure.append(instance)
        return self.defined(function, self.attribute(), formal, items, "template <unsigned N> ")

    def recursiveFunction(self):
        """A function that calls itself up to three deep, depending on the thread."""
        depth = Var(self.fresh("d"), U32, THREAD, fixed=True)
        ctx = Context(THREAD, None, [depth])
        formal = self.parameters(ctx)
        function = Function(self.fresh("f"), self.rng.choice(WIDE), [U32] + [v.type for v in formal])
        function.leave = "{\nreturn %s;\n}" % fromHash(function.type)
        function.uniform = self.rng.random() < 0.5
        items = [Stmt("start", "%s &= 3;" % depth.text)] + self.body(function, ctx, depth.text, 2)
        parts = ["if (%s > 0 && " % depth.text, self.expressions.condition(ctx, 1),
                 ")\nh = mix(h, hashOf(%s(%s - 1" % (function.name, depth.text)]
        for v in formal:
            parts += [", ", self.expressions.make(ctx, v.type, 1)]
        items.append(Stmt("call", *parts, ")));"))
        function.returns = "anywhere"
        items += self.sequence(ctx, 2)
        items.append(Stmt("return", "return ", fromHash(function.type), ";"))
        function.cost *= 4
        self.expressions.pure.append(function)
        return self.defined(function, "__device__ __noinline__ ", [depth] + formal, items)

    def table(self):
        """Two or three functions of one type, called through a table."""
        rng = self.rng
        count = rng.randrange(2, 4)
        table = Function(self.fresh("t"), rng.choice(WIDE), [rng.choice(WIDE) for _ in range(2)], count)
        table.uniform = rng.random() < 0.5
        items = [self.pureFunction(table) for _ in range(count)]
        entries = self.expressions.pure[-count:]
        table.cost = max(f.cost for f in entries)
        self.expressions.pure.append(table)
        space = rng.choice(("__device__", "__constant__"))
        items.append(Stmt("table", "typedef %s (*%sType)(%s);\n%s const %sType %s[%d] = {%s};" % (
            table.type.name, table.name, ", ".join(t.name for t in table.parameters), space, table.name,
            table.name, count, ", ".join(f.name for f in entries))))
        return items

    # Functions that are called by statements.

    def pointerFunction(self):
        ctx = Context(THREAD, None)
        formal = self.parameters(ctx, types=WIDE + SMALL)
        for v in formal:
            v.text = "(*%s)" % v.text
        function = Function(self.fresh("f"), None, [v.type for v in formal])
        function.returns = "anywhere"
        function.leave = "{\nreturn h;\n}"
        items = self.body(function, ctx, 3, self.rng.randrange(2, 6))
        items.append(Stmt("return", "return h;"))
        signature = ", ".join("%s %s" % (v.type.name, v.text.strip("()")) for v in formal)
        self.byPointer.append(function)
        return Stmt("function", "%su64 %s(%s) " % (self.attribute(), function.name, signature), Block(items))

    def teamFunction(self):
        """Called by the lanes of a mask. Some call themselves, with the lanes that go on."""
        rng = self.rng
        ctx = Context(THREAD, "team")
        formal = self.parameters(ctx)
        recursive = rng.random() < 0.3 and self.recursiveTeams
        function = Function(self.fresh("f"), None, [v.type for v in formal])
        items = self.body(function, ctx, 5, rng.randrange(2, 6))
        if recursive:
            items.append(Stmt("declare", "bool deeper = depth > 0 && ", self.expressions.condition(ctx, 1), ";"))
            items.append(Stmt("ballot", "unsigned below = __ballot_sync(team, deeper);"))
            parts = ["if (deeper)\nh = mix(h, %s(below, depth - 1" % function.name]
            for v in formal:
                parts += [", ", self.expressions.make(ctx, v.type, 1)]
            items.append(Stmt("call", *parts, "));"))
            function.cost *= 4
        function.returns = "top"
        function.leave = "{\nreturn h;\n}"
        items += self.sequence(ctx, 2)
        items.append(Stmt("return", "return h;"))
        signature = "".join(", %s %s" % (v.type.name, v.text) for v in formal)
        self.ofTeam.append(function)
        attribute = "__device__ __noinline__ " if recursive else self.attribute()
        return Stmt("function", "%su64 %s(unsigned team, unsigned depth%s) " % (attribute, function.name, signature),
                    Block(items))

    def blockFunction(self):
        ctx = Context(BLOCK, "team")
        formal = self.parameters(ctx, levels=(BLOCK, TEAM, THREAD))
        function = Function(self.fresh("f"), None, [(v.type, v.level) for v in formal])
        items = [Stmt("start", "const unsigned team = teamMask();")]
        items += self.body(function, ctx, 9, self.rng.randrange(2, 7))
        items.append(Stmt("return", "return h;"))
        signature = ", ".join("%s %s" % (v.type.name, v.text) for v in formal)
        self.ofBlock.append(function)
        return Stmt("function", "%su64 %s(%s) " % (self.attribute(), function.name, signature), Block(items))

    # Calls.

    def chosen(self, ctx, functions):
        """A function that is not too expensive here."""
        cheap = [f for f in functions if ctx.weight * f.cost <= 400]
        if not cheap:
            return None
        function = self.rng.choice(cheap)
        ctx.function.cost += ctx.weight * function.cost
        return function

    def pointerCall(self, ctx):
        function = self.chosen(ctx, self.byPointer)
        if not function:
            return None
        arguments = []
        for type in function.parameters:
            places = [v.text for v in ctx.variables
                      if v.type is type and v.level == THREAD and not v.fixed and v.plain]
            if not places:
                return None
            arguments.append("&" + self.rng.choice(places))
        return Stmt("call", "h = mix(h, %s(%s));" % (function.name, ", ".join(arguments)))

    def teamCall(self, ctx):
        function = self.chosen(ctx, self.ofTeam)
        if not function:
            return None
        parts = ["h = mix(h, %s(%s, " % (function.name, ctx.mask), self.expressions.make(ctx, U32, 1), " & 3"]
        for type in function.parameters:
            parts += [", ", self.expressions.make(ctx, type, 2)]
        return Stmt("call", *parts, "));")

    def blockCall(self, ctx):
        function = self.chosen(ctx, self.ofBlock)
        if not function:
            return None
        parts = ["h = mix(h, %s(" % function.name]
        for i, (type, level) in enumerate(function.parameters):
            parts += [", " if i else "", self.expressions.make(ctx, type, 2, level)]
        return Stmt("call", *parts, "));")
