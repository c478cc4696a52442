// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed environment variables: values, defaults, and errors that name them.

#include "het/Base/Environment.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace het;

namespace {
constexpr const char *name = "HET_TEST_VARIABLE";

class Environment : public testing::Test {
protected:
  void TearDown() override { ::unsetenv(name); }
  static void set(const char *value) { ::setenv(name, value, 1); }
  template <typename T> static void expectNamed(const Result<T> &result) {
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.status().code, Code::Invalid);
    EXPECT_NE(result.status().text().find(name), std::string::npos);
  }
};
} // namespace

TEST_F(Environment, UnsetAndEmptyMeanTheDefault) {
  for (bool empty : {false, true}) {
    if (empty)
      set("");
    EXPECT_FALSE(environment::text(name).has_value());
    EXPECT_EQ(*environment::number(name, 5, 1, 9), 5u);
    EXPECT_EQ(*environment::size(name, 5), 5u);
    EXPECT_TRUE(*environment::flag(name, true));
    EXPECT_EQ(*environment::choice(name, 1, {"a", "b"}), 1u);
    EXPECT_TRUE(environment::list(name, ',').empty());
  }
}

TEST_F(Environment, Number) {
  set("9");
  EXPECT_EQ(*environment::number(name, 5, 1, 9), 9u);
  for (const char *bad :
       {"0", "10", "x", "4x", " 4", "-1", "99999999999999999999999", "1.5"}) {
    set(bad);
    expectNamed(environment::number(name, 5, 1, 9));
  }
}

TEST_F(Environment, Size) {
  set("123");
  EXPECT_EQ(*environment::size(name, 0), 123u);
  set("4K");
  EXPECT_EQ(*environment::size(name, 0), 4096u);
  set("2G");
  EXPECT_EQ(*environment::size(name, 0), uint64_t(2) << 30);
  for (const char *bad : {"K", "4KB", "4k", "-4", "99999999T"}) {
    set(bad);
    expectNamed(environment::size(name, 0));
  }
}

TEST_F(Environment, FlagAndChoice) {
  set("1");
  EXPECT_TRUE(*environment::flag(name, false));
  set("yes");
  expectNamed(environment::flag(name, false));
  set("info");
  EXPECT_EQ(*environment::choice(name, 0, {"warn", "info"}), 1u);
  set("Info");
  expectNamed(environment::choice(name, 0, {"warn", "info"}));
}

TEST_F(Environment, List) {
  set("host,,ptx:0,");
  EXPECT_EQ(environment::list(name, ','), (std::vector<std::string>{"host", "ptx:0"}));
}

/// Run again by SecureProcessesTakeNone, with more rights than its caller.
TEST_F(Environment, DISABLED_IsSecure) {
  if (!::getauxval(AT_SECURE))
    std::_Exit(77); // that file system takes no such programs
  std::_Exit(environment::text("HET_TEST_SECURE") || !::getenv("HET_TEST_SECURE"));
}

TEST_F(Environment, SecureProcessesTakeNone) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can make a program for another user";
  char folder[] = "/tmp/het-secure-XXXXXX";
  ASSERT_NE(::mkdtemp(folder), nullptr);
  const std::string program = std::string(folder) + "/program";
  std::filesystem::copy_file("/proc/self/exe", program);
  ASSERT_EQ(::chmod(folder, 0755), 0);
  ASSERT_EQ(::chmod(program.c_str(), 04755), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("HET_TEST_SECURE", "1", 1);
    if (::setresgid(65534, 65534, 65534) || ::setresuid(65534, 65534, 65534))
      ::_exit(78);
    ::execl(program.c_str(), program.c_str(), "--gtest_also_run_disabled_tests",
            "--gtest_filter=*IsSecure", nullptr);
    ::_exit(79);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77)
    GTEST_SKIP() << "no set-user-ID programs in /tmp";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}
