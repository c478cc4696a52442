// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses nvcc's names of architectures, such as sm_90 and compute_90.

#include "Architecture.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace het::driver;

static constexpr unsigned known[] = {50, 52, 53, 60, 61,  62,  70,  72,  75, 80,
                                     86, 87, 89, 90, 100, 101, 103, 120, 121};
static constexpr unsigned old[] = {20, 21, 30, 32, 35, 37};
static constexpr unsigned later[] = {88, 110}; // of CUDA 13

llvm::ArrayRef<unsigned> het::driver::knownArchitectures() { return known; }

llvm::Expected<std::optional<unsigned>>
het::driver::parseArchitecture(llvm::StringRef name) {
  if (name == "all" || name == "all-major" || name == "native")
    return std::nullopt;
  llvm::StringRef digits = name;
  unsigned number = 0;
  bool prefixed = digits.consume_front("sm_") || digits.consume_front("compute_") ||
                  digits.consume_front("lto_");
  if (!digits.consume_back("a"))
    digits.consume_back("f");
  if (prefixed && !digits.getAsInteger(10, number) &&
      (llvm::is_contained(known, number) || llvm::is_contained(old, number) ||
       llvm::is_contained(later, number)))
    return number;
  return llvm::createStringError(std::errc::invalid_argument,
                                 "Unsupported gpu architecture '%s'", name.str().c_str());
}
