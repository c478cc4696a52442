// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening packages that HET_SIGNATURES and /etc/het let pass.

#include "core/OpenPackage.h"

#include "het/Package/Trust.h"

namespace het::core {

/// The process's rules. They do not change while it runs.
static const Result<PackageTrust> &packageTrust() {
  static const auto *trust = new Result<PackageTrust>(PackageTrust::configured());
  return *trust;
}

Status readPackageTrust() { return packageTrust().status(); }

Result<Package> openPackage(ByteView bytes, const std::string &origin) {
  const Result<PackageTrust> &trust = packageTrust();
  if (!trust.ok())
    return trust.status();
  if (trust->isOff())
    return Package::open(bytes, origin);
  return Package::open(bytes, origin, [&](const PackageSections &package) {
    return trust->check(package);
  });
}

} // namespace het::core
