// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verbs of hetpkg. Each returns a failure instead of printing it.

#ifndef HET_TOOLS_HETPKG_VERBS_H
#define HET_TOOLS_HETPKG_VERBS_H

#include "Explain.h"
#include "Input.h"
#include "het/Package/Keys.h"

namespace het {

struct ShowOptions {
  std::vector<Explainer> explainers; ///< Whose ways of lowering to say.
  std::vector<TrustedKey> keys;      ///< Of whom to say that they are trusted.
};

/// Describes a package for people.
Result<std::string> showText(const Input &input, ShowOptions &options);

/// The same and more, for programs: one JSON document for all files.
Result<std::string> showJson(const std::vector<Input> &inputs, ShowOptions &options);

/// Whether the hetIR of all kernels is what a lowering takes.
Status verifyCode(const InputPackage &input);

/// One package with everything that the inputs hold, artifacts only on request.
Result<Bytes> merge(const std::vector<Input> &inputs, bool stripsArtifacts);

/// "1 kernel", "2 kernels".
std::string countText(uint64_t number, const std::string &noun);

/// Writes to a file (atomically) or, for "-", to standard output.
Status writeOutput(const std::string &path, ByteView contents);

} // namespace het

#endif // HET_TOOLS_HETPKG_VERBS_H
