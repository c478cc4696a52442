// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures by Ed25519 (RFC 8032); libsodium computes them.

#ifndef HET_BASE_ED25519_H
#define HET_BASE_ED25519_H

#include "het/Base/Bytes.h"

#include <array>

namespace het {

using PublicKey = std::array<uint8_t, 32>;
using Signature = std::array<uint8_t, 64>;

/// A private key. Its bytes are wiped when it goes.
class PrivateKey {
public:
  using Seed = std::array<uint8_t, 32>;

  /// A new one, from the system's random numbers.
  static PrivateKey generate();
  explicit PrivateKey(const Seed &seed);
  PrivateKey(const PrivateKey &) = default;
  PrivateKey &operator=(const PrivateKey &) = default;
  ~PrivateKey();

  /// The bytes that it is made from: they are the secret.
  Seed seed() const;
  PublicKey publicKey() const;
  Signature sign(ByteView message) const;

private:
  std::array<uint8_t, 64> bytes; ///< The seed, then the public key.
};

/// Whether the owner of a key has signed this message. False for keys that are none.
bool isSigned(ByteView message, const Signature &signature, const PublicKey &key);

/// Whether these bytes can be somebody's public key.
bool isPublicKey(const PublicKey &key);

/// Overwrites a secret; no compiler leaves it out.
void wipe(void *data, size_t size);

} // namespace het

#endif // HET_BASE_ED25519_H
