# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What sizes.py finds in sources made here, and that it finds no more."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.dont_write_bytecode = True
import sizes


def lines(count, text="  use();\n"):
    return text * count


def found(source):
    return [(name, size) for _, name, size, _ in sizes.in_cpp(source)]


def methods(*declarations):
    """How many of these are methods: they stand in a class that has 25 others."""
    others = "".join(f"  int f{i}(int x);\n" for i in range(25))
    text = "".join(f"  {declaration}\n" for declaration in declarations)
    result = found(f"class Big {{\npublic:\n{others}\n{text}}};\n")
    return result[0][1] - 25 if result else 0


class Functions(unittest.TestCase):
    def test_length(self):
        for head in ("int f(int x)", "static void Some::name()", "Some::Some() : a{1}, b(2)",
                     "template <typename T> bool f(T t)", "auto f() -> std::vector<int>",
                     "std::function<void(int)> f()", "bool operator<(int a, int b)",
                     "TEST(Group, Name)", "void f(std::map<int, int> x = {})"):
            self.assertEqual(found(f"{head} {{\n{lines(58)}}}\n"), [], head)
            self.assertEqual([size for _, size in found(f"{head} {{\n{lines(59)}}}\n")], [61], head)

    def test_head_of_several_lines(self):
        source = f"int f(int x,\n      int y)\n    : a(x) {{\n{lines(58)}}}\n"
        self.assertEqual(found(source), [("f", 62)])

    def test_neighbours_and_what_encloses_them(self):
        small = f"void f() {{\n{lines(40)}}}\n"
        self.assertEqual(found(f"namespace het {{\nnamespace {{\n{small}{small}}}\n}} // namespace\n"), [])
        self.assertEqual(found(f'extern "C" {{\n{small}{small}}}\n'), [])

    def test_no_functions(self):
        self.assertEqual(found(f"const int table[] = {{\n{lines(99, '    1,' + chr(10))}}};\n"), [])
        self.assertEqual(found(f"enum class E {{\n{lines(99, '  a,' + chr(10))}}};\n"), [])

    def test_text_is_not_code(self):
        for text in ('  auto s = R"x(\n}\n)x";\n', "  /*\n}\n*/\n", "#define X \\\n}\n", "  '{', \"{\\\"\";\n"):
            body = text + lines(61 - 1 - text.count("\n"))
            self.assertEqual([name for name, _ in found(f"void f() {{\n{body}}}\n")], ["f"], text)

    def test_in_classes(self):
        source = f"struct S {{\n  void f() {{\n{lines(59, '    use();' + chr(10))}  }}\n}};\n"
        self.assertEqual(found(source), [("f", 61)])


class Classes(unittest.TestCase):
    def test_length(self):
        for head in ("class C", "struct C : Base<int>", "template <typename T> class C final",
                     "class HET_API C : public A,\n                  public B"):
            body = lines(299 - head.count("\n"), "  int x;\n")
            self.assertEqual(found(f"{head} {{\n{body[9:]}}};\n"), [], head)
            self.assertEqual(found(f"{head} {{\n{body}}};\n"), [("C", 301)], head)

    def test_local_and_nested(self):
        many = "".join(f"    int f{i}();\n" for i in range(26))
        for head, end in (("void f() {", "}"), ("class Outer {\npublic:", "};")):
            self.assertEqual(found(f"{head}\n  struct In {{\n{many}  }};\n{end}\n"), [("In", 26)], head)

    def test_methods(self):
        for declaration in ("void g();", "int g() const override;", "bool operator()(int x);",
                            "bool operator==(const Big &) const;", "explicit operator bool() const;",
                            "std::function<void(int)> g();", "template <typename T> T g(T x);",
                            "static Result<int> g(int x = 3);", "virtual void g() = 0;",
                            "[[nodiscard]] int g();", "int g(int x,\n        int y);",
                            "void g() {\n    use();\n  }"):
            self.assertEqual(methods(declaration), 1, declaration)

    def test_no_methods(self):
        for declaration in ("int x;", "int x = f();", "std::function<void(int)> g;", "void (*g)(int);",
                            "std::vector<int> x{f()};", "friend void g();", "using F = void(int);",
                            "Big();", "explicit Big(int x);", "~Big();", "Big &operator=(const Big &);",
                            "int size() const { return count; }", "virtual void hook() {}",
                            "void g() = delete;", "enum E { a };", "struct In;",
                            'static_assert(sizeof(int) == 4, "x");', "alignas(8) char x[8];"):
            self.assertEqual(methods(declaration), 0, declaration)


class Python(unittest.TestCase):
    def test_all(self):
        body = "    x = 1\n"
        self.assertEqual(sizes.in_python("def f():\n" + body * 59), [])
        self.assertEqual(sizes.in_python("def f():\n" + body * 60)[0][1:3], ("f", 61))
        many = "".join(f"    def f{i}(self): pass\n" for i in range(26))
        self.assertEqual(sizes.in_python("class C:\n" + many)[0][1:3], ("C", 26))


if __name__ == "__main__":
    unittest.main()
