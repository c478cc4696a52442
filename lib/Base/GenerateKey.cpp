// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a private key. By itself, as what libsodium sets up for random numbers is no part
// of the runtime, which makes none.

#include "het/Base/Ed25519.h"

#include <cstdlib>
#include <sodium.h>

using namespace het;

/// Random numbers need the library to be set up. It fails only where the system has none,
/// and then there is no safe way to go on.
static void setUp() {
  static const bool isReady = sodium_init() >= 0;
  if (!isReady)
    std::abort();
}

PrivateKey PrivateKey::generate() {
  setUp();
  Seed seed;
  randombytes_buf(seed.data(), seed.size());
  PrivateKey key(seed);
  wipe(seed.data(), seed.size());
  return key;
}
