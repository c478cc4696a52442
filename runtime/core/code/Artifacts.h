// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Artifacts of kernels: from their package, from the cache, or lowered and kept there.

#ifndef HET_RUNTIME_CORE_CODE_ARTIFACTS_H
#define HET_RUNTIME_CORE_CODE_ARTIFACTS_H

#include "core/Backend.h"
#include "core/code/Precompiled.h"
#include "het/Base/Hash.h"
#include "het/Package/Package.h"

#include <memory>

namespace het::core {

class BetterCode;

/// The key of a kernel's artifact: all that lowering it for this backend depends
/// on. `code` is the digest of its hetIR, `options` as in HetLowerRequest.
std::string artifactKey(const Digest &code, const std::string &kernel,
                        const Backend &backend, const std::string &devicelibPath,
                        const std::string &options = "");

/// The same of a package's kernel and the device library that is installed.
std::string artifactKey(const Backend &backend, const Package &package,
                        const KernelInfo &info, const std::string &options = "");

/// A kernel and what there is of it in its package.
struct KernelSource {
  const Package &package;
  const Precompiled &precompiled;
  const KernelInfo &info;
  uint32_t index; ///< In the package.
};

/// The key that obtainArtifact() keeps the kernel's artifact under. Code from a package
/// has one of its own, which that code's digest is part of: another package with the same
/// hetIR must not get it. It is kept where the device makes something else of it.
std::string cacheKey(const Backend &backend, const KernelSource &kernel,
                     const std::string &options);

/// Which thread lowers: the one that waits for the code, or a background thread.
enum class LoweringThread { Callers, Background };

/// An artifact, and for who cannot load it: where it is from, and what to do.
struct Artifact {
  Bytes bytes;
  std::string advice;
};

/// The kernel's artifact that is in the cache under this key.
std::optional<Artifact> findCached(const std::string &key);

/// One that was lowered in this process's time.
Artifact loweredNow(const Backend &backend, Bytes bytes);

/// The artifact from the package or from the cache, or lowered now and kept there. Where
/// `better` is given it may be interim code, and `better` is then what goes on.
Result<Artifact> obtainArtifact(const Backend &backend, const KernelSource &kernel,
                                const std::string &options, LoweringThread thread,
                                std::unique_ptr<BetterCode> *better = nullptr);

} // namespace het::core

#endif // HET_RUNTIME_CORE_CODE_ARTIFACTS_H
