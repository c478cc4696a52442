// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TargetABI.h's table of a lowering plug-in, over one C++ function.

#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_PLUGINTABLE_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_PLUGINTABLE_H

#include "KernelLowering.h"
#include "het/Target/TargetABI.h"

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

/// The kernel and what it is made of; `options` are left to the caller.
LowerRequest kernelOf(const HetLowerRequest &request);
/// With the options for suspendable code, and no others.
llvm::Expected<LowerRequest> parseRequest(const HetLowerRequest &request);

/// HET_OK, or the error's code and text.
int32_t setStatus(HetStatus *status, llvm::Error error);
int32_t giveLowered(llvm::Expected<Lowered> lowered, HetLowering *out, HetStatus *status);
int32_t giveExplanation(llvm::Expected<Lowered> lowered, HetExplanation *out,
                        HetStatus *status);
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

/// Whether there is more than one form of code to choose from.
enum class Forms { One, Several };

template <LowerFunction lower>
constexpr HetLoweringABI pluginTable(const char *name, const char *version, Forms forms) {
  return {HET_TARGET_ABI_VERSION,
          sizeof(HetLoweringABI),
          name,
          version,
          lowerRequest<lower>,
          releaseArtifact,
          forms == Forms::Several ? explainRequest<lower> : nullptr};
}

} // namespace het::target

/// The plug-in's one export.
#define HET_LOWERING_PLUGIN(name, version, lower, forms)                                 \
  extern "C" __attribute__((visibility("default"))) const HetLoweringABI *               \
  hetLoweringABI(void) {                                                                 \
    static const HetLoweringABI table =                                                  \
        het::target::pluginTable<lower>(name, version, forms);                           \
    return &table;                                                                       \
  }

#endif // HET_LIB_TARGET_SUPPORT_LOWERING_PLUGINTABLE_H
