// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The section of kernels' attributes, which grows where kernel records cannot.

#include "Format.h"
#include "Records.h"
#include "Text.h"

using namespace het;
using namespace het::format;

namespace {

enum Attribute : uint32_t { Architecture = 1 };

struct Entry {
  uint32_t kernel, attribute, value;
};

uint32_t countEntries(ByteView section) {
  return static_cast<uint32_t>(section.size / kernelAttributeSize);
}

Entry entryOf(ByteView section, uint32_t index) {
  ByteReader reader(
      *section.slice(uint64_t(index) * kernelAttributeSize, kernelAttributeSize));
  const uint32_t kernel = reader.u32(), attribute = reader.u32();
  return {kernel, attribute, reader.u32()};
}

} // namespace

Bytes het::writeKernelAttributes(const std::vector<const KernelInfo *> &kernels) {
  ByteWriter writer;
  for (uint32_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i]->architecture == defaultArchitecture)
      continue;
    writer.u32(i);
    writer.u32(Architecture);
    writer.u32(kernels[i]->architecture);
  }
  return writer.take();
}

Result<ByteView> het::readKernelAttributes(const PackageSections &sections,
                                           uint32_t kernels) {
  const uint32_t index = sections.kernelAttributes();
  if (!index)
    return ByteView();
  Result<ByteView> section = sections.stored(index, KernelAttributes);
  if (!section.ok())
    return section;
  if (section->size % kernelAttributeSize)
    return sections.damaged(index, "size: found " + bytesText(section->size) +
                                       ", expected a multiple of " +
                                       std::to_string(kernelAttributeSize));
  uint64_t next = 0; // the least that kernel and attribute may be, as one number
  for (uint32_t i = 0; i < countEntries(*section); ++i) {
    const Entry entry = entryOf(*section, i);
    const uint64_t place = uint64_t(entry.kernel) << 32 | entry.attribute;
    if (place < next || entry.kernel >= kernels || entry.attribute == UINT32_MAX)
      return sections.damaged(index, "found attribute " +
                                         std::to_string(entry.attribute) + " of kernel " +
                                         std::to_string(entry.kernel) +
                                         " out of order or range, expected rising ones");
    next = place + 1;
    if (entry.attribute == Architecture &&
        (entry.value == 0 || entry.value > maxArchitecture))
      return sections.damaged(index,
                              "architecture of kernel " + std::to_string(entry.kernel) +
                                  ": found " + std::to_string(entry.value) +
                                  ", expected 1 to " + std::to_string(maxArchitecture));
  }
  return section;
}

void het::setAttributes(KernelInfo &info, ByteView section, uint32_t kernel) {
  uint32_t low = 0, high = countEntries(section);
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (entryOf(section, middle).kernel < kernel)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < countEntries(section); ++low) {
    const Entry entry = entryOf(section, low);
    if (entry.kernel != kernel)
      break;
    if (entry.attribute == Architecture)
      info.architecture = entry.value;
  }
}
