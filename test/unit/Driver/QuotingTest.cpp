// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quotes, backslashes and commas: what the compilers behind nvcc get of a
// command line, an options file and the variables, word by word. The expected
// words were read off an nvcc whose host compiler printed its arguments; only
// what its shell would expand ($HOME) is left as it stands.

#include "Settings.h"
#include "Text.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace het;
using namespace het::driver;
using Words = std::vector<std::string>;

/// The words for the compilers, or what is said instead.
static Words compilerWords(const Words &words) {
  llvm::Expected<CommandLine> line = parseCommandLine(words);
  if (!line)
    return {"error: " + llvm::toString(line.takeError())};
  llvm::Expected<Settings> settings = readSettings(*line);
  if (!settings)
    return {"error: " + llvm::toString(settings.takeError())};
  Words found = settings->language;
  found.insert(found.end(), settings->compilerOptions.begin(),
               settings->compilerOptions.end());
  return found;
}

namespace {
struct Case {
  const char *given; ///< Without its option.
  Words expected;
};
} // namespace

TEST(DriverQuoting, Macros) {
  const Case cases[] = {
      {R"(T="a b")", {R"(-DT="a b")"}},
      {R"(T=\"a b\")", {R"(-DT="a b")"}},
      {R"(T='a b')", {R"(-DT='a b')"}},
      {R"(T=\"a,b\")", {R"(-DT="a)", R"(-Db")"}},
      {R"(T="x,y")", {R"(-DT="x,y")"}},
      {R"(T=a b)", {R"(-DT=a b)"}},
      {R"(T=a\ b)", {R"(-DT=a b)"}},
      {R"(T=\"a\ b\")", {R"(-DT="a b")"}},
      {R"(A=1,B=2)", {"-DA=1", "-DB=2"}},
      {R"( A=1,B=2)", {"-DA=1", "-DB=2"}},
      {R"(F(a\,b)=a)", {"-DF(a,b)=a"}},
      {R"(X='"q r"')", {R"(-DX='"q r"')"}},
      {R"(X=(1 + 2))", {"-DX=(1 + 2)"}},
      {R"(S="\"a b\"")", {R"(-DS=""a b"")"}},
      {R"(X=it's)", {"-DX=it's"}},
      {R"(X=a\nb)", {"-DX=anb"}},
      {R"(X=a\\b)", {R"(-DX=a\b)"}},
      {R"(X=\<a.h\>)", {"-DX=<a.h>"}},
      {R"(X="<a b.h>")", {R"(-DX="<a b.h>")"}},
      {R"(X='a','b')", {"-DX='a'", "-D'b'"}},
      {R"(X=a;b)", {"-DX=a;b"}},
      {R"(X=a&b)", {"-DX=a&b"}},
      {R"(X=*)", {"-DX=*"}},
      {R"(X=#)", {"-DX=#"}},
      {R"(X=)", {"-DX="}},
      {R"(X=\"\")", {R"(-DX="")"}},
      {R"(X="")", {R"(-DX="")"}},
      {R"(X=\'x\')", {"-DX='x'"}},
  };
  for (const Case &one : cases) {
    EXPECT_EQ(compilerWords({std::string("-D") + one.given}), one.expected) << one.given;
    EXPECT_EQ(compilerWords({"--define-macro", one.given}), one.expected) << one.given;
  }
  EXPECT_EQ(compilerWords({"-DX=\"a"}), Words{"error: Stray '\"' character in 'X=\"a'"});
}

