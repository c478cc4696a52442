// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the sections of a package: the kernel index and its pages, variables, debug
// information. Every section comes through stored() or contents(), so its bounds and
// digest are checked before anything here.

#include "het/Package/Package.h"

#include "Format.h"
#include "Records.h"
#include "Text.h"

#include <algorithm>

using namespace het;
using namespace het::format;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static uint32_t pagesFor(uint32_t kernels) {
  return (kernels + kernelsPerPage - 1) / kernelsPerPage;
}

Status Package::readIndex() {
  Result<ByteView> index = sections.stored(0, KernelIndex);
  if (!index.ok())
    return index.status();
  ByteReader reader(*index);
  kernelTotal = reader.u32();
  firstPage = reader.u32();
  variableSection = reader.u32();
  variableTotal = reader.u32();
  if (reader.failed() || uint64_t(kernelTotal) * lookupEntrySize != reader.remaining())
    return sections.damaged(0, "size: found " + bytesText(index->size) +
                                   ", expected the header and one entry for each of " +
                                   std::to_string(kernelTotal) + " kernels");
  lookup = reader.bytes(reader.remaining());

  uint32_t pages = pagesFor(kernelTotal);
  if (pages != sections.pageCount() || firstPage > sections.count() - pages ||
      (pages == 0 && firstPage != 0))
    return sections.damaged(
        0, "kernel pages: found " + std::to_string(sections.pageCount()) +
               " from section " + std::to_string(firstPage) + " on, expected " +
               std::to_string(pages) + " one after another");
  for (uint32_t i = 0; i < pages; ++i)
    if (uint32_t type = sections.entry(firstPage + i).type; type != KernelPage)
      return sections.damaged(firstPage + i, "type: found " + typeName(type) +
                                                 ", expected " + typeName(KernelPage));
  checkedPages.reset(new std::atomic<bool>[pages]());
  Result<ByteView> table = readKernelAttributes(sections, kernelTotal);
  if (!table.ok())
    return table.status();
  attributes = *table;
  return checkLookup();
}

namespace {
struct LookupEntry {
  uint64_t hash;
  uint32_t kernel;
};
} // namespace

static LookupEntry lookupEntry(ByteView lookup, uint32_t index) {
  ByteReader reader(*lookup.slice(uint64_t(index) * lookupEntrySize, lookupEntrySize));
  uint64_t hash = reader.u64();
  return {hash, reader.u32()};
}

Status Package::checkLookup() const {
  uint32_t equal = 0;
  LookupEntry last{0, 0};
  for (uint32_t i = 0; i < kernelTotal; ++i) {
    LookupEntry next = lookupEntry(lookup, i);
    bool same = i > 0 && next.hash == last.hash;
    bool rising = i == 0 || next.hash > last.hash || (same && next.kernel > last.kernel);
    if (!rising || next.kernel >= kernelTotal)
      return sections.damaged(0, "look-up entry " + std::to_string(i) +
                                     ": found kernel " + std::to_string(next.kernel) +
                                     " out of order or range, expected rising entries");
    equal = same ? equal + 1 : 1;
    if (equal > maxEqualHashes)
      return sections.damaged(0, "look-up entry " + std::to_string(i) +
                                     ": found one more name of the same hash, expected "
                                     "at most " +
                                     std::to_string(maxEqualHashes));
    last = next;
  }
  return Status::success();
}

/// A page, checked: the ends of its records rise and the last is its end.
Result<ByteView> Package::page(uint32_t index) const {
  uint32_t section = firstPage + index;
  Result<ByteView> view = sections.located(section, KernelPage);
  if (!view.ok())
    return view;
  if (!checkedPages[index].load(std::memory_order_relaxed)) {
    if (Status status = sections.checkDigest(section, *view); !status.ok())
      return status;
    checkedPages[index].store(true, std::memory_order_relaxed);
  }
  uint32_t records = std::min(kernelsPerPage, kernelTotal - index * kernelsPerPage);
  ByteReader reader(*view);
  uint64_t end = uint64_t(records) * 4;
  bool good = true;
  for (uint32_t i = 0; i < records; ++i) {
    uint32_t next = reader.u32();
    good = good && next >= end;
    end = next;
  }
  if (!good || reader.failed() || end != view->size)
    return sections.damaged(section, "record ends: found " + std::to_string(end) +
                                         " or out of order, expected rising up to " +
                                         std::to_string(view->size));
  return view;
}

/// Record `slot` of a checked page with that many records.
static ByteView recordOf(ByteView page, uint32_t slot, uint32_t records) {
  ByteReader ends(page);
  uint32_t begin = records * 4;
  for (uint32_t i = 0; i < slot; ++i)
    begin = ends.u32();
  uint32_t end = ends.u32();
  return *page.slice(begin, end - begin);
}

Result<ByteView> Package::record(uint32_t kernel) const {
  if (kernel >= kernelTotal)
    return invalid(foundExpected("kernel number", std::to_string(kernel),
                                 "less than " + std::to_string(kernelTotal),
                                 "use findKernel()"),
                   origin());
  uint32_t first = kernel / kernelsPerPage * kernelsPerPage;
  Result<ByteView> view = page(kernel / kernelsPerPage);
  if (!view.ok())
    return view;
  return recordOf(*view, kernel - first, std::min(kernelsPerPage, kernelTotal - first));
}

