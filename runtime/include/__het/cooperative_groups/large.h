// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups: what tiles of 64, 128, … 1024 threads are made of. Their teams
// meet at a counter in shared memory and exchange values through it.
//
// All functions are called by all threads of a tile, whose size is a power of two.

#ifndef HET_COOPERATIVE_GROUPS_LARGE_H
#define HET_COOPERATIVE_GROUPS_LARGE_H

#include "lanes.h"

namespace cooperative_groups {
namespace __v1 {

// CUDA's place for what a large tile needs. Here it holds nothing: see TileMemory.
template <unsigned int MaxBlockSize = 1024> struct block_tile_memory {
  static_assert(MaxBlockSize >= 1 && MaxBlockSize <= 1024,
                "a block has at most 1024 threads");
  unsigned int reserved;
};

namespace __het_detail {

constexpr unsigned int maxThreads = 1024, teamSize = 32;

// One for a block. A tile of `size` threads counts the arrivals of its teams; the
// counters of tiles of one size start at maxThreads / size, so each has its own.
struct TileMemory {
  unsigned int arrivals[maxThreads / teamSize];
  unsigned int values[maxThreads / teamSize][8]; // by team
};
HET_GROUP TileMemory &tileMemory() {
  __shared__ TileMemory memory;
  return memory;
}

// Called by all threads of a block before they use its tiles.
HET_GROUP void prepareTiles() {
  __syncthreads(); // nobody is in a barrier of an earlier tile any more
  for (unsigned int i = threadInBlock(); i < maxThreads / teamSize; i += threadsInBlock())
    tileMemory().arrivals[i] = 0;
  __syncthreads();
}

HET_GROUP unsigned int teamInBlock() { return threadInBlock() / teamSize; }
HET_GROUP unsigned int tileInBlock(unsigned int size) { return threadInBlock() / size; }
HET_GROUP unsigned int firstTeam(unsigned int size) {
  return tileInBlock(size) * (size / teamSize);
}
// The last tile of a block may have fewer than size / teamSize.
HET_GROUP unsigned int teamsOfTile(unsigned int size) {
  unsigned int left = threadsInBlock() - tileInBlock(size) * size;
  return ((left < size ? left : size) + teamSize - 1) / teamSize;
}

// A counter only grows, so the multiple of the number of teams that a team waits for
// is reached once all have come, and stays reached.
HET_GROUP void tileBarrier(unsigned int size) {
  __syncwarp();
  if (lane() == 0) {
    unsigned int *arrivals =
        &tileMemory().arrivals[maxThreads / size + tileInBlock(size)];
    unsigned int teams = teamsOfTile(size);
    __threadfence_block();
    unsigned int before = atomicAdd(arrivals, 1u);
    unsigned int all = before - before % teams + teams;
    while ((int)(*(volatile unsigned int *)arrivals - all) < 0) {
    }
    __threadfence_block();
  }
  __syncwarp();
}

template <class T> HET_GROUP void putOfTeam(const T &value) {
  static_assert(sizeof(T) <= 32, "an exchanged value has at most 32 bytes");
  static_assert(__is_trivially_copyable(T),
                "an exchanged type must be trivially copyable");
  unsigned int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
  for (unsigned int i = 0; i < (sizeof(T) + 3) / 4; ++i)
    tileMemory().values[teamInBlock()][i] = words[i];
}
template <class T> HET_GROUP T valueOfTeam(unsigned int team) {
  unsigned int words[(sizeof(T) + 3) / 4];
#pragma unroll
  for (unsigned int i = 0; i < (sizeof(T) + 3) / 4; ++i)
    words[i] = tileMemory().values[team][i];
  T value;
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}

template <class T>
HET_GROUP T tileShuffle(unsigned int size, const T &value, unsigned int rank) {
  if (threadInBlock() % size == rank % size)
    putOfTeam(value);
  tileBarrier(size);
  T result = valueOfTeam<T>(firstTeam(size) + rank % size / teamSize);
  tileBarrier(size);
  return result;
}

// Combines one value of each team, in their order; every thread gets the result.
template <class T, class Operator>
HET_GROUP T combineTeams(unsigned int size, const T &ofTeam, Operator op) {
  if (lane() == 0)
    putOfTeam(ofTeam);
  tileBarrier(size);
  unsigned int first = firstTeam(size);
  T result = valueOfTeam<T>(first);
  for (unsigned int i = 1; i < teamsOfTile(size); ++i)
    result = op(result, valueOfTeam<T>(first + i));
  tileBarrier(size);
  return result;
}

// Combines the values of the teams before this one, whose last lane brings its own;
// the first team gets T().
template <class T, class Operator>
HET_GROUP T combineTeamsBefore(unsigned int size, const T &ofTeam, Operator op) {
  if (lane() == teamSize - 1)
    putOfTeam(ofTeam);
  tileBarrier(size);
  unsigned int first = firstTeam(size), own = teamInBlock();
  T result = own > first ? valueOfTeam<T>(first) : T();
  for (unsigned int i = first + 1; i < own; ++i)
    result = op(result, valueOfTeam<T>(i));
  tileBarrier(size);
  return result;
}

} // namespace __het_detail

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif // HET_COOPERATIVE_GROUPS_LARGE_H
