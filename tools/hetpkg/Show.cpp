// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetpkg show: what a package holds, for people.

#include "Signing.h"
#include "Verbs.h"

#include <algorithm>
#include <map>

using namespace het;

/// Text from a file, made safe for a terminal.
static std::string printable(std::string_view text) {
  std::string result;
  for (unsigned char c : text)
    result += c < 0x20 || c == 0x7f ? '?' : static_cast<char>(c);
  return result;
}

std::string het::countText(uint64_t number, const std::string &noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

/// One line "      label  value", the values of a kernel in one column.
static void line(std::string &out, std::string label, const std::string &value) {
  label.resize(std::max<size_t>(label.size(), 15), ' ');
  out += "    " + label + printable(value) + "\n";
}

static std::string join(const std::vector<std::string> &texts) {
  std::string result;
  for (const std::string &text : texts)
    result += (result.empty() ? "" : ", ") + text;
  return result;
}

static std::string parametersText(const KernelInfo &kernel) {
  std::string sizes;
  for (const Parameter &parameter : kernel.parameters)
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(parameter.size) + " at " +
             std::to_string(parameter.offset);
  return kernel.parameters.empty()
             ? "none"
             : countText(kernel.parameters.size(), "parameter") + " (" + sizes + ")";
}

static std::string sharedText(const KernelInfo &kernel) {
  return countText(kernel.staticSharedBytes, "byte") +
         (kernel.dynamicShared ? ", and what the launch adds" : "");
}

/// "1 entry, 2 barrier (a.cu:3:1, a.cu:7:5), 1 loop"
static std::string safePointsText(const KernelInfo &kernel) {
  std::map<SafePointReason, std::vector<std::string>> locations;
  for (const SafePoint &point : kernel.safePoints)
    locations[point.reason].push_back(point.location);
  std::vector<std::string> parts;
  for (auto &[reason, places] : locations) {
    std::string part = std::to_string(places.size()) + " " + reasonName(reason);
    std::vector<std::string> known;
    for (std::string &place : places)
      if (!place.empty())
        known.push_back(std::move(place));
    if (!known.empty())
      part += " (" + join(known) + ")";
    parts.push_back(part);
  }
  return parts.empty() ? "none" : join(parts);
}

static std::string slotsText(const KernelInfo &kernel) {
  std::map<SlotLevel, uint64_t> bytes;
  for (const Slot &slot : kernel.slots)
    bytes[slot.level] += slot.size;
  std::vector<std::string> parts;
  for (auto [level, size] : bytes)
    parts.push_back(countText(size, "byte") + " a " + levelName(level));
  return parts.empty() ? "none"
                       : countText(kernel.slots.size(), "slot") + ", " + join(parts);
}

/// "host x86-64-v3, 9120 bytes, 3402 stored, section 7"
static std::string artifactText(const InputPackage &input, const ArtifactKind &kind,
                                const ArtifactEntry &entry) {
  const PackageSections::Info section = input.package.section(entry.section);
  return kind.text() + ", " + countText(section.rawSize, "byte") + ", " +
         std::to_string(section.storedSize) + " stored, section " +
         std::to_string(entry.section);
}

static void show(std::string &out, const InputPackage &input, uint32_t index,
                 std::vector<Explainer> &explainers) {
  const KernelInfo &kernel = input.kernels[index];
  out += "  " + printable(kernel.displayName.empty() ? kernel.name : kernel.displayName) +
         "\n";
  line(out, "name", kernel.name);
  line(out, "parameters", parametersText(kernel));
  line(out, "shared memory", sharedText(kernel));
  if (kernel.localBytes)
    line(out, "local memory", countText(kernel.localBytes, "byte") + " a thread");
  if (kernel.maxThreadsPerBlock)
    line(out, "block size", "at most " + countText(kernel.maxThreadsPerBlock, "thread"));
  if (kernel.minBlocksPerMultiprocessor)
    line(out, "residency",
         "at least " + countText(kernel.minBlocksPerMultiprocessor, "block") +
             " a multiprocessor");
  if (kernel.cooperative)
    line(out, "launch", "cooperative");
  if (kernel.architecture != defaultArchitecture)
    line(out, "compiled for", "sm_" + std::to_string(kernel.architecture));
  if (!kernel.capabilities.empty())
    line(out, "needs", join(kernel.capabilities));
  std::vector<std::string> variables;
  for (uint32_t variable : kernel.variables)
    variables.push_back(input.variables[variable].name);
  if (!variables.empty())
    line(out, "variables", join(variables));
  line(out, "safe points", safePointsText(kernel));
  line(out, "frame", slotsText(kernel));
  if (!kernel.unparkable.empty())
    line(out, "parking", "only before blocks begin: " + kernel.unparkable);
  PackageSections::Info section = input.package.section(kernel.section);
  line(out, "hetIR",
       countText(section.rawSize, "byte") + ", " + std::to_string(section.storedSize) +
           " stored, section " + std::to_string(kernel.section));
  for (const PackageLowering &lowering : input.lowerings)
    if (const ArtifactEntry *entry = lowering.find(index))
      line(out, "precompiled", artifactText(input, lowering.kind, *entry));
  for (Explainer &explainer : explainers)
    line(out, "lowering",
         explainer.name() + ": " +
             explainer.explain(input.package, index, kernel.name).text());
}

static void show(std::string &out, const VariableInfo &variable) {
  std::string value = variable.initial.empty() ? "zero" : "initialised";
  if (!variable.relocations.empty())
    value += " with " + countText(variable.relocations.size(), "pointer");
  out += "  " + printable(variable.name) + ": " + kindName(variable.kind) + ", " +
         countText(variable.size, "byte") + ", " + value +
         (variable.external ? ", known to the host" : "") + "\n";
}

static void show(std::string &out, const RelocatableCode &code) {
  out += "for a device link: file " + code.id + ", which defines " +
         countText(code.defined.size(), "symbol") + "\n";
  for (const LinkSymbol &symbol : code.needed)
    out += "  needs " + printable(symbol.name) +
           (symbol.place.empty() ? "" : " (" + printable(symbol.place) + ")") + "\n";
}

Result<std::string> het::showText(const Input &input, ShowOptions &options) {
  std::string out;
  for (const InputPackage &one : input.packages) {
    const Package &package = one.package;
    Result<std::vector<SignatureInfo>> signatures = signaturesOf(package, options.keys);
    if (!signatures.ok())
      return signatures.status();
    out += printable(package.origin() + ": format " +
                     std::to_string(package.versionMajor()) + "." +
                     std::to_string(package.versionMinor()) + ", by " +
                     package.producer() + ", " + countText(package.totalSize(), "byte") +
                     ", " + signaturesText(*signatures)) +
           "\n";
    out += countText(one.kernels.size(), "kernel") + "\n";
    for (uint32_t i = 0; i < one.kernels.size(); ++i)
      show(out, one, i, options.explainers);
    out += countText(one.variables.size(), "variable") + "\n";
    for (const VariableInfo &variable : one.variables)
      show(out, variable);
    if (one.relocatable)
      show(out, *one.relocatable);
  }
  return out;
}
