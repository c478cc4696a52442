// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the core share: a runtime with the devices host, host and
// null, and a cache of its own that is removed at the end.

#ifndef HET_TEST_RUNTIME_SUPPORT_H
#define HET_TEST_RUNTIME_SUPPORT_H

#include "core/Runtime.h"

#include <gtest/gtest.h>

#define EXPECT_OK(...)                                                                   \
  do {                                                                                   \
    het::Status checked = (__VA_ARGS__);                                                 \
    EXPECT_TRUE(checked.ok()) << checked.text();                                         \
  } while (false)

/// The runtime of this process.
het::core::Runtime &runtime();

/// Its devices.
enum { firstHost = 0, secondHost = 1, nullDevice = 2 };

/// The folder of the cache; with a / at the end.
std::string cacheFolder();

/// The bytes of a kernel of HostKernels.c.
het::Bytes kernelBytes(const std::string &name);

/// A stream that is waited for at the end of its scope.
std::shared_ptr<het::core::Stream>
makeStream(het::core::StreamKind kind = het::core::StreamKind::Blocking,
           int device = firstHost);
std::shared_ptr<het::core::Event> makeEvent(int device = firstHost);

#endif // HET_TEST_RUNTIME_SUPPORT_H
