// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TargetABI.h's table of a lowering plug-in, over one C++ function.

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_PLUGINTABLE_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_PLUGINTABLE_H

#include "KernelLowering.h"
#include "het/Target/TargetABI.h"
#include <cstring>

namespace het::target {

/// Outcome of a request.
struct Lowered {
  Artifact artifact;
  std::string form, reason; ///< HetExplanation's.
};

/// An error that is the request's fault (HET_INVALID). Other errors say what is not
/// supported.
class InvalidRequest : public llvm::ErrorInfo<InvalidRequest> {
public:
  static char ID;
  explicit InvalidRequest(std::string text) : text(std::move(text)) {}
  void log(llvm::raw_ostream &out) const override { out << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string text;
};

/// An architecture that a user has named: HetArchitecture's.
struct Architecture {
  std::string arch, suffix;
};

/// The words of an architecture's name, which ';' or '+' separates. Empty ones are left
/// out.
llvm::SmallVector<llvm::StringRef> wordsOf(llvm::StringRef name);

/// The header and what follows it of an artifact with such a one.
template <typename Header>
llvm::Expected<std::pair<Header, llvm::ArrayRef<uint8_t>>>
splitArtifact(llvm::ArrayRef<uint8_t> artifact, uint64_t magic) {
  Header header = {};
  if (artifact.size() >= sizeof(header))
    std::memcpy(&header, artifact.data(), sizeof(header));
  if (header.magic != magic)
    return llvm::make_error<InvalidRequest>(
        "artifact: found other bytes, expected one of this target and version");
  return std::make_pair(header, artifact.drop_front(sizeof(header)));
}

/// Whether a target makes interim code.
enum class Interim { None, Offered };

/// The kernel, what it is made of, and the words that targets have in common; others are
/// left in `options`, and so is `interim` where it is not offered.
LowerRequest kernelOf(const HetLowerRequest &request, Interim interim = Interim::None);
/// With the options for suspendable code, and no others.
llvm::Expected<LowerRequest> parseRequest(const HetLowerRequest &request,
                                          Interim interim = Interim::None);

/// HET_OK, or the error's code and text.
int32_t setStatus(HetStatus *status, llvm::Error error);
int32_t giveLowered(llvm::Expected<Lowered> lowered, HetLowering *out, HetStatus *status);
int32_t giveExplanation(llvm::Expected<Lowered> lowered, HetExplanation *out,
                        HetStatus *status);
int32_t giveArchitecture(llvm::Expected<Architecture> found, HetArchitecture *out,
                         HetStatus *status);
int32_t giveCode(llvm::Expected<Artifact> code, HetLowering *out, HetStatus *status);
void releaseArtifact(HetLowering *lowering);

using LowerFunction = llvm::Expected<Lowered> (*)(const HetLowerRequest &);

template <LowerFunction lower>
int32_t lowerRequest(const HetLowerRequest *request, HetLowering *out,
                     HetStatus *status) {
  return giveLowered(lower(*request), out, status);
}

template <LowerFunction lower>
int32_t explainRequest(const HetLowerRequest *request, HetExplanation *out,
                       HetStatus *status) {
  return giveExplanation(lower(*request), out, status);
}

using ArchFunction = llvm::Expected<Architecture> (*)(llvm::StringRef name);

template <ArchFunction find>
int32_t findArchitecture(const char *name, HetArchitecture *out, HetStatus *status) {
  return giveArchitecture(find(name), out, status);
}

using CodeFunction = llvm::Expected<Artifact> (*)(llvm::ArrayRef<uint8_t> artifact);

template <CodeFunction extract>
int32_t extractFrom(const uint8_t *artifact, size_t size, HetLowering *out,
                    HetStatus *status) {
  return giveCode(extract({artifact, size}), out, status);
}

/// Whether there is more than one form of code to choose from.
enum class Forms { One, Several };

template <LowerFunction lower, ArchFunction find, CodeFunction extract>
constexpr HetLoweringABI pluginTable(const char *name, const char *version, Forms forms) {
  return {HET_TARGET_ABI_VERSION,
          sizeof(HetLoweringABI),
          name,
          version,
          lowerRequest<lower>,
          releaseArtifact,
          forms == Forms::Several ? explainRequest<lower> : nullptr,
          findArchitecture<find>,
          extractFrom<extract>};
}

} // namespace het::target

/// The function that the plug-in's one export leads to (LoweringVersion.h).
#define HET_LOWERING_PLUGIN(name, version, lower, forms, find, extract)                  \
  extern "C" __attribute__((visibility("default"))) const HetLoweringABI *               \
  HET_LOWERING_ENTRY(void) {                                                             \
    static const HetLoweringABI table =                                                  \
        het::target::pluginTable<lower, find, extract>(name, version, forms);            \
    return &table;                                                                       \
  }

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_PLUGINTABLE_H
