// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the device runs a module that was lowered for another: what the one uses the
// other must have.

#include "SPIRVDevice.h"

#include <algorithm>
#include <string_view>

namespace het::spirv {
namespace {

/// The words of "spirv1.3;teams32;nofp64;…".
std::vector<std::string_view> wordsOf(std::string_view arch) {
  std::vector<std::string_view> words;
  while (!arch.empty()) {
    const size_t end = arch.find(';');
    words.push_back(arch.substr(0, end));
    arch = end == arch.npos ? "" : arch.substr(end + 1);
  }
  return words;
}

bool has(const std::vector<std::string_view> &words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::string_view teams = "teams";

std::string_view teamsOf(const std::vector<std::string_view> &words) {
  for (std::string_view word : words)
    if (word.substr(0, teams.size()) == teams)
      return word;
  return "";
}

/// Names a feature that the code uses and the device lacks; empty: there is none.
std::string findLack(const std::vector<std::string_view> &code,
                     const std::vector<std::string_view> &device) {
  if (code.empty() || code[0] != device[0])
    return "it takes " + std::string(device[0]);
  for (std::string_view word :
       {"exactfma", "exactdiv", "denorms16", "denorms32", "denorms64"})
    if (has(code, word) && !has(device, word))
      return "it relies on " + std::string(word);
  for (std::string_view word : {"nofp64", "nofp16", "noatomics64", "nogeneric"})
    if (has(device, word) && !has(code, word))
      return "it needs the word " + std::string(word);
  if (has(device, "cpu") && !has(code, "cpu"))
    return "it is a CPU, whose compiler needs the word cpu";
  if (has(device, "llvmpipe") && !has(code, "llvmpipe"))
    return "it is llvmpipe, whose compiler needs the word llvmpipe";
  if (has(device, "segmented") && !has(code, "segmented"))
    return "HET_SPIRV_FORM asks for the segmented form";
  const std::string_view size = teamsOf(code);
  if (!size.empty() && size != teamsOf(device))
    return "its sub-groups are not " + std::string(size);
  return "";
}

} // namespace

int32_t rankArch(HetDevice *device, const char *arch, uint32_t *rank, HetStatus *status) {
  const std::vector<std::string_view> code = wordsOf(arch);
  const std::vector<std::string_view> own = wordsOf(device->facts.arch);
  *rank = 0;
  if (std::string lack = findLack(code, own); !lack.empty())
    return report(status, HET_UNSUPPORTED,
                  "code for " + std::string(arch) + " on this device: " + lack);
  *rank = 1 + 8 * !teamsOf(code).empty() + 4 * !has(code, "softfp64") +
          2 * !has(code, "segmented") + (has(code, "cpu") == has(own, "cpu"));
  return success(status);
}

} // namespace het::spirv
