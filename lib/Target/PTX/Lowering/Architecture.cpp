// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of GPUs for lowering without one: "sm_80;ptx80".

#include "../../Support/Lowering/PluginTable.h"
#include "ConvertToPTX.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace het::ptx {
namespace {

/// The least version of PTX that knows a compute capability: "PTX Release History" in the
/// PTX ISA manual.
struct Known {
  unsigned capability, version;
};
constexpr Known known[] = {{50, 60},  {52, 60},  {53, 60},  {60, 60}, {61, 60},
                           {62, 60},  {70, 60},  {72, 61},  {75, 63}, {80, 70},
                           {86, 71},  {87, 74},  {89, 78},  {90, 78}, {100, 86},
                           {101, 86}, {103, 88}, {120, 87}, {121, 88}};

/// That of the oldest driver which the device takes, CUDA 12.0's.
constexpr unsigned usualVersion = 80;

/// All GPUs whose lanes go on by themselves.
constexpr unsigned usualCapability = 70;

Error invalid(StringRef name, const Twine &what) {
  return make_error<target::InvalidRequest>(
      ("architecture '" + name + "': " + what).str());
}

} // namespace

Expected<std::string> findArch(StringRef name) {
  unsigned capability = usualCapability, version = 0;
  for (StringRef word : target::wordsOf(name)) {
    StringRef number = word;
    const bool isVersion = number.consume_front("ptx");
    if ((!isVersion && !number.consume_front("sm_")) ||
        number.getAsInteger(10, isVersion ? version : capability))
      return invalid(name, "found '" + word + "', expected such as sm_80 or sm_80+ptx83");
  }
  const Known *found =
      find_if(known, [&](const Known &one) { return one.capability == capability; });
  if (found == std::end(known)) {
    std::string names;
    for (const Known &one : known)
      names += (names.empty() ? "sm_" : ", sm_") + std::to_string(one.capability);
    return invalid(name, "expected one of " + names);
  }
  if (!version)
    version = std::max(usualVersion, found->version);
  if (version < found->version)
    return invalid(name, "found PTX " + Twine(version / 10) + "." + Twine(version % 10) +
                             ", expected " + Twine(found->version / 10) + "." +
                             Twine(found->version % 10) + " or later");
  return "sm_" + std::to_string(capability) + ";ptx" + std::to_string(version);
}

} // namespace het::ptx
