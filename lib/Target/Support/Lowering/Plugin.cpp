// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all lowering plug-ins tell the runtime in the same way.

#include "TargetLowering.h"
#include "het/Transforms/Passes.h"
#include <cstring>

namespace het::target {

int32_t setStatus(HetStatus *status, int32_t code, llvm::StringRef message) {
  status->code = code;
  size_t size = std::min(message.size(), sizeof(status->message) - 1);
  std::memcpy(status->message, message.data(), size);
  status->message[size] = '\0';
  return code;
}

std::optional<unsigned> parsePollInterval(llvm::StringRef word) {
  constexpr unsigned usual = 8192, largest = 1 << 24;
  if (word == "parkable")
    return usual;
  if (word == "parkable=entry")
    return transforms::noPolls;
  unsigned interval = 0;
  if (!word.consume_front("parkable=") || word.getAsInteger(10, interval) || !interval ||
      interval > largest)
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

int32_t giveArtifact(llvm::Expected<llvm::SmallVector<char, 0>> artifact, HetLowering *out,
                     HetStatus *status) {
  if (!artifact)
    return setStatus(status, HET_UNSUPPORTED, llvm::toString(artifact.takeError()));
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

} // namespace het::target
