// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers to the questions that kernels may ask the device runtime.

#include "Context.h"
#include "ErrorNames.h"
#include "core/DeviceLaunches.h"
#include "include/__het/launch_records.h"

#include <algorithm>
#include <cstring>

namespace het::cuda {

/// The attributes, by their numbers.
static std::vector<int32_t> attributesOf(const cudaDeviceProp &properties) {
  std::vector<int32_t> values(HET_LAUNCH_ATTRIBUTES);
  for (int attribute = 0; attribute < HET_LAUNCH_ATTRIBUTES; ++attribute)
    if (!attributeOf(properties, attribute, values[attribute]))
      values[attribute] = HET_NO_ATTRIBUTE;
  return values;
}

/// Names and sentences of all errors: a list of HetErrorText, and behind it what they
/// lead to.
static Bytes errorTexts() {
  std::vector<HetErrorText> list;
  std::string texts;
  auto add = [&](const char *text) {
    const auto place = static_cast<uint32_t>(texts.size());
    texts += text;
    texts += '\0';
    return place;
  };
  for (int code = 0; code <= cudaErrorUnknown; ++code)
    if (const ErrorText *entry = findErrorText(code); entry && entry->runtimeName)
      list.push_back(
          {static_cast<uint32_t>(code), add(entry->runtimeName), add(entry->text)});
  const uint32_t none = add("unrecognized error code");
  list.push_back({HET_NO_ERROR_TEXT, none, none});
  const auto bytes = static_cast<uint32_t>(list.size() * sizeof(HetErrorText));
  for (HetErrorText &entry : list) {
    entry.name += bytes;
    entry.text += bytes;
  }
  Bytes all(bytes);
  std::memcpy(all.data(), list.data(), bytes);
  all.insert(all.end(), texts.begin(), texts.end());
  return all;
}

void Device::tellKernels() {
  device.launches().setAnswers(
      [this] { return core::LaunchAnswers{attributesOf(properties), errorTexts()}; });
}

} // namespace het::cuda
