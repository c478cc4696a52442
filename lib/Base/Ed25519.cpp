// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures by libsodium's crypto_sign_ed25519.

#include "het/Base/Ed25519.h"

#include <algorithm>
#include <sodium.h>

using namespace het;

static_assert(sizeof(PublicKey) == crypto_sign_ed25519_PUBLICKEYBYTES &&
              sizeof(Signature) == crypto_sign_ed25519_BYTES &&
              sizeof(PrivateKey::Seed) == crypto_sign_ed25519_SEEDBYTES &&
              sizeof(PrivateKey) == crypto_sign_ed25519_SECRETKEYBYTES);

void het::wipe(void *data, size_t size) { sodium_memzero(data, size); }

PrivateKey::PrivateKey(const Seed &seed) {
  PublicKey unused;
  crypto_sign_ed25519_seed_keypair(unused.data(), bytes.data(), seed.data());
}

PrivateKey::~PrivateKey() { wipe(bytes.data(), bytes.size()); }

PrivateKey::Seed PrivateKey::seed() const {
  Seed seed;
  std::copy_n(bytes.begin(), seed.size(), seed.begin());
  return seed;
}

PublicKey PrivateKey::publicKey() const {
  PublicKey key;
  std::copy_n(bytes.begin() + sizeof(Seed), key.size(), key.begin());
  return key;
}

Signature PrivateKey::sign(ByteView message) const {
  Signature signature;
  crypto_sign_ed25519_detached(signature.data(), nullptr, message.data, message.size,
                               bytes.data());
  return signature;
}

bool het::isSigned(ByteView message, const Signature &signature, const PublicKey &key) {
  return crypto_sign_ed25519_verify_detached(signature.data(), message.data, message.size,
                                             key.data()) == 0;
}

bool het::isPublicKey(const PublicKey &key) {
  return crypto_core_ed25519_is_valid_point(key.data()) == 1;
}
