// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes digests by libsodium. Its hash functions need no sodium_init().

#include "het/Base/Hash.h"

#include <new>
#include <sodium.h>

using namespace het;

static_assert(sizeof(crypto_hash_sha256_state) <= 128 &&
                  alignof(crypto_hash_sha256_state) <= 16,
              "het::Sha256 is too small for libsodium's state");

Digest het::sha256(ByteView view) {
  Digest digest;
  crypto_hash_sha256(digest.data(), view.data, view.size);
  return digest;
}

Digest het::blake2b(std::initializer_list<ByteView> parts) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, nullptr, 0, sizeof(Digest));
  for (const ByteView &part : parts) {
    ByteWriter length;
    length.u64(part.size);
    crypto_generichash_update(&state, length.view().data(), length.view().size());
    if (!part.empty())
      crypto_generichash_update(&state, part.data, part.size);
  }
  Digest digest;
  crypto_generichash_final(&state, digest.data(), digest.size());
  return digest;
}

std::string het::hex(const Digest &digest) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * digest.size());
  for (uint8_t byte : digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

static crypto_hash_sha256_state *sodiumState(unsigned char *storage) {
  return std::launder(reinterpret_cast<crypto_hash_sha256_state *>(storage));
}

Sha256::Sha256() { crypto_hash_sha256_init(new (state) crypto_hash_sha256_state); }

Sha256 &Sha256::update(ByteView view) {
  if (!view.empty())
    crypto_hash_sha256_update(sodiumState(state), view.data, view.size);
  return *this;
}

Sha256 &Sha256::field(ByteView view) { return number(view.size).update(view); }

Sha256 &Sha256::number(uint64_t value) {
  ByteWriter bytes;
  bytes.u64(value);
  return update(bytes.view());
}

Digest Sha256::finish() {
  Digest digest;
  crypto_hash_sha256_final(sodiumState(state), digest.data());
  return digest;
}
