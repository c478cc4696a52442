// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target whose code is what it was lowered with: the kernel's name and the words of
// its constants. A launch notes the words where its first argument points to. Kernels do
// with constants what their name says:
//   plain    what they should
//   fails    are not lowered
//   held     are being lowered until the test lets that go on
//   second   what they should
//   spills   need more memory
//   few      let fewer blocks run at once
//   refused  can not be launched
// And when they are loaded:
//   late     may not be loaded ahead
//   damaged  can not be loaded

#ifndef HET_TEST_SPECIALISE_FAKETARGET_H
#define HET_TEST_SPECIALISE_FAKETARGET_H

#include <atomic>
#include <functional>
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

/// Faults of the device, exported by it as hetFakeFaults.
struct FakeFaults {
  std::atomic<bool> refusesToOpen{false}, refusesQueues{false};
  std::atomic<int> faultsLeft{0}; ///< So often it says that it has one.
  /// Called while an artifact is being loaded.
  std::function<void()> loads;
};
using FakeFaultsFunction = FakeFaults *(*)();

/// Exported by the device as hetFakeArtifacts: how many are loaded; by the lowering as
/// hetFakeLowerings: how many kernels were lowered with constants.
using FakeCount = int (*)();
/// Exported by the lowering as hetFakeGoOn: whether kernels that are held may go on.
using FakeGoOn = void (*)(int on);

#endif // HET_TEST_SPECIALISE_FAKETARGET_H
