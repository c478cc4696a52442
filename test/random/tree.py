# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The tree of a generated program. The generator builds it, text() writes it as
# CUDA source, and the reducer edits it in place: it removes statements from
# blocks, replaces statements by the blocks within them, and replaces
# expressions by constants or by their own operands.


class Expr:
    """An expression: pieces of text and operands, in order, and its type."""

    __slots__ = ("parts", "type")

    def __init__(self, type, *parts):
        self.type = type
        self.parts = list(parts)

    def text(self):
        return "".join(p if isinstance(p, str) else p.text() for p in self.parts)

    def operands(self):
        return [p for p in self.parts if isinstance(p, Expr)]


class Block:
    """Statements in braces."""

    __slots__ = ("items",)

    def __init__(self, items=()):
        self.items = list(items)

    def text(self):
        return "{\n" + self.body() + "}"

    def body(self):
        return "".join(item.text() for item in self.items)


class Stmt:
    """A statement or a declaration: pieces of text, expressions and blocks."""

    __slots__ = ("parts", "kind")

    def __init__(self, kind, *parts):
        self.kind = kind
        self.parts = list(parts)

    def text(self):
        return "".join(p if isinstance(p, str) else p.text() for p in self.parts) + "\n"

    def blocks(self):
        return [p for p in self.parts if isinstance(p, Block)]


def blocksOf(node):
    """Every block below a node, outermost first."""
    found = []
    pending = [node]
    while pending:
        here = pending.pop(0)
        if isinstance(here, Block):
            found.append(here)
            pending[:0] = here.items
        else:
            pending[:0] = here.blocks()
    return found


def expressionsOf(node):
    """Every expression below a node with the list that holds it and its place there."""
    found = []
    for block in blocksOf(node):
        for item in block.items:
            pending = [(item.parts, i) for i in range(len(item.parts))]
            while pending:
                parts, i = pending.pop(0)
                if isinstance(parts[i], Expr):
                    found.append((parts, i))
                    pending[:0] = [(parts[i].parts, k) for k in range(len(parts[i].parts))]
    return found


def indent(text):
    """Indents source by its braces; a line that closes more than it opens moves left."""
    lines = []
    depth = 0
    for line in text.split("\n"):
        line = line.strip()
        closing = len(line) - len(line.lstrip("}"))
        lines.append("  " * max(depth - closing, 0) + line if line else "")
        depth += line.count("{") - line.count("}")
    return "\n".join(lines)
