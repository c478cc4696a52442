// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose packages may be used: the rules of the administrator and of the environment
// (SECURITY.md, "Signatures"), and the check of a package against them.

#ifndef HET_PACKAGE_TRUST_H
#define HET_PACKAGE_TRUST_H

#include "het/Package/Keys.h"
#include "het/Package/PackageSections.h"

#include <memory>
#include <string>
#include <vector>

namespace het {

/// How a package is treated that no trusted key has signed; a larger value is stricter.
/// In the order of HET_SIGNATURES's values.
enum class SignatureLevel { Off, Warn, Require };

/// One rule: what becomes of packages that none of these keys has signed.
struct TrustRule {
  SignatureLevel level = SignatureLevel::Off;
  std::vector<TrustedKey> keys;
  std::string keysFrom; ///< Where the keys stand, for messages.
  std::string remedy;   ///< What to do about a package that is refused.
};

/// Where the administrator's rule stands.
struct TrustFiles {
  std::string folder = "/etc/het";
  uid_t owner = 0; ///< Who must own all of it.
};

/// The rules that a package must satisfy, each of them. Safe to use from many threads at
/// once.
class PackageTrust {
public:
  /// The administrator's rule and the environment's.
  static Result<PackageTrust> configured(const TrustFiles &files = {});
  /// A signature is required. `keys`: files and folders between colons; empty: those that
  /// are configured, and the administrator's rule where there is one.
  static Result<PackageTrust> required(const std::string &keys,
                                       const TrustFiles &files = {});
  explicit PackageTrust(std::vector<TrustRule> rules);

  /// Whether every package may be used as it is.
  bool isOff() const;

  /// Success if the package may be used. Reads its header, section table and signatures,
  /// and nothing else of it. Logs a warning, once for a package, where a rule says so.
  Status check(const PackageSections &package) const;

private:
  struct Seen;

  std::vector<TrustRule> rules;
  std::shared_ptr<Seen> seen;
};

/// The keys that `list` names; where that is empty, those of HET_TRUSTED_KEYS, or else of
/// the administrator.
Result<std::vector<TrustedKey>> trustedKeys(const std::string &list,
                                            const TrustFiles &files = {});

} // namespace het

#endif // HET_PACKAGE_TRUST_H
