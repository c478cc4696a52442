// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all lowering plug-ins tell the runtime in the same way.

#include "TargetLowering.h"
#include "het/Transforms/Passes.h"
#include <cstring>

namespace het::target {

/// As much of the text as there is room for.
template <size_t Bytes> static void setText(char (&to)[Bytes], llvm::StringRef text) {
  text = text.take_front(Bytes - 1);
  std::memcpy(to, text.data(), text.size());
  to[text.size()] = '\0';
}

int32_t setStatus(HetStatus *status, int32_t code, llvm::StringRef message) {
  status->code = code;
  setText(status->message, message);
  return code;
}

std::optional<unsigned> parsePollInterval(llvm::StringRef word) {
  if (word == "parkable")
    return HET_USUAL_POLL_INTERVAL;
  if (word == "parkable=entry")
    return transforms::noPolls;
  unsigned interval = 0;
  if (!word.consume_front("parkable=") || word.getAsInteger(10, interval) || !interval ||
      interval > HET_MOST_POLL_INTERVAL)
    return std::nullopt;
  return interval;
}

int32_t refuseOptions(const HetLowerRequest &request, HetStatus *status) {
  if (!*request.options)
    return setStatus(status, HET_OK, "");
  return setStatus(status, HET_INVALID,
                   ("options: found '" + llvm::Twine(request.options) +
                    "', expected none for this target")
                       .str());
}

/// An error of the system's, such as no file descriptor, is no property of the kernel.
static int32_t reportFailure(llvm::Error error, HetStatus *status) {
  bool isSystems = false;
  std::string text;
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &one) {
    const std::error_code code = one.convertToErrorCode();
    isSystems |= code.category() == std::generic_category() ||
                 code.category() == std::system_category();
    text += (text.empty() ? "" : "\n") + one.message();
  });
  return setStatus(status, isSystems ? HET_UNAVAILABLE : HET_UNSUPPORTED, text);
}

int32_t giveArtifact(llvm::Expected<llvm::SmallVector<char, 0>> artifact, HetLowering *out,
                     HetStatus *status) {
  if (!artifact)
    return reportFailure(artifact.takeError(), status);
  auto *owner = new llvm::SmallVector<char, 0>(std::move(*artifact));
  out->data = reinterpret_cast<const uint8_t *>(owner->data());
  out->size = owner->size();
  out->owner = owner;
  return setStatus(status, HET_OK, "");
}

void releaseArtifact(HetLowering *lowering) {
  delete static_cast<llvm::SmallVector<char, 0> *>(lowering->owner);
  *lowering = {};
}

int32_t giveExplanation(llvm::StringRef form, llvm::StringRef reason, HetExplanation *out,
                        HetStatus *status) {
  setText(out->form, form);
  setText(out->reason, reason);
  return setStatus(status, HET_OK, "");
}

} // namespace het::target
