// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verbs of hetpkg about signatures, and what the others say of them.

#ifndef HET_TOOLS_HETPKG_SIGNING_H
#define HET_TOOLS_HETPKG_SIGNING_H

#include "Input.h"
#include "het/Base/Json.h"
#include "het/Package/Keys.h"

namespace het {

struct SignOptions {
  std::string file;
  std::string key;
  std::string output; ///< Empty: `file` itself.
};

/// hetpkg keygen: makes a pair of keys. Returns what to tell the user.
Result<std::string> keygen(const std::string &folder);

/// hetpkg sign: signs each package of a file, in the file. Returns what to tell the user.
Result<std::string> sign(const SignOptions &options);

/// One signature of a package.
struct SignatureInfo {
  PublicKey key;
  bool fits;             ///< It is one of this package.
  std::string trustedBy; ///< The file that names the key as trusted; empty: none.
};

/// The signatures of a package, for people and programs. `keys`: whom the user trusts.
Result<std::vector<SignatureInfo>> signaturesOf(const Package &package,
                                                const std::vector<TrustedKey> &keys);

/// Signatures in words: "signed by ID (trusted: FILE)", "not signed".
std::string signaturesText(const std::vector<SignatureInfo> &signatures);

/// The field `signatures` of a package in JSON.
void showSignatures(JsonWriter &json, const std::vector<SignatureInfo> &signatures);

/// Fails if one of the signatures is of something else than this package.
Status checkSignatures(const Package &package, const std::vector<TrustedKey> &keys);

/// Whether a package of this input is signed.
bool holdsSignatures(const Input &input);

} // namespace het

#endif // HET_TOOLS_HETPKG_SIGNING_H
