# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes of functions and classes, in C++ as clang-format lays it out and in Python.

Methods are what a class's author has to write and its reader to know: not constructors,
destructors and assignments, nor what a line in the class defines (`{ return count; }`).
C++ is read by its indentation: what stands deeper than a line belongs to it, up to the
line of the same depth that begins with a brace.
"""

import ast
import re

FUNCTION_LINES = 60, "lines; a function has at most 60"
CLASS_LINES = 300, "lines; a class has at most 300"
METHODS = 25, "methods; a class has at most 25"

NOT_CODE = re.compile(
    r"""(?:u8|[uUL])?R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)"|//[^\n]*|/\*.*?\*/"""
    r"""|"(?:[^"\\\n]|\\.)*"|(?<!\w)'(?:[^'\\\n]|\\.)+'|^[ \t]*\#(?:[^\n\\]|\\.)*""",
    re.MULTILINE | re.DOTALL)
LABEL = re.compile(r"(?:public|protected|private):$")
NAMESPACE = re.compile(r"(?:inline )?namespace\b[^;=]*\{$|extern +\{$")
TEMPLATE = re.compile(r"template <.*?> ?(?=\w|$)")
CLASS = re.compile(r"(?:static |typedef )?(?:class|struct|union) (?:[A-Z_]{2,} (?=\w))?(?:\w+::)*(\w*)[^;=()]*\{$")
NO_METHOD = re.compile(r"(?:friend|using|typedef|static_assert|enum|class|struct|union)\b")
NO_NAME = {"decltype", "alignas", "requires", "__attribute__"}
OPERATOR = re.compile(r"[^(={]*\b(operator\b *[^\s\w(]*[^(]*)")


def without_text(source):
    """The source with comments, literals and directives gone, line for line."""
    def blank(found):
        count = found.group().count("\n")
        return "\n" * count + " " * 80 if count else ""  # what follows is not a new statement

    return NOT_CODE.sub(blank, source)


def over(line, name, size, limit):
    return [(line, name, size, limit[1])] if size > limit[0] else []


def indent(line):
    return len(line) - len(line.lstrip())


def function_name(head):
    """What a declaration declares if it is a function, or None."""
    if found := OPERATOR.match(head):
        return found.group(1).strip()
    depth = 0
    for at, letter in enumerate(head):
        if letter == "<" and head[at - 1:at] not in (" ", "<"):
            depth += 1
        elif letter == ">" and depth:
            depth -= 1
        elif letter in "={":
            return None
        elif letter == "(" and not depth:
            name = re.search(r"~?[\w:]+$", head[:at])
            if not name or name.group() in NO_NAME or head.startswith("*", at + 1):
                return None
            return name.group()
    return None


class Source:
    """A C++ file's lines, and what in it is too large."""

    def __init__(self, source):
        self.lines = [line.rstrip() for line in without_text(source).split("\n")]
        self.found = []

    def end(self, begin):
        """The line after the statement that begins in this line."""
        depth = indent(self.lines[begin])
        for at in range(begin + 1, len(self.lines)):
            line = self.lines[at]
            if line and indent(line) <= depth and not LABEL.match(line.strip()):
                return at + 1 if indent(line) == depth and line[depth] == "}" else at
        return len(self.lines)

    def head(self, begin, end):
        """A statement up to its body, in one line."""
        words = []
        for line in self.lines[begin:end]:
            words.append(line.strip())
            if line.endswith(("{", "}", ";")):
                break
        return TEMPLATE.sub("", " ".join(filter(None, words)), count=1)

    def check(self, begin, end, owner=None):
        """Goes through the statements of a namespace or class; counts the methods."""
        methods, at = 0, begin
        while at < end:
            line = self.lines[at].strip()
            if not line or line[0] == "}" or LABEL.match(line) or NAMESPACE.match(line):
                at += 1
                continue
            after = self.end(at)
            methods += self.check_statement(at, after, owner)
            at = after
        return methods

    def check_statement(self, begin, end, owner):
        """Checks a class or function; whether it is one of its owner's methods."""
        head, lines = self.head(begin, end), end - begin
        if found := CLASS.match(head):
            self.check_class(found.group(1), begin, end)
            return False
        if NO_METHOD.match(head):
            return False
        name = function_name(head)
        if name:
            self.found += over(begin + 1, name, lines, FUNCTION_LINES)
        for at in range(begin + 1, end):
            if found := CLASS.match(self.lines[at].strip()):
                self.check_class(found.group(1), at, self.end(at))
        special = name in (owner, f"~{owner}", "operator=")
        return name is not None and not special and not head.endswith(("}", "= delete;"))

    def check_class(self, name, begin, end):
        methods = self.check(begin + 1, end - 1, name)
        self.found += over(begin + 1, name, end - begin, CLASS_LINES)
        self.found += over(begin + 1, name, methods, METHODS)


def in_cpp(text):
    """(line, name, size, what) of each function and class that is too large."""
    source = Source(text)
    source.check(0, len(source.lines))
    return source.found


def in_python(text):
    """The same for a Python file."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            continue
        lines = node.end_lineno - node.lineno + 1
        is_class = isinstance(node, ast.ClassDef)
        found += over(node.lineno, node.name, lines, CLASS_LINES if is_class else FUNCTION_LINES)
        if is_class:
            methods = sum(isinstance(member, ast.FunctionDef) for member in node.body)
            found += over(node.lineno, node.name, methods, METHODS)
    return found
