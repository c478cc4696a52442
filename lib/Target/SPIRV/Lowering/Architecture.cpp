// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of devices for lowering without one: "spirv1.3;teams32;nofp64;cpu". The words say
// what the code may use of OpenCL's optional features.

#include "../../Support/Lowering/PluginTable.h"
#include "Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace het::spirv {

/// In the order of a device's `arch`.
static constexpr StringRef known[] = {
    "spirv1.3", "vulkan1.3", "segmented", "teams8",      "teams16",   "teams32",
    "nofp64",   "softfp64",  "nofp16",    "noatomics64", "nogeneric", "cpu",
    "exactfma", "exactdiv",  "denorms16", "denorms32",   "denorms64", "llvmpipe"};

Expected<std::string> findArch(StringRef name) {
  SmallVector<StringRef> words = target::wordsOf(name);
  auto invalid = [&](const Twine &what) {
    return make_error<target::InvalidRequest>(
        ("architecture '" + name + "': " + what).str());
  };
  // Without a name: code that every device with all features runs, also one that is a
  // CPU.
  if (words.empty())
    words = {"cpu"};
  for (StringRef &word : words) {
    word = word == "teams" ? "teams32" : word == "vulkan" ? "vulkan1.3" : word;
    if (!is_contained(known, word))
      return invalid("found '" + word + "', expected of " + join(ArrayRef(known), ", "));
  }
  if (count_if(words, [](StringRef word) { return word.starts_with("teams"); }) > 1)
    return invalid("found sub-groups of several sizes, expected one");
  if (is_contained(words, "softfp64") && !is_contained(words, "nofp64"))
    words.push_back("nofp64");
  const bool isVulkan = is_contained(words, known[1]);
  std::string arch = known[isVulkan].str();
  for (StringRef word : drop_begin(known, 2))
    if (is_contained(words, word))
      arch += ";" + word.str();
  return arch;
}

} // namespace het::spirv
