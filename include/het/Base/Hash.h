// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Digests: SHA-256 names contents (package sections); BLAKE2b is for what only this
// project reads, where time counts.

#ifndef HET_BASE_HASH_H
#define HET_BASE_HASH_H

#include "het/Base/Bytes.h"

#include <array>
#include <initializer_list>
#include <string>

namespace het {

using Digest = std::array<uint8_t, 32>;

/// The SHA-256 of all bytes of the view.
Digest sha256(ByteView view);

/// BLAKE2b of 32 bytes over parts, each with its length: a third of SHA-256's time
/// where the processor helps with neither.
Digest blake2b(std::initializer_list<ByteView> parts);

/// Lower-case hexadecimal, 64 characters.
std::string hex(const Digest &digest);

/// SHA-256 of a sequence of parts. Fields of a key are added with `field`,
/// which writes their length first, so that ("ab","c") and ("a","bc") differ. A copy goes
/// on by itself from what was added so far.
class Sha256 {
public:
  Sha256();
  Sha256 &update(ByteView view);
  Sha256 &field(ByteView view);
  Sha256 &field(std::string_view text) { return field(ByteView(text)); }
  Sha256 &number(uint64_t value);
  /// The digest of everything so far. Call once.
  Digest finish();

private:
  alignas(16) unsigned char state[128]; // libsodium's state, kept opaque
};

} // namespace het

#endif // HET_BASE_HASH_H
