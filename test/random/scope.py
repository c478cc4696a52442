# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What a statement may refer to at one place of a program, and how the threads
# come there.
#
# Levels say which threads are sure to agree on a value or to arrive together:
# BLOCK all of a block, TEAM all of a team, THREAD none. A value may be used
# where its level or a higher one is asked for.

BLOCK, TEAM, THREAD = 0, 1, 2


class Var:
    """A scalar that can be read; one that is not fixed can be assigned and pointed at."""

    def __init__(self, text, type, level, fixed=False, plain=True):
        self.text = text
        self.type = type
        self.level = level
        self.fixed = fixed
        self.plain = plain  # its address may be taken


class Array:
    """Elements of one type; an element is text[index]suffix."""

    def __init__(self, text, type, count, level, fixed=False, suffix=""):
        self.text = text
        self.type = type
        self.count = count
        self.level = level
        self.fixed = fixed
        self.suffix = suffix


class Loop:
    """The innermost loop: how its body may leave it.

    mask names the variable that holds the lanes of this round, or is None where
    nothing has to be kept; level is the level that its conditions may have."""

    def __init__(self, level, mask):
        self.level = level
        self.mask = mask
        self.split = False


class Context:
    """Where a statement stands.

    level: which threads arrive here together. mask: text of the lanes of a team
    that do, which may then take part in a team operation; None if that is not
    known. weight: about how often the statement is executed. top: whether it
    stands directly in the body of a loop or function."""

    def __init__(self, level, mask, variables=(), arrays=(), weight=1, depth=0):
        self.level = level
        self.mask = mask
        self.variables = list(variables)
        self.arrays = list(arrays)
        self.structs = []
        self.weight = weight
        self.depth = depth
        self.loop = None
        self.function = None
        self.top = True
        self.dynamic = False  # the dynamic shared array is free

    def inner(self, level=None, mask="same", weight=1):
        """The context of a block within."""
        here = Context(
            self.level if level is None else max(level, self.level),
            self.mask if mask == "same" else mask,
            self.variables, self.arrays, self.weight * weight, self.depth + 1)
        here.structs = list(self.structs)
        # A side that lanes enter unseen must not leave a loop that counts them.
        here.loop = self.loop if here.mask or not self.mask else None
        here.function = self.function
        here.dynamic = self.dynamic
        here.top = False
        return here

    def assignable(self, floor=None):
        """Variables that may be assigned here."""
        return [v for v in self.variables if not v.fixed and v.level >= self.level]
