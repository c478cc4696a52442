// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps the memory of graphs that have gone.

#include "GraphStage.h"

#include <mutex>
#include <vector>

namespace het::nccl {
namespace {

struct Piece {
  char *memory;
  size_t room;
};

struct Unused {
  std::mutex mutex; ///< Guards what follows.
  std::vector<Piece> pieces;

  static Unused &get() {
    static Unused &instance = *new Unused; // graphs may go when the process ends
    return instance;
  }
};

} // namespace

GraphStage::~GraphStage() {
  if (!memory)
    return;
  const std::lock_guard lock(Unused::get().mutex);
  Unused::get().pieces.push_back({memory, room});
}

cudaError_t GraphStage::take(size_t size) {
  std::vector<Piece> left;
  {
    Unused &unused = Unused::get();
    const std::lock_guard lock(unused.mutex);
    for (Piece &piece : unused.pieces)
      if (piece.room >= size && piece.room / 2 <= size) {
        memory = piece.memory;
        room = piece.room;
        piece = unused.pieces.back();
        unused.pieces.pop_back();
        return cudaSuccess;
      }
    left.swap(unused.pieces);
  }
  for (const Piece &piece : left)
    (void)cudaFreeHost(piece.memory);
  void *made = nullptr;
  const cudaError_t error = cudaHostAlloc(&made, size, cudaHostAllocPortable);
  if (error == cudaSuccess) {
    memory = static_cast<char *>(made);
    room = size;
  }
  return error;
}

} // namespace het::nccl
