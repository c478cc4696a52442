// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What hetpkg's verbs say of the signatures of packages.

#include "Signing.h"

#include "het/Package/Signatures.h"

#include <algorithm>

using namespace het;

Result<std::vector<SignatureInfo>>
het::signaturesOf(const Package &package, const std::vector<TrustedKey> &keys) {
  Result<std::vector<PackageSignature>> signatures = readSignatures(package.table());
  if (!signatures.ok())
    return signatures.status();
  const Bytes message = signedMessage(package.table());
  std::vector<SignatureInfo> infos;
  for (const PackageSignature &one : *signatures) {
    SignatureInfo info{one.key, isSigned(message, one.bytes, one.key), ""};
    for (const TrustedKey &key : keys)
      if (key.key == one.key)
        info.trustedBy = key.file;
    infos.push_back(std::move(info));
  }
  return infos;
}

std::string het::signaturesText(const std::vector<SignatureInfo> &signatures) {
  std::string text;
  for (const SignatureInfo &one : signatures) {
    text += (text.empty() ? "signed by " : ", ") + keyId(one.key);
    if (!one.fits)
      text += " (of other contents)";
    else if (!one.trustedBy.empty())
      text += " (trusted: " + one.trustedBy + ")";
  }
  return text.empty() ? "not signed" : text;
}

void het::showSignatures(JsonWriter &json, const std::vector<SignatureInfo> &signatures) {
  json.key("signatures").beginArray();
  for (const SignatureInfo &one : signatures) {
    Digest key; // as long, and there are words for it
    std::copy(one.key.begin(), one.key.end(), key.begin());
    json.beginObject();
    json.field("key", keyId(one.key));
    json.field("publicKey", hex(key));
    json.field("fits", one.fits);
    json.field("trusted", one.fits && !one.trustedBy.empty());
    json.endObject();
  }
  json.endArray();
}

Status het::checkSignatures(const Package &package, const std::vector<TrustedKey> &keys) {
  Result<std::vector<SignatureInfo>> signatures = signaturesOf(package, keys);
  if (!signatures.ok())
    return signatures.status();
  for (const SignatureInfo &one : *signatures)
    if (!one.fits)
      return invalid(foundExpected("signature by key " + keyId(one.key),
                                   "one of other contents", "one of this package",
                                   "it was changed after it was signed: get it again, or "
                                   "sign it again"),
                     package.origin());
  return Status::success();
}

bool het::holdsSignatures(const Input &input) {
  return std::any_of(input.packages.begin(), input.packages.end(),
                     [](const InputPackage &one) {
                       Result<std::vector<PackageSignature>> signatures =
                           readSignatures(one.package.table());
                       return signatures.ok() && !signatures->empty();
                     });
}
