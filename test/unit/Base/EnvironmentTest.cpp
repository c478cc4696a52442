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
class Environment : public testing::Test {
protected:
  void TearDown() override { ::unsetenv(environment::name(variable)); }
  void set(const char *value) { environment::set(variable, value); }
  template <typename T> void expectNamed(const Result<T> &result) {
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.status().code, Code::Invalid);
    EXPECT_NE(result.status().text().find(environment::name(variable)),
              std::string::npos);
  }

  Variable variable = Variable::PackagePath; ///< That a test sets.
};
} // namespace

TEST_F(Environment, UnsetAndEmptyMeanTheDefault) {
  for (bool empty : {false, true}) {
    if (empty)
      set("");
    EXPECT_FALSE(environment::text(variable).has_value());
    EXPECT_EQ(*environment::number(variable, 1, 9, 5), 5u);
    EXPECT_EQ(*environment::size(variable, 5), 5u);
    EXPECT_EQ(*environment::choice(variable, 1), 1u);
    EXPECT_TRUE(environment::list(variable, ',').empty());
  }
}

TEST_F(Environment, DefaultsAreThoseOfTheTable) {
  EXPECT_EQ(*environment::number(Variable::ShortLaunch, 0, 5000), 1000u);
  EXPECT_EQ(*environment::size(Variable::CacheSize), uint64_t(1) << 30);
  EXPECT_TRUE(*environment::flag(Variable::Preload));
  EXPECT_FALSE(*environment::flag(Variable::Control));
  EXPECT_EQ(*environment::choice(Variable::Log), 1u);
  EXPECT_EQ(environment::textOrDefault(Variable::CudaDriver), "libcuda.so.1");
}

TEST_F(Environment, Number) {
  set("9");
  EXPECT_EQ(*environment::number(variable, 1, 9, 5), 9u);
  for (const char *bad :
       {"0", "10", "x", "4x", " 4", "-1", "99999999999999999999999", "1.5"}) {
    set(bad);
    expectNamed(environment::number(variable, 1, 9, 5));
  }
}

TEST_F(Environment, Size) {
  set("123");
  EXPECT_EQ(*environment::size(variable, 0), 123u);
  set("4K");
  EXPECT_EQ(*environment::size(variable, 0), 4096u);
  set("2G");
  EXPECT_EQ(*environment::size(variable, 0), uint64_t(2) << 30);
  for (const char *bad : {"K", "4KB", "4k", "-4", "99999999T"}) {
    set(bad);
    expectNamed(environment::size(variable, 0));
  }
}

TEST_F(Environment, Flag) {
  set("1");
  EXPECT_TRUE(*environment::flag(variable));
  set("0");
  EXPECT_FALSE(*environment::flag(variable));
  set("yes");
  expectNamed(environment::flag(variable));
}

TEST_F(Environment, Choice) {
  variable = Variable::SpirvSubgroup;
  set("8");
  EXPECT_EQ(*environment::choice(variable, 0), 2u);
  for (const char *bad : {"9", "32|16", " 8"}) {
    set(bad);
    expectNamed(environment::choice(variable, 0));
  }
  EXPECT_NE(environment::choice(variable, 0).status().text().find("expected 32, 16 or 8"),
            std::string::npos);
}

TEST_F(Environment, List) {
  set("host,,ptx:0,");
  EXPECT_EQ(environment::list(variable, ','),
            (std::vector<std::string>{"host", "ptx:0"}));
}

/// Run again by SecureProcessesTakeNone, with more rights than its caller.
TEST_F(Environment, DISABLED_IsSecure) {
  if (!::getauxval(AT_SECURE))
    std::_Exit(77); // that file system takes no such programs
  std::_Exit(environment::text(Variable::HostLose) || !::getenv("HET_HOST_LOSE"));
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
    environment::set(Variable::HostLose, "1");
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
