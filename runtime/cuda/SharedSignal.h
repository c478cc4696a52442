// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An event that processes share: two numbers in a shared page, of the latest record and
// of the latest one that was reached. Streams of each process set them, and wait for
// them.

#ifndef HET_RUNTIME_CUDA_SHAREDSIGNAL_H
#define HET_RUNTIME_CUDA_SHAREDSIGNAL_H

#include "SharedPages.h"

#include <atomic>

namespace het::cuda {

class SharedSignal {
public:
  static Result<std::shared_ptr<SharedSignal>> create();
  /// That of another process (SharedPages::open).
  static Result<std::shared_ptr<SharedSignal>> open(std::unique_ptr<SharedPages> pages);
  ~SharedSignal();
  SharedSignal(const SharedSignal &) = delete;
  SharedSignal &operator=(const SharedSignal &) = delete;

  const SharedPages &pages() const { return *file; }

  /// The number of a record that is about to be made, and of the latest one.
  uint32_t record() { return ++numbers->recorded; }
  uint32_t latest() const { return numbers->recorded; }
  /// A stream has come to a record.
  void reach(uint32_t number);
  bool isReached(uint32_t number) const;
  /// Waits for a record of whichever process.
  void wait(uint32_t number) const;

private:
  struct Numbers {
    std::atomic<uint32_t> recorded, reached;
  };
  SharedSignal(std::unique_ptr<SharedPages> pages, void *memory)
      : file(std::move(pages)), numbers(static_cast<Numbers *>(memory)) {}

  std::unique_ptr<SharedPages> file;
  Numbers *numbers;
};

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_SHAREDSIGNAL_H
