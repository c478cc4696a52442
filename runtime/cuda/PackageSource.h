// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the data of a fat binary wrapper to the bytes of a package. The data is
// a package, or a reference to one that lies beside the program.

#ifndef HET_RUNTIME_CUDA_PACKAGESOURCE_H
#define HET_RUNTIME_CUDA_PACKAGESOURCE_H

#include "het/Base/File.h"

#include <memory>

namespace het::cuda {

struct PackageSource {
  ByteView bytes;
  std::string origin; ///< For messages.
  /// Keeps `bytes`, if they come from a file or a library. Not a mapping of it: what was
  /// checked must not change, and be there, whatever becomes of the file.
  std::unique_ptr<const Bytes> file;
};

/// Copies the bytes of a package that lies in a library: it may be closed while what was
/// opened from it is still in use. A program's own stay where they are.
void keepIfInLibrary(PackageSource &source);

/// A library that stays open for the time being; null: the program, or none that is open.
using HeldLibrary = std::shared_ptr<void>;

/// Keeps the library that has this data, if there is one, from being closed. For who
/// reads it while the program may close it; takes the loader's lock, as closing does.
HeldLibrary holdLibraryOf(const void *data);

/// Finds the package. A referenced file is looked for in the folder of the
/// program, then in the folders of HET_PACKAGE_PATH; the failure names all
/// places. The bytes are not checked beyond their size.
Result<PackageSource> findPackage(const void *data);

/// A package that fills exactly these bytes, which a module of the driver API
/// keeps. `origin`: for messages.
Result<PackageSource> sourceFromBytes(const void *data, size_t size, std::string origin);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_PACKAGESOURCE_H
