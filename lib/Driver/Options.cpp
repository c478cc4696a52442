// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the table of options from Options.def, and looks them up.

#include "Options.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace het::driver;
using llvm::StringRef;

static constexpr OptionInfo table[] = {
#define HET_OPTION(id, longName, shortName, form, use, values, text)                     \
  {OptionId::id, longName, shortName, OptionForm::form, OptionUse::use, values, text},
#include "Options.def"
};

llvm::ArrayRef<OptionInfo> het::driver::optionTable() { return table; }

bool OptionInfo::allows(StringRef value) const {
  if (values.empty() || values.contains('<'))
    return true;
  llvm::SmallVector<StringRef> allowed;
  values.split(allowed, '|');
  return llvm::is_contained(allowed, value);
}

const OptionInfo *het::driver::findLongOption(StringRef name) {
  const auto *found =
      llvm::find_if(table, [&](const OptionInfo &o) { return o.longName == name; });
  return found == std::end(table) ? nullptr : found;
}

const OptionInfo *het::driver::findShortOption(StringRef name) {
  if (name.empty())
    return nullptr;
  const auto *found =
      llvm::find_if(table, [&](const OptionInfo &o) { return o.shortName == name; });
  return found == std::end(table) ? nullptr : found;
}

std::string het::driver::nearestOption(StringRef typed) {
  StringRef name = typed.split('=').first;
  // Further away than this, a suggestion is noise.
  unsigned best = static_cast<unsigned>(name.ltrim('-').size()) / 3 + 1;
  std::string nearest;
  auto consider = [&](std::string spelling) {
    unsigned distance = name.edit_distance(spelling, true, best);
    if (distance < best) {
      best = distance;
      nearest = std::move(spelling);
    }
  };
  for (const OptionInfo &option : table) {
    if (!option.longName.empty())
      consider("--" + option.longName.str());
    if (!option.shortName.empty())
      consider("-" + option.shortName.str());
  }
  return nearest;
}
