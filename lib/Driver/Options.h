// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The option table of Options.def as data, and looking names up in it.

#ifndef HET_LIB_DRIVER_OPTIONS_H
#define HET_LIB_DRIVER_OPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace het::driver {

enum class OptionId {
#define HET_OPTION(id, longName, shortName, form, use, values, text) id,
#include "Options.def"
};

enum class OptionForm { Flag, Value, List, Boolean };
enum class OptionUse { Do, Note, Refuse };

struct OptionInfo {
  OptionId id;
  llvm::StringRef longName;
  llvm::StringRef shortName;
  OptionForm form;
  OptionUse use;
  llvm::StringRef values;
  llvm::StringRef text;

  bool takesValue() const { return form != OptionForm::Flag; }
  /// Whether `value` is one of those that the table lists; true if it lists
  /// none.
  bool allows(llvm::StringRef value) const;
};

llvm::ArrayRef<OptionInfo> optionTable();

const OptionInfo *findLongOption(llvm::StringRef name);
const OptionInfo *findShortOption(llvm::StringRef name);

/// The spelling, dashes included, that is nearest to what was typed, or "" if
/// nothing is near.
std::string nearestOption(llvm::StringRef typed);

} // namespace het::driver

#endif // HET_LIB_DRIVER_OPTIONS_H
