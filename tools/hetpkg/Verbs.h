// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verbs of hetpkg. Each returns a failure instead of printing it.

#ifndef HET_TOOLS_HETPKG_VERBS_H
#define HET_TOOLS_HETPKG_VERBS_H

#include "Explain.h"
#include "Input.h"

namespace het {

/// Describes a package for people. `explainers`: whose ways of lowering it to say.
std::string showText(const Input &input, std::vector<Explainer> &explainers);

/// The same and more, for programs: one JSON document for all files.
std::string showJson(const std::vector<Input> &inputs,
                     std::vector<Explainer> &explainers);

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
