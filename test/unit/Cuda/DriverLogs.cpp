// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's log: errors and warnings that a program asks for.

#include "DriverSupport.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using Told = std::vector<std::string>;

void tell(void *data, CUlogLevel level, char *message, size_t length) {
  EXPECT_EQ(level, CU_LOG_LEVEL_ERROR);
  static_cast<Told *>(data)->emplace_back(message, length);
  CUmodule module = nullptr;
  (void)cuModuleLoad(&module, "there-is-no-such-package"); // is not told again
}

/// Fails, and says so in the log.
void logOne(const char *name) {
  CUmodule module = nullptr;
  EXPECT_NE(cuModuleLoad(&module, name), CUDA_SUCCESS);
}

} // namespace

struct DriverLogs : Driver {};

TEST_F(DriverLogs, WrongCalls) {
  CUlogIterator iterator = 0;
  char text[16];
  size_t size = 0;
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLogsRegisterCallback(nullptr, nullptr, nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLogsUnregisterCallback(nullptr));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE,
           cuLogsUnregisterCallback(reinterpret_cast<CUlogsCallbackHandle>(&size)));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLogsCurrent(nullptr, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLogsCurrent(&iterator, 1));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLogsDumpToFile(nullptr, nullptr, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLogsDumpToFile(nullptr, "/no/such/folder/x", 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLogsDumpToMemory(nullptr, text, &size, 0));
  size = sizeof(text);
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLogsDumpToMemory(nullptr, nullptr, &size, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLogsDumpToMemory(nullptr, text, nullptr, 0));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLogsDumpToMemory(nullptr, text, &size, 2));
}

TEST_F(DriverLogs, CallbacksAndBuffers) {
  Told told;
  CUlogsCallbackHandle handle = nullptr;
  CU_OK(cuLogsRegisterCallback(tell, &told, &handle));
  CUlogIterator iterator = 0;
  CU_OK(cuLogsCurrent(&iterator, 0));
  logOne("first-that-is-not-there");
  CU_OK(cuLogsUnregisterCallback(handle));
  CU_FAILS(CUDA_ERROR_INVALID_VALUE, cuLogsUnregisterCallback(handle));
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("first-that-is-not-there"), std::string::npos);
  logOne("second-that-is-not-there");
  EXPECT_EQ(told.size(), 1u);

  std::vector<char> text(25600);
  size_t size = text.size();
  CUlogIterator from = iterator;
  CU_OK(cuLogsDumpToMemory(&from, text.data(), &size, 0));
  EXPECT_EQ(std::strlen(text.data()), size);
  EXPECT_NE(std::strstr(text.data(), "[E] "), nullptr);
  EXPECT_NE(std::strstr(text.data(), "first-that"), nullptr);
  EXPECT_NE(std::strstr(text.data(), "second-that"), nullptr);
  size = text.size();
  CU_OK(cuLogsDumpToMemory(&from, text.data(), &size, 0)); // nothing new
  EXPECT_EQ(size, 0u);
  size = 3; // no room for a line
  from = iterator;
  CU_OK(cuLogsDumpToMemory(&from, text.data(), &size, 0));
  EXPECT_EQ(size, 0u);

  const std::string path = testing::TempDir() + "het-logs-" + std::to_string(getpid());
  for (int count = 0; count < 150; ++count)
    logOne("one-of-many");
  CU_OK(cuLogsDumpToFile(nullptr, path.c_str(), 0));
  std::ifstream file(path);
  size_t lines = 0;
  for (std::string line; std::getline(file, line); ++lines)
    EXPECT_NE(line.find("one-of-many"), std::string::npos);
  EXPECT_EQ(lines, 100u);
  std::remove(path.c_str());
}
