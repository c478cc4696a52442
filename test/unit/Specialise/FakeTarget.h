// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target whose code is what it was lowered with: the kernel's name and the words of
// its constants. A launch notes the words where its first argument points to. Kernels do
// with constants what their name says:
//   plain    what they should
//   fails    are not lowered
//   slow     take half a second to be lowered
//   spills   need more memory
//   few      let fewer blocks run at once
//   refused  can not be launched
// And when they are loaded:
//   late     may not be loaded ahead
//   damaged  can not be loaded
//   gated    wait for the gate
//   long     take 300 ms

#ifndef HET_TEST_SPECIALISE_FAKETARGET_H
#define HET_TEST_SPECIALISE_FAKETARGET_H

#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

/// What launches note.
struct Launches {
  std::mutex mutex;
  std::vector<std::string> words;

  void add(const std::string &text) {
    std::lock_guard<std::mutex> lock(mutex);
    words.push_back(text);
  }
};

/// What loading of kernels named "gated" waits for.
struct Gate {
  std::mutex mutex;
  std::condition_variable changed;
  bool closed = false;
  int waiting = 0;

  void pass() {
    std::unique_lock<std::mutex> lock(mutex);
    ++waiting;
    changed.notify_all();
    changed.wait(lock, [&] { return !closed; });
    --waiting;
  }
  void set(bool isClosed) {
    std::lock_guard<std::mutex> lock(mutex);
    closed = isClosed;
    changed.notify_all();
  }
  void awaitOne() {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return waiting == 1; });
  }
};

/// Exported by the device as hetFakeGate.
using FakeGate = Gate *(*)();
/// Exported by the device as hetFakeArtifacts: how many are loaded; by the lowering as
/// hetFakeLowerings: how many kernels were lowered with constants.
using FakeCount = int (*)();

#endif // HET_TEST_SPECIALISE_FAKETARGET_H
