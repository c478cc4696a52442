// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XXH64: four lanes of 8 bytes each round, then what is left, then a mix of all
// bits.

#include "Checksum.h"

#include <cstring>

using namespace het;

static constexpr uint64_t prime1 = 0x9e3779b185ebca87;
static constexpr uint64_t prime2 = 0xc2b2ae3d27d4eb4f;
static constexpr uint64_t prime3 = 0x165667b19e3779f9;
static constexpr uint64_t prime4 = 0x85ebca77c2b2ae63;
static constexpr uint64_t prime5 = 0x27d4eb2f165667c5;

static uint64_t rotate(uint64_t value, unsigned by) {
  return value << by | value >> (64 - by);
}

/// Little-endian, as all machines that this runs on.
template <typename T> static uint64_t load(const uint8_t *from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

static uint64_t step(uint64_t lane, uint64_t input) {
  return rotate(lane + input * prime2, 31) * prime1;
}

static uint64_t merge(uint64_t sum, uint64_t lane) {
  return (sum ^ step(0, lane)) * prime1 + prime4;
}

/// What the whole stripes of 32 bytes come to; `at` is behind them then.
static uint64_t stripes(const uint8_t *&at, const uint8_t *end) {
  if (end - at < 32)
    return prime5;
  uint64_t a = prime1 + prime2, b = prime2, c = 0, d = 0 - prime1;
  for (; end - at >= 32; at += 32) {
    a = step(a, load<uint64_t>(at));
    b = step(b, load<uint64_t>(at + 8));
    c = step(c, load<uint64_t>(at + 16));
    d = step(d, load<uint64_t>(at + 24));
  }
  uint64_t sum = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
  return merge(merge(merge(merge(sum, a), b), c), d);
}

uint64_t het::xxh64(ByteView bytes) {
  const uint8_t *at = bytes.begin(), *end = bytes.end();
  uint64_t sum = stripes(at, end) + bytes.size;
  for (; end - at >= 8; at += 8)
    sum = rotate(sum ^ step(0, load<uint64_t>(at)), 27) * prime1 + prime4;
  for (; end - at >= 4; at += 4)
    sum = rotate(sum ^ load<uint32_t>(at) * prime1, 23) * prime2 + prime3;
  for (; at != end; ++at)
    sum = rotate(sum ^ *at * prime5, 11) * prime1;
  sum = (sum ^ sum >> 33) * prime2;
  sum = (sum ^ sum >> 29) * prime3;
  return sum ^ sum >> 32;
}
