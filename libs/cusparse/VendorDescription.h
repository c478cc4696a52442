// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is behind a description of ours where the vendor is the back end: NVIDIA's, which
// may keep what earlier calls have found, and what it was made of.

#ifndef HET_LIBS_CUSPARSE_VENDORDESCRIPTION_H
#define HET_LIBS_CUSPARSE_VENDORDESCRIPTION_H

#include <cstdint>
#include <utility>
#include <vector>

namespace het::sparse {

class VendorDescription {
public:
  VendorDescription() = default;
  VendorDescription(VendorDescription &&other) noexcept { *this = std::move(other); }
  VendorDescription &operator=(VendorDescription &&other) noexcept {
    std::swap(theirs, other.theirs);
    std::swap(device, other.device);
    std::swap(destroyName, other.destroyName);
    shape.swap(other.shape);
    places.swap(other.places);
    return *this;
  }
  ~VendorDescription() { reset(); }
  void reset();

  void *theirs = nullptr;
  int device = 0;
  const char *destroyName = nullptr; ///< Of the function that ends it.
  /// What it says of sizes and types, and where arrays are.
  std::vector<int64_t> shape;
  std::vector<void *> places;
};

} // namespace het::sparse

#endif // HET_LIBS_CUSPARSE_VENDORDESCRIPTION_H
