// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of keys (docs/spec/hetpkg.md, "Key files"): short texts whose first line says
// what they are.

#ifndef HET_PACKAGE_KEYS_H
#define HET_PACKAGE_KEYS_H

#include "het/Base/Ed25519.h"
#include "het/Base/Status.h"

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace het {

/// A key's name: 32 hexadecimal digits of a digest of the public key.
std::string keyId(const PublicKey &key);

/// Names of the two files that a folder of keys gets.
inline constexpr const char *privateKeyName = "hetpkg.key";
inline constexpr const char *publicKeyName = "hetpkg.pub";

/// Text of a key's file. The one with the private key should be wiped after use.
std::string publicKeyText(const PublicKey &key);
std::string privateKeyText(const PrivateKey &key);

Result<PublicKey> parsePublicKey(const std::string &text);
Result<PrivateKey> parsePrivateKey(const std::string &text);

/// Makes a pair of keys and puts it into a folder, which is made if it is not there, and
/// in which nobody but its owner, this user, may write. Keys that are there stay.
Result<PublicKey> createKeys(const std::string &folder);

/// Reads a private key from a file that its owner alone can read.
Result<PrivateKey> readPrivateKey(const std::string &path);

/// A key and the file that it was read from.
struct TrustedKey {
  PublicKey key;
  std::string file;
};

/// Reads public keys: that of a file, or those of all files NAME.pub in a folder. Refuses
/// files and folders that all may write to; with `owner` those, too, that are not this
/// user's or that a group may write to.
Result<std::vector<TrustedKey>> readPublicKeys(const std::string &path,
                                               std::optional<uid_t> owner = std::nullopt);

/// Reads a small text. As above, checks who can have written it.
Result<std::string> readGuardedText(const std::string &path, std::optional<uid_t> owner);

/// Checks who can put files into a folder, or take them away. One that is not there is
/// good.
Status checkGuardedFolder(const std::string &path, uid_t owner);

} // namespace het

#endif // HET_PACKAGE_KEYS_H
