// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a program's first device is to be: what `hetrun --policy` asks for
// (docs/design/moving.md, Who decides where a device is).

#ifndef HET_RUNTIME_MIGRATION_CONTROL_POLICY_H
#define HET_RUNTIME_MIGRATION_CONTROL_POLICY_H

#include "het/Base/Status.h"

#include <string>
#include <vector>

namespace het::core {

struct Policy {
  /// The best one first; as MigratableDevice::open takes them: a second mention of a name
  /// is another device of that name.
  std::vector<std::string> devices;
  /// Programs of a lower one leave a device that this one is on.
  unsigned priority = 0;
  /// Whether work of a lost device goes on elsewhere, from its last periodic checkpoint.
  bool resumesLost = true;

  /// Lines, or parts between semicolons, `devices = NAME, NAME, ...`, `priority =
  /// NUMBER`, `lost = resume` or `lost = fail`; what follows a # at the beginning of a
  /// line is a remark. `thing` is what messages call the text.
  static Result<Policy> parse(const std::string &thing, const std::string &text);

  /// As parse() reads it, in one line.
  std::string text() const;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_CONTROL_POLICY_H
