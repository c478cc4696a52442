// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks warnings up in Warnings.def.

#include "het/Frontend/Warnings.h"

#include "llvm/ADT/STLExtras.h"

using namespace het;
using llvm::StringRef;

namespace {

struct Numbered {
  unsigned number;
  StringRef name;
  StringRef groups;
};

enum class Level { Always, All, Extra };
struct Shared {
  Level level;
  StringRef groups;
};

} // namespace

static constexpr Numbered numbered[] = {
#define HET_NUMBERED(number, name, groups) {number, name, groups},
#include "Warnings.def"
};

static constexpr Shared shared[] = {
#define HET_SHARED(level, groups) {Level::level, groups},
#include "Warnings.def"
};

static WarningGroups split(StringRef groups) {
  WarningGroups list;
  groups.split(list, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return list;
}

WarningGroups het::warningGroups(StringRef message) {
  unsigned number = 0;
  const bool isNumber = !message.getAsInteger(10, number);
  for (const Numbered &one : numbered)
    if (isNumber ? one.number == number : !one.name.empty() && one.name == message)
      return split(one.groups);
  return {};
}

bool het::isSharedWarning(StringRef group, bool all, bool extra) {
  for (const Shared &one : shared)
    if ((one.level == Level::Always || (one.level == Level::All && (all || extra)) ||
         (one.level == Level::Extra && extra)) &&
        llvm::is_contained(split(one.groups), group))
      return true;
  return false;
}
