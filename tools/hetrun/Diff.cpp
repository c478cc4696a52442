// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verb, and what can be compared as lists: modules and allocations.

#include "Diff.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace het {

std::string Findings::text() const {
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  if (total > lines.size())
    text += "and " + std::to_string(total - lines.size()) + " more\n";
  return text;
}

std::string addressText(uint64_t address) {
  char text[19];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

/// A line for what is in one list only.
static void diffLists(std::vector<std::string> a, std::vector<std::string> b,
                      Findings &findings) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<std::string> only;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(only));
  for (const std::string &one : only)
    findings.add(one + ": only in the first");
  only.clear();
  std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(only));
  for (const std::string &one : only)
    findings.add(one + ": only in the second");
}

/// Where each package's variables lie. Which device they lie on is not said: a
/// program that has moved is to be equal to one that has not.
static std::vector<std::string> moduleLines(const Checkpoint &checkpoint) {
  std::vector<std::string> lines;
  for (const CheckpointModule &module : checkpoint.contents().modules) {
    std::string package =
        "package " + hex(checkpoint.packageDigest(module.package)).substr(0, 16);
    lines.push_back(package);
    for (const CheckpointVariable &one : module.variables)
      lines.push_back(package + ", variable " + std::to_string(one.variable) + " at " +
                      addressText(one.address));
  }
  return lines;
}

static std::vector<std::string> allocationLines(const Checkpoint &checkpoint) {
  std::vector<std::string> lines;
  for (const CheckpointRegion &region : checkpoint.contents().regions)
    for (const CheckpointAllocation &one : region.allocations)
      lines.push_back("allocation at " + addressText(one.address) + " of " +
                      std::to_string(one.size) + " bytes");
  return lines;
}

/// The packages' bytes are held against their digests.
static Status checkPackages(const Checkpoint &checkpoint) {
  for (uint32_t i = 0; i < checkpoint.packageCount(); ++i)
    if (Status status = checkpoint.package(i).status(); !status.ok())
      return status;
  return Status::success();
}

static Status diff(const Checkpoint &a, const Checkpoint &b, Findings &findings) {
  for (const Checkpoint *one : {&a, &b})
    if (Status status = checkPackages(*one); !status.ok())
      return status;
  diffLists(moduleLines(a), moduleLines(b), findings);
  if (Status status = diffLaunches(a, b, findings); !status.ok())
    return status;
  diffLists(allocationLines(a), allocationLines(b), findings);
  return diffMemory(a, b, findings);
}

static int fail(const std::string &message) {
  std::fprintf(stderr, "hetrun: error: %s\n", message.c_str());
  return 2;
}

int runDiff(const std::string &first, const std::string &second) {
  Result<Checkpoint> a = Checkpoint::open(first);
  if (!a.ok())
    return fail(a.status().text());
  Result<Checkpoint> b = Checkpoint::open(second);
  if (!b.ok())
    return fail(b.status().text());
  Findings findings;
  if (Status status = diff(*a, *b, findings); !status.ok())
    return fail(status.text());
  std::string text = findings.text();
  bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
                 std::fflush(stdout) == 0;
  if (!written)
    return fail("standard output: cannot write");
  return findings.none() ? 0 : 1;
}

} // namespace het
