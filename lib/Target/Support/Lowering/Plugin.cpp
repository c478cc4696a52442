// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers the runtime in the way that all lowering plug-ins do.

#include "PluginTable.h"
#include "het/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

namespace het::target {

char InvalidRequest::ID = 0;

/// As much of the text as there is room for.
template <size_t Bytes> static void setText(char (&to)[Bytes], llvm::StringRef text) {
  text = text.take_front(Bytes - 1);
  std::memcpy(to, text.data(), text.size());
  to[text.size()] = '\0';
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

llvm::SmallVector<llvm::StringRef> wordsOf(llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef> words;
  while (!name.empty()) {
    const size_t end = name.find_first_of(";+");
    if (end != 0)
      words.push_back(name.take_front(end));
    name = end == llvm::StringRef::npos ? "" : name.drop_front(end + 1);
  }
  return words;
}

LowerRequest kernelOf(const HetLowerRequest &request, Interim interim) {
  LowerRequest kernel;
  llvm::SmallVector<llvm::StringRef> words, others;
  llvm::StringRef(request.options)
      .split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words)
    if (word == "interim" && interim == Interim::Offered)
      kernel.isInterim = true;
    else if (word == "timed")
      kernel.isTimed = true;
    else
      others.push_back(word);
  kernel.options = llvm::join(others, " ");
  kernel.code = {reinterpret_cast<const char *>(request.code), request.codeSize};
  kernel.kernel = request.kernel;
  kernel.devicelibPath = request.devicelibPath;
  return kernel;
}

llvm::Expected<LowerRequest> parseRequest(const HetLowerRequest &request,
                                          Interim interim) {
  LowerRequest kernel = kernelOf(request, interim);
  std::optional<unsigned> interval = parsePollInterval(kernel.options);
  if (!interval && !kernel.options.empty())
    return llvm::make_error<InvalidRequest>(
        ("options: found '" + kernel.options + "', expected none for this target"));
  kernel.pollInterval = interval.value_or(0);
  return kernel;
}

int32_t setStatus(HetStatus *status, llvm::Error error) {
  status->code = HET_OK;
  std::string text;
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &one) {
    // An error of the system's, such as no file descriptor, is no property of the kernel.
    const std::error_code code = one.convertToErrorCode();
    const bool isSystems = code.category() == std::generic_category() ||
                           code.category() == std::system_category();
    status->code = one.isA<InvalidRequest>() ? HET_INVALID
                   : isSystems               ? HET_UNAVAILABLE
                                             : HET_UNSUPPORTED;
    text += (text.empty() ? "" : "\n") + one.message();
  });
  setText(status->message, text);
  return status->code;
}

int32_t giveLowered(llvm::Expected<Lowered> lowered, HetLowering *out,
                    HetStatus *status) {
  if (!lowered)
    return setStatus(status, lowered.takeError());
  auto *owner = new Artifact(std::move(lowered->artifact));
  out->data = reinterpret_cast<const uint8_t *>(owner->data());
  out->size = owner->size();
  out->owner = owner;
  return setStatus(status, llvm::Error::success());
}

int32_t giveArchitecture(llvm::Expected<Architecture> found, HetArchitecture *out,
                         HetStatus *status) {
  if (!found)
    return setStatus(status, found.takeError());
  setText(out->arch, found->arch);
  setText(out->suffix, found->suffix);
  return setStatus(status, llvm::Error::success());
}

int32_t giveCode(llvm::Expected<Artifact> code, HetLowering *out, HetStatus *status) {
  if (!code)
    return setStatus(status, code.takeError());
  return giveLowered(Lowered{std::move(*code), "", ""}, out, status);
}

void releaseArtifact(HetLowering *lowering) {
  delete static_cast<Artifact *>(lowering->owner);
  *lowering = {};
}

int32_t giveExplanation(llvm::Expected<Lowered> lowered, HetExplanation *out,
                        HetStatus *status) {
  if (!lowered)
    return setStatus(status, lowered.takeError());
  setText(out->form, lowered->form);
  setText(out->reason, lowered->reason);
  return setStatus(status, llvm::Error::success());
}

} // namespace het::target
