// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control groups: /proc/thread-self/cgroup names the process's group of each hierarchy,
// /proc/thread-self/mountinfo where hierarchies are mounted (cgroups(7), proc(5)).
// Thread-self, since "self" is empty once the main thread has ended.

#include "het/Base/MemoryLimit.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace het {

namespace {

/// A mounted hierarchy.
struct Mount {
  std::string group; ///< Which of its groups is at the mount point.
  std::string point;
};

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    parts.push_back(part);
  return parts;
}

bool contains(const std::string &list, const char *wanted) {
  const std::vector<std::string> parts = split(list, ',');
  return std::find(parts.begin(), parts.end(), wanted) != parts.end();
}

/// A line is: id, parent, device, root, mount point, options, …, -, type, source,
/// options.
std::optional<Mount> findMount(const std::string &root, bool isSecondVersion) {
  std::ifstream file(root + "/proc/thread-self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> words = split(line, ' ');
    auto dash = std::find(words.begin(), words.end(), "-");
    if (words.size() < 6 || words.end() - dash < 4)
      continue;
    if (isSecondVersion ? dash[1] == "cgroup2"
                        : dash[1] == "cgroup" && contains(dash[3], "memory"))
      return Mount{words[3], words[4]};
  }
  return std::nullopt;
}

/// Version 2 says "max" where there is no limit, version 1 a number that no machine has.
uint64_t readLimit(const std::string &path) {
  std::ifstream file(path);
  uint64_t limit = 0;
  return file >> limit ? limit : UINT64_MAX;
}

/// The least limit of a group and those above it that can be seen.
uint64_t leastLimit(const std::string &root, const Mount &mount, std::string group,
                    const char *file) {
  // The mount may be a part of the hierarchy; in a container the group may have a name
  // that only the outside knows.
  if (mount.group != "/")
    group = group.compare(0, mount.group.size(), mount.group) == 0
                ? group.substr(mount.group.size())
                : "";
  if (group.find("..") != std::string::npos)
    group.clear();
  uint64_t least = UINT64_MAX;
  for (;;) {
    while (!group.empty() && group.back() == '/')
      group.pop_back();
    least = std::min(least, readLimit(root + mount.point + group + "/" + file));
    if (group.empty())
      return least;
    group.resize(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
}

} // namespace

uint64_t controlGroupLimit(const std::string &root) {
  std::ifstream file(root + "/proc/thread-self/cgroup");
  uint64_t least = UINT64_MAX;
  // A line is: number, controllers, group; without controllers for version 2.
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos)
      continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool isSecondVersion = controllers.empty();
    if (!isSecondVersion && !contains(controllers, "memory"))
      continue;
    if (std::optional<Mount> mount = findMount(root, isSecondVersion))
      least = std::min(
          least, leastLimit(root, *mount, line.substr(second + 1),
                            isSecondVersion ? "memory.max" : "memory.limit_in_bytes"));
  }
  return least;
}

uint64_t usableMemory() {
  const uint64_t all = uint64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  return std::min(all, controlGroupLimit());
}

} // namespace het
