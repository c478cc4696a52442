// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures of a package (docs/spec/hetpkg.md, "Signatures"). They cover its header and
// section table, and by the digests there every byte, but for themselves.

#ifndef HET_PACKAGE_SIGNATURES_H
#define HET_PACKAGE_SIGNATURES_H

#include "het/Base/Ed25519.h"
#include "het/Package/PackageSections.h"

#include <vector>

namespace het {

struct PackageSignature {
  PublicKey key;
  Signature bytes;
};

/// The signatures that a package holds, by their keys; none if it has no section for
/// them. Nothing else of the package is read. Whether they fit is not checked.
Result<std::vector<PackageSignature>> readSignatures(const PackageSections &package);

/// The bytes that each of them signs.
Bytes signedMessage(const PackageSections &package);

/// A signed package.
struct SignedPackage {
  Bytes bytes;
  bool replaced = false;          ///< An older signature of the same key went.
  std::vector<PublicKey> dropped; ///< Keys whose signatures did not fit and went.
};

/// Signs a package, which has been verified. One without a section for signatures gets
/// one, and is longer by that: `mayGrow` says whether there is room.
Result<SignedPackage> signPackage(const PackageSections &package, const PrivateKey &key,
                                  bool mayGrow);

/// Contents of a section for signatures, which is as long for none as for the most.
Bytes writeSignatures(const std::vector<PackageSignature> &signatures);

} // namespace het

#endif // HET_PACKAGE_SIGNATURES_H
