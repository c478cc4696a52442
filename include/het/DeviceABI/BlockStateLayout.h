// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of a suspended block's state, the same on every target: its threads' pcs,
// slots and local objects, then static and dynamic shared memory (docs/spec/hetckpt.md,
// State of a launch). In bytes; each part begins at a multiple of 128.

#ifndef HET_DEVICEABI_BLOCKSTATELAYOUT_H
#define HET_DEVICEABI_BLOCKSTATELAYOUT_H

#include <cstdint>

namespace het {

struct BlockStateLayout {
  uint64_t paddedThreads; ///< Copies of what each thread has.
  uint64_t threadsBytes;  ///< Of all copies.
  uint64_t sharedOffset, dynamicSharedOffset;
  uint64_t size; ///< The whole state.

  BlockStateLayout(uint64_t threads, uint64_t threadBytes, uint64_t sharedBytes,
                   uint64_t dynamicSharedBytes)
      : paddedThreads(padded(threads, 32)), threadsBytes(paddedThreads * threadBytes),
        sharedOffset(padded(threadsBytes, 128)),
        dynamicSharedOffset(sharedOffset + padded(sharedBytes, 128)),
        size(dynamicSharedOffset + padded(dynamicSharedBytes, 128)) {}

private:
  static constexpr uint64_t padded(uint64_t size, uint64_t to) {
    return (size + to - 1) / to * to;
  }
};

} // namespace het

#endif // HET_DEVICEABI_BLOCKSTATELAYOUT_H
