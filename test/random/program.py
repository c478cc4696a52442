# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A whole random program: tables of constants, structs, device functions, kernels,
# and a host function that launches them on shared buffers and returns a hash of
# all that they left there.

import random

from expressions import Expressions
from functions import Function, Functions
from idioms import Idioms
from loops import Loops
from memory import GATHERS, Memory
from scalars import F32, I32, SMALL, U32, U64, WIDE, constant
from scope import BLOCK, THREAD, Array, Context, Var
from statements import Statements
from teams import Teams
from tree import Block, Expr, Stmt

BLOCKS = ((32,), (64,), (37,), (96,), (128,), (33,), (100,), (31,), (8, 8), (16, 3), (5, 7, 2), (4, 4, 4),
          (2, 3, 11), (70,), (1, 40))
GRIDS = ((1,), (2,), (3,), (2, 2), (1, 2, 1))
MOST_THREADS = 1024


class Struct:
    """A struct type; a field has a name, a type, and a number of elements, 0 for a scalar."""

    def __init__(self, name, fields):
        self.name = name
        self.fields = fields

    def definition(self):
        fields = "".join("%s %s%s;\n" % (t.name, f, "[%d]" % n if n else "") for f, t, n in self.fields)
        return Stmt("struct", "struct %s {\n%s};" % (self.name, fields))


class Generator(Statements, Loops, Teams, Memory, Functions, Idioms):
    """Makes the program of a seed."""

    # Whether functions with team operations may call themselves, which not every
    # compiler supports.
    recursiveTeams = False

    def __init__(self, seed, size):
        self.rng = random.Random(seed)
        self.seed = seed
        self.size = size
        self.names = 0
        self.budget = 0
        self.expressions = Expressions(self.rng)
        self.structs, self.tables = [], []
        self.byPointer, self.ofTeam, self.ofBlock = [], [], []

    def fresh(self, prefix):
        self.names += 1
        return "%s%d" % (prefix, self.names)

    def program(self):
        """The program: one block, the contents of a namespace."""
        items = [self.constantTable() for _ in range(self.rng.randrange(1, 3))]
        items += [self.structType() for _ in range(self.rng.randrange(3))]
        items += self.functions()
        launches = []
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            items.append(self.kernel(launches))
        self.rng.shuffle(launches)
        items.append(Stmt("host", "u64 run() ", Block(
            [Stmt("start", "Host host;")] + launches + [Stmt("start", "return host.hash;")])))
        return Block(items)

    def constantTable(self):
        rng = self.rng
        type, count, name = rng.choice(WIDE + SMALL), rng.randrange(3, 17), self.fresh("k")
        values = ", ".join(constant(rng, type) for _ in range(count))
        self.tables.append(Array(name, type, count, BLOCK, fixed=True))
        space = rng.choice(("__constant__", "__constant__", "__device__ const"))
        return Stmt("table", "%s %s %s[%d] = {%s};" % (space, type.name, name, count, values))

    def structType(self):
        rng = self.rng
        fields = []
        for k in range(rng.randrange(2, 6)):
            fields.append(("f%d" % k, rng.choice(WIDE + SMALL), rng.choice((0, 0, 0, 3, 5))))
        self.structs.append(Struct(self.fresh("S"), fields))
        return self.structs[-1].definition()

    def kernel(self, launches):
        """A kernel; adds its launches."""
        rng = self.rng
        name = self.fresh("kernel")
        block = rng.choice(BLOCKS)
        ctx = Context(BLOCK, "team")
        ctx.dynamic = True
        function = Function(name, None, [])
        function.buffers = True
        ctx.variables = [Var("p", I32, BLOCK, fixed=True), Var("q", F32, BLOCK, fixed=True)]
        template = rng.random() < 0.3
        if template:
            ctx.variables.append(Var("N", U32, BLOCK, fixed=True))
        items = self.start(ctx)
        known = len(ctx.variables)
        ctx.function = function
        self.budget = 10
        for type in rng.sample(WIDE, 4):
            items.append(self.declaration(ctx, type))
        self.budget = self.size
        body = self.bodyOf(ctx, function)
        items += body
        items += [self.mixed(ctx, v) for v in ctx.variables[known:]]
        items.append(Stmt("end", "results[number] = mix(results[number], h);"))
        for _ in range(rng.choice((1, 1, 2))):
            launches.append(self.launch(name + ("<%du>" % rng.choice((1, 5)) if template else ""), block))
        bounds = ""
        if rng.random() < 0.3:
            bounds = "__launch_bounds__(256) "
        return Stmt("function", "%s__global__ void %s%s(u64 *results, const unsigned *in, unsigned *next, "
                    "const Gather *seen, Gather *gather, int p, float q) " % (
                        "template <unsigned N> " if template else "", bounds, name), Block(items))

    def start(self, ctx):
        """The first declarations of a kernel, and what they bring into scope."""
        rng = self.rng
        items = [Stmt("start", "const unsigned number = blockNumber() * blockThreads() + threadNumber();"),
                 Stmt("start", "const unsigned team = teamMask();"),
                 Stmt("start", "DYNAMIC_SHARED(dynamic);"),
                 Stmt("start", "u64 h = number;")]
        ctx.arrays = [Array("in", U32, MOST_THREADS, BLOCK, fixed=True)] + self.tables
        for member, _, type in rng.sample(GATHERS, 3):
            if type and type is not F32:
                ctx.variables.append(Var("seen->" + member, type, BLOCK, fixed=True))
        ctx.variables.append(Var("next[number]", U32, THREAD))
        if rng.random() < 0.5:
            type = rng.choice(WIDE)
            items.append(Stmt("shared", "__shared__ %s own[256];" % type.name))
            items.append(Stmt("start", "own[threadNumber()] = %s;" % constant(rng, type)))
            ctx.variables.append(Var("own[threadNumber()]", type, THREAD))
        return items

    def bodyOf(self, ctx, function):
        """Statements with barriers, and after the last of them some that leave the kernel early."""
        rng = self.rng
        items = self.sequence(ctx, self.size)
        if rng.random() < 0.4:
            self.budget = self.size // 3
            ctx.level = THREAD
            function.returns = "top"
            function.leave = "{\nresults[number] = h;\nreturn;\n}"
            made = self.earlyReturn(ctx)
            items += made + self.sequence(ctx, 5)
        return items

    def launch(self, kernel, block):
        rng = self.rng
        if rng.random() < 0.2:
            block = rng.choice(BLOCKS)
        threads = 1
        for n in block:
            threads *= n
        grids = [g for g in GRIDS if product(g) * threads <= MOST_THREADS]
        dims = lambda d: "dim3(%s)" % ", ".join(map(str, d))
        numbers = "%s, %s" % (constant(rng, I32), constant(rng, F32))
        return Stmt("launch", "LAUNCH((%s), %s, %s, 2048, host.results, host.in(), host.next(), host.seen(), "
                    "host.gather(), %s);\nhost.finish();" % (kernel, dims(rng.choice(grids)), dims(block), numbers))


def product(numbers):
    result = 1
    for n in numbers:
        result *= n
    return result
