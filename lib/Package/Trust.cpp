// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check of a package against rules. Where the rules come from is in TrustRules.cpp.

#include "het/Package/Trust.h"

#include "Format.h"
#include "het/Base/Log.h"
#include "het/Package/Signatures.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <set>

using namespace het;

/// Packages that were admitted before: each device opens a package anew.
struct PackageTrust::Seen {
  std::mutex mutex;         ///< Guards what follows.
  std::set<Bytes> admitted; ///< Headers, whose digests are over all that is signed.
};

PackageTrust::PackageTrust(std::vector<TrustRule> rules)
    : rules(std::move(rules)), seen(std::make_shared<Seen>()) {}

bool PackageTrust::isOff() const {
  return std::all_of(rules.begin(), rules.end(), [](const TrustRule &rule) {
    return rule.level == SignatureLevel::Off;
  });
}

static std::string expectation(const TrustRule &rule) {
  return "one by a key of " + rule.keysFrom + " (" + std::to_string(rule.keys.size()) +
         (rule.keys.size() == 1 ? " key)" : " keys)");
}

static const PackageSignature *findBy(const std::vector<PackageSignature> &signatures,
                                      const PublicKey &key) {
  for (const PackageSignature &one : signatures)
    if (one.key == key)
      return &one;
  return nullptr;
}

/// Success if one of the rule's keys has signed the message.
static Status satisfy(const TrustRule &rule, ByteView message,
                      const std::vector<PackageSignature> &signatures) {
  const TrustedKey *unfit = nullptr;
  for (const TrustedKey &key : rule.keys)
    if (const PackageSignature *one = findBy(signatures, key.key)) {
      if (isSigned(message, one->bytes, one->key))
        return Status::success();
      unfit = &key;
    }
  if (unfit)
    return invalid(foundExpected("signature by key " + keyId(unfit->key),
                                 "one of other contents", "one of this package",
                                 "it was changed after it was signed: get it again, or " +
                                     rule.remedy));
  std::string found;
  for (const PackageSignature &one : signatures)
    found += (found.empty() ? "those by " : ", ") + keyId(one.key);
  return invalid(foundExpected("signatures", found.empty() ? "none" : found,
                               expectation(rule), rule.remedy));
}

Status PackageTrust::check(const PackageSections &package) const {
  Bytes header = package.view().slice(0, format::headerSize)->copy();
  std::lock_guard<std::mutex> lock(seen->mutex);
  if (seen->admitted.count(header))
    return Status::success();
  const Bytes message = signedMessage(package);
  Result<std::vector<PackageSignature>> signatures = readSignatures(package);
  for (const TrustRule &rule : rules) {
    if (rule.level == SignatureLevel::Off)
      continue;
    Status status =
        signatures.ok() ? satisfy(rule, message, *signatures) : signatures.status();
    status = std::move(status).from(package.origin());
    if (!status.ok() && rule.level == SignatureLevel::Require)
      return status;
    if (!status.ok())
      log(Level::Warn, "%s", status.text().c_str());
  }
  seen->admitted.insert(std::move(header));
  return Status::success();
}
