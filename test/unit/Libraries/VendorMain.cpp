// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts itself anew with the fake libraries where the loader looks first, which it reads
// when a process begins.

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

int main(int count, char **words) {
  const char *path = std::getenv("LD_LIBRARY_PATH");
  const std::string wanted = HET_TEST_FAKES ":" HET_TEST_COMPAT;
  if (!path || path != wanted) {
    setenv("LD_LIBRARY_PATH", wanted.c_str(), 1);
    setenv("HET_DEVICES", "ptx:0", 1);
    setenv("HET_CUDA_DRIVER", HET_TEST_FAKE_DRIVER, 1);
    unsetenv("HET_LIBRARIES");
    execv("/proc/self/exe", words);
    return 1;
  }
  testing::InitGoogleTest(&count, words);
  return RUN_ALL_TESTS();
}
