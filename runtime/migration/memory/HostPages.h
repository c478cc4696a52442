// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pages of this process behind addresses of the window: put in ahead of time, and
// taken to other addresses and back, which costs no copy.

#ifndef HET_RUNTIME_MIGRATION_MEMORY_HOSTPAGES_H
#define HET_RUNTIME_MIGRATION_MEMORY_HOSTPAGES_H

#include "core/Memory.h"
#include "het/Base/Status.h"

#include <vector>

namespace het::core {

/// Has the system put pages behind ranges that are mapped, by several threads: it takes
/// longer than copying to them. As far as it can be done.
void populate(const std::vector<MappedRange> &ranges);

/// As much memory as ranges have, elsewhere.
class AsidePages {
public:
  explicit AsidePages(std::vector<MappedRange> ranges) : ranges(std::move(ranges)) {}
  ~AsidePages();
  AsidePages(const AsidePages &) = delete;
  AsidePages &operator=(const AsidePages &) = delete;

  /// Maps memory without pages.
  Status map();
  /// Or takes the pages of all ranges, or of none; nothing is mapped there then.
  Status take();
  /// Puts all behind their addresses, in place of what is mapped there, or none.
  Status giveBack();

  /// Where the contents of the range of this number are.
  uint8_t *of(size_t number) const { return places[number]; }

private:
  bool bring(size_t number);
  bool returnOne(size_t number);

  const std::vector<MappedRange> ranges;
  std::vector<uint8_t *> places; ///< Null: its pages are not here.
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_MEMORY_HOSTPAGES_H
