// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens NVIDIA's libraries, each once.

#include "common/Vendor.h"
#include "het/Base/Log.h"

namespace het::libs {

Status Vendor::open(const std::function<Status()> &use) {
  const std::lock_guard lock(mutex);
  if (library)
    return use();
  const auto accept = [&](const VendorLibrary &candidate) {
    tried = &candidate;
    const Status used = use();
    tried = nullptr;
    return used.ok() ? used : unavailable(candidate.file() + ": " + used.text());
  };
  Result<VendorLibrary> opened = VendorLibrary::open(versions, package, accept);
  if (!opened.ok())
    return opened.status();
  library = opened.take();
  log(Level::Info, "%s: %s is the vendor's", name, library->file().c_str());
  return Status::success();
}

void *Vendor::find(const char *function) const {
  const VendorLibrary *from = tried ? tried : library ? &*library : nullptr;
  return from ? from->find(function) : nullptr;
}

} // namespace het::libs