Result<KernelInfo> Package::decode(uint32_t kernel, ByteView record) const {
  uint32_t section = firstPage + kernel / kernelsPerPage;
  Result<KernelInfo> info = readKernel(record);
  if (!info.ok())
    return sections.damaged(section, info.status().message);
  for (uint32_t variable : info->variables)
    if (variable >= variableTotal)
      return sections.damaged(section,
                              "kernel " + quoted(info->name) + ": found variable " +
                                  std::to_string(variable) + ", expected less than " +
                                  std::to_string(variableTotal));
  bool inside = info->section < sections.count();
  if (!inside || sections.entry(info->section).type != KernelCode)
    return sections.damaged(
        section, "kernel " + quoted(info->name) + ": found its hetIR in section " +
                     std::to_string(info->section) + ", expected a hetIR section");
  setAttributes(*info, attributes, kernel);
  return info;
}

Result<KernelInfo> Package::kernel(uint32_t index) const {
  Result<ByteView> bytes = record(index);
  if (!bytes.ok())
    return bytes.status();
  return decode(index, *bytes);
}

Result<std::vector<KernelInfo>> Package::kernels() const {
  std::vector<KernelInfo> all;
  for (uint32_t p = 0; p < pagesFor(kernelTotal); ++p) {
    Result<ByteView> view = page(p);
    if (!view.ok())
      return view.status();
    uint32_t first = p * kernelsPerPage;
    uint32_t records = std::min(kernelsPerPage, kernelTotal - first);
    for (uint32_t i = 0; i < records; ++i) {
      Result<KernelInfo> info = decode(first + i, recordOf(*view, i, records));
      if (!info.ok())
        return info.status();
      all.push_back(info.take());
    }
  }
  return all;
}

Result<uint32_t> Package::findKernel(std::string_view name) const {
  uint64_t hash = hashName(name);
  uint32_t low = 0, high = kernelTotal;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (lookupEntry(lookup, middle).hash < hash)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < kernelTotal; ++low) {
    LookupEntry candidate = lookupEntry(lookup, low);
    if (candidate.hash != hash)
      break;
    Result<ByteView> bytes = record(candidate.kernel);
    if (!bytes.ok())
      return bytes.status();
    if (ByteReader(*bytes).stringView() == name)
      return candidate.kernel;
  }
  return unavailable(foundExpected("kernel " + quoted(name), "none of this name",
                                   "one of the package's " + std::to_string(kernelTotal),
                                   "see them with 'hetpkg show'"),
                     origin());
}

Result<Bytes> Package::kernelCode(uint32_t index) const {
  Result<KernelInfo> info = kernel(index);
  if (!info.ok())
    return info.status();
  return sections.contents(info->section, KernelCode);
}

Result<Digest> Package::codeDigest(uint32_t index) const {
  Result<KernelInfo> info = kernel(index);
  if (!info.ok())
    return info.status();
  return sections.entry(info->section).digest;
}

Digest Package::codeDigest(const KernelInfo &kernel) const {
  return sections.entry(kernel.section).digest;
}

//===----------------------------------------------------------------------===//
// Variables and debug information
//===----------------------------------------------------------------------===//

Status Package::readInitialValue(uint32_t section, VariableInfo &info) const {
  Result<Bytes> initial = sections.contents(section, InitialValue);
  if (!initial.ok())
    return initial.status();
  if (initial->size() != info.size)
    return sections.damaged(section, "initial value of " + quoted(info.name) +
                                         ": found " + bytesText(initial->size()) +
                                         ", expected " + bytesText(info.size));
  info.initial = initial.take();
  return Status::success();
}

Result<std::vector<VariableInfo>> Package::variables() const {
  Result<Bytes> list = sections.contents(variableSection, Variables);
  if (!list.ok())
    return list.status();
  ByteReader reader(*list);
  uint32_t count = reader.count(minimumVariableRecord);
  if (reader.failed() || count != variableTotal)
    return sections.damaged(variableSection, "count: found " + std::to_string(count) +
                                                 ", expected " +
                                                 std::to_string(variableTotal));
  std::vector<VariableInfo> all;
  all.reserve(count);
  uint32_t nextInitial = 0;
  for (uint32_t i = 0; i < count; ++i) {
    Result<VariableRecord> record = readVariable(reader);
    if (!record.ok())
      return sections.damaged(variableSection, record.status().message);
    VariableInfo &info = record->info;
    for (const Relocation &relocation : info.relocations)
      if (relocation.variable >= count)
        return sections.damaged(variableSection, "variable " + quoted(info.name) +
                                                     ", relocation: found variable " +
                                                     std::to_string(relocation.variable) +
                                                     ", expected less than " +
                                                     std::to_string(count));
    // Each section serves one variable: what is decoded stays in proportion to
    // the file.
    uint32_t section = record->initialSection;
    if (section != noSection) {
      if (section < nextInitial)
        return sections.damaged(variableSection,
                                "variable " + quoted(info.name) +
                                    ", section of its initial value: found " +
                                    std::to_string(section) + ", expected " +
                                    std::to_string(nextInitial) + " or higher");
      nextInitial = section + 1;
      if (Status status = readInitialValue(section, info); !status.ok())
        return status;
    }
    all.push_back(std::move(info));
  }
  if (!reader.finished())
    return sections.damaged(variableSection, "size: found " +
                                                 bytesText(reader.remaining()) +
                                                 " after the last record, expected 0");
  return all;
}

Result<std::vector<Bytes>> Package::debugInfo() const {
  std::vector<Bytes> all;
  for (uint32_t i = 0; i < sections.count(); ++i) {
    if (sections.entry(i).type != DebugInfo)
      continue;
    Result<Bytes> one = sections.contents(i, DebugInfo);
    if (!one.ok())
      return one.status();
    all.push_back(one.take());
  }
  return all;
}
