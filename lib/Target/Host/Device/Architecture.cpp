// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether this processor runs code that was lowered for another: it must have the level
// and the features that the architecture's name lists (Features.def).

#include "HostDevice.h"

#include "het/Base/Environment.h"

#include <string_view>

namespace het::host {
namespace {

/// The part of a text before a separator, which is taken off it.
std::string_view takeWord(std::string_view &text, char separator) {
  const size_t end = text.find(separator);
  const std::string_view word = text.substr(0, end);
  text = end == text.npos ? "" : text.substr(end + 1);
  return word;
}

/// The level's place from 1 on; 0: this processor has not got it.
uint32_t findLevel(std::string_view name) {
  uint32_t place = 0, found = 0;
#define HET_HOST_LEVEL(level)                                                            \
  ++place;                                                                               \
  if (name == (level) && __builtin_cpu_supports(level))                                  \
    found = place;
#include "../Lowering/Features.def"
  return found;
}

bool hasFeature(std::string_view name) {
#define HET_HOST_FEATURE(feature)                                                        \
  if (name == (feature))                                                                 \
    return __builtin_cpu_supports(feature);
#include "../Lowering/Features.def"
  return false;
}

int32_t refuse(HetStatus *status, const char *arch, const std::string &why) {
  return target::report(status, HET_UNSUPPORTED,
                        ("code for " + std::string(arch) + ": " + why).c_str());
}

} // namespace

int32_t rankArch(HetDevice *, const char *arch, uint32_t *rank, HetStatus *status) {
  constexpr uint32_t ofLevel = 64; // more than there are features
  *rank = 0;
  __builtin_cpu_init();
  if (environment::textOrDefault(Variable::HostTeams) == "scratch")
    return refuse(status, arch, "HET_HOST_TEAMS asks for another form");
  std::string_view rest = arch;
  std::string_view words = takeWord(rest, ';');
  const std::string_view level = takeWord(words, '+');
  *rank = ofLevel * findLevel(level);
  if (!*rank)
    return refuse(status, arch, "this processor is no " + std::string(level));
  while (!words.empty()) {
    const std::string_view feature = takeWord(words, '+');
    if (!hasFeature(feature))
      return refuse(status, arch, "this processor lacks " + std::string(feature));
    ++*rank;
  }
  return target::success(status);
}

} // namespace het::host