TEST(DriverQuoting, HostCompilerWords) {
  const Case cases[] = {
      {"-fno-strict-aliasing -pipe", {"-fno-strict-aliasing", "-pipe"}},
      {R"("-fno-strict-aliasing -pipe")", {"-fno-strict-aliasing -pipe"}},
      {"-a,-b", {"-a", "-b"}},
      {"-a -b,-d", {"-a", "-b", "-d"}},
      {R"(-DX=\"a b\")", {"-DX=a b"}},
      {R"(-DX="a b")", {"-DX=a b"}},
      {R"("-DX=a,b")", {"-DX=a,b"}},
      {"'-a -b'", {"-a -b"}},
      {R"(-DX=\\\"a\\\")", {R"(-DX="a")"}},
      {"", {}},
      {R"(-Wl\,-rpath\,x)", {"-Wl,-rpath,x"}},
      {"-Wl,-rpath,x", {"-Wl", "-rpath", "x"}},
      {" -a  -b ", {"-a", "-b"}},
      {R"(-DX='"a"')", {R"(-DX="a")"}},
      {R"('-DX="a b"')", {R"(-DX="a b")"}},
      {R"(-a "-b c",-d)", {"-a", "-b c", "-d"}},
      {R"(-I"my dir")", {"-Imy dir"}},
      {R"(-DA=a\ b)", {"-DA=a", "b"}},
      {R"(-g,"-a,b",-c)", {"-g", "-a,b", "-c"}},
      {"-DA='x'", {"-DA=x"}},
      {R"(-DA=\'x\')", {"-DA=x"}},
  };
  for (const Case &one : cases) {
    EXPECT_EQ(compilerWords({"-Xcompiler", one.given}), one.expected) << one.given;
    EXPECT_EQ(compilerWords({std::string("--compiler-options=") + one.given}),
              one.expected)
        << one.given;
  }
}

TEST(DriverQuoting, Folders) {
  EXPECT_EQ(compilerWords({"-I", "my dir"}), (Words{"-I", "my dir"}));
  EXPECT_EQ(compilerWords({"-I\"my dir\""}), (Words{"-I", "my dir"}));
  EXPECT_EQ(compilerWords({"-Ia,b"}), (Words{"-I", "a", "-I", "b"}));
  EXPECT_EQ(compilerWords({"-Imy\\ dir"}), (Words{"-I", "my\\ dir"}));
  EXPECT_EQ(compilerWords({"-isystem", "s t"}), (Words{"-isystem", "s t"}));
}

TEST(DriverQuoting, OptionsFiles) {
  const Case cases[] = {
      {R"(-DT="a b")", {"-DT=a b"}},
      {R"(-DU=\"q\")", {"-DU=q"}},
      {R"(-DV='s')", {"-DV='s'"}},
      {R"(-DW=\"a\ b\")", {"-DW=a b"}},
      {R"("-DX=1 2")", {"-DX=1 2"}},
      {R"(-DZ=a\\b)", {"-DZ=ab"}},
      {R"(-Xcompiler "-g -pipe")", {"-g", "-pipe"}},
      {R"(-Xcompiler -Wall,-fPIC)", {"-Wall", "-fPIC"}},
      {R"(-DA=a\ b)", {"-DA=a b"}},
      {R"(-DX=\\\"a\\\")", {R"(-DX="a")"}},
      {"-D A=1   -D\tB=2", {"-DA=1", "-DB=2"}},
      {R"(-DA="" -DB=2)", {"-DA=", "-DB=2"}},
      {R"("-DA=x,y")", {"-DA=x", "-Dy"}},
      {R"(-I"my dir")", {"-I", "my dir"}},
  };
  llvm::SmallString<128> path;
  int file = 0;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("options", "rsp", file, path));
  llvm::raw_fd_ostream(file, /*shouldClose=*/true);
  for (const Case &one : cases) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << one.given << '\n';
    ASSERT_FALSE(error);
    EXPECT_EQ(compilerWords({"--options-file", path.str().str()}), one.expected)
        << one.given;
  }
  llvm::sys::fs::remove(path);
}

TEST(DriverQuoting, Variables) {
  const Case cases[] = {
      {R"(-DT="a b")", {R"(-DT="a b")"}},
      {R"(-DA="x,y" -DB=2)", {R"(-DA="x,y")", "-DB=2"}},
      {R"(-Xcompiler "-g -pipe")", {"-g -pipe"}},
      {R"(-DF(a\,b)=a)", {"-DF(a,b)=a"}},
      {"  -DV='s'\t-DW=a\\\\b  ", {"-DV='s'", R"(-DW=a\b)"}},
      {"", {}},
  };
  for (const Case &one : cases)
    EXPECT_EQ(compilerWords(splitVariable(one.given)), one.expected) << one.given;
}
