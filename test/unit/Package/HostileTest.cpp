// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hostile packages: their digests are right and their contents are not. Nothing
// may crash, read out of bounds or allocate without measure.

#include "Compression.h"
#include "GoldenPackages.h"
#include "Reseal.h"

#include "het/Package/Package.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace het;
using namespace het::test;

namespace {
constexpr size_t tableOffset = 160, entrySize = 64;
constexpr uint32_t flagIgnorable = 1;

/// A package under change.
struct Patient {
  Bytes bytes;

  size_t entry(uint32_t section) const { return tableOffset + section * entrySize; }
  uint64_t get(size_t offset, size_t width) const {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + offset, width);
    return value;
  }
  void put(size_t offset, uint64_t value, size_t width) {
    std::memcpy(bytes.data() + offset, &value, width);
  }
  size_t sectionOffset(uint32_t section) const {
    return static_cast<size_t>(get(entry(section) + 8, 8));
  }

  Status check() {
    reseal(bytes);
    exercise(bytes);
    Result<Package> package = Package::open(bytes, "hostile.hetpkg");
    return package.ok() ? package->verify() : package.status();
  }
  void expectRefused(const char *part) {
    Status status = check();
    ASSERT_FALSE(status.ok()) << part;
    EXPECT_NE(status.text().find(part), std::string::npos) << status.text();
  }
};
} // namespace

/// The first section of a type.
static uint32_t sectionOf(const Bytes &bytes, const char *type) {
  Result<Package> package = Package::open(bytes, "golden");
  for (uint32_t i = 0; i < package->sectionCount(); ++i)
    if (package->section(i).typeName == type)
      return i;
  ADD_FAILURE() << "no section " << type;
  return 0;
}

TEST(Hostile, EveryByteChangedBehindTheDigests) {
  std::vector<GoldenPackage> all = goldenPackages();
  all.push_back(goldenSigned());
  for (const GoldenPackage &golden : all) {
    for (size_t i = 0; i < golden.bytes.size(); ++i)
      for (uint8_t change : {0x01, 0x80, 0xff}) {
        Bytes bytes = golden.bytes;
        bytes[i] ^= change;
        reseal(bytes);
        exercise(bytes);
      }
  }
}

TEST(Hostile, SectionCountBeyondTheFile) {
  Patient patient{goldenPlain().bytes};
  for (uint64_t count : {uint64_t(1000), uint64_t(1) << 20, uint64_t(UINT32_MAX)}) {
    patient.put(24, count, 4);
    patient.expectRefused("header: ");
  }
}

TEST(Hostile, NoSections) {
  Patient patient{goldenPlain().bytes};
  patient.bytes.resize(160);
  patient.put(16, 160, 8);
  patient.put(24, 0, 4);
  patient.expectRefused("0 kernel indices");
}

TEST(Hostile, SectionOffsetsMustTouch) {
  for (int64_t step : {-1, 1, 1 << 20}) {
    Patient patient{goldenPlain().bytes};
    size_t field = patient.entry(1) + 8;
    patient.put(field, patient.get(field, 8) + static_cast<uint64_t>(step), 8);
    patient.expectRefused("section 1 (variables): offset");
  }
}

TEST(Hostile, StoredSizeBeyondTheFile) {
  Patient patient{goldenPlain().bytes};
  patient.put(patient.entry(1) + 16, UINT64_MAX - 7, 8);
  patient.expectRefused("stored size");
}

TEST(Hostile, ZstdBombIsRefusedBeforeAllocating) {
  GoldenPackage golden = goldenVariables();
  uint32_t section = sectionOf(golden.bytes, "hetIR");
  for (uint64_t raw :
       {uint64_t(1) << 20, uint64_t(1) << 31, uint64_t(1) << 62, UINT64_MAX}) {
    Patient patient{golden.bytes};
    ASSERT_TRUE(patient.get(patient.entry(section) + 4, 4) & 2);
    patient.put(patient.entry(section) + 24, raw, 8);
    patient.expectRefused("raw size");
  }
}

TEST(Hostile, RawSizeThatTheFrameDenies) {
  GoldenPackage golden = goldenVariables();
  uint32_t section = sectionOf(golden.bytes, "hetIR");
  Patient patient{golden.bytes};
  patient.put(patient.entry(section) + 24, 301, 8);
  patient.expectRefused("size inside the zstd frame: found 300, expected 301");
}

/// A frame as zstd 0.7 wrote them, which zstd's own library may still read.
TEST(Hostile, FrameOfAnOldZstdIsRefused) {
  const uint8_t frame[] = {0x27, 0xB5, 0x2F, 0xFD, 0x20, 5,    0x40, 0, 5,
                           'h',  'e',  'l',  'l',  'o',  0xC0, 0,    0};
  Result<Bytes> read = decompress({frame, sizeof(frame)}, 5);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.status().text(),
            "zstd frame: found 4247762215 at its start, expected 4247762216");
}

TEST(Hostile, KernelAttributes) {
  const Bytes golden = goldenAttributes().bytes;
  const uint32_t section = sectionOf(golden, "kernel attributes");
  struct Change {
    size_t at;
    uint32_t value;
    const char *found;
  };
  for (const Change &change : {
           Change{0, 3, "attribute 1 of kernel 3 out of order or range"},
           Change{12, 0, "attribute 1 of kernel 0 out of order or range"},
           Change{4, UINT32_MAX, "attribute 4294967295 of kernel 0"},
           Change{8, 0, "architecture of kernel 0: found 0, expected 1 to 65535"},
           Change{20, 65536, "architecture of kernel 2: found 65536"},
       }) {
    Patient patient{golden};
    patient.put(patient.sectionOffset(section) + change.at, change.value, 4);
    patient.expectRefused(change.found);
  }
  Patient newer{golden}; // an attribute of a later version
  newer.put(newer.sectionOffset(section) + 4, 77, 4);
  EXPECT_TRUE(newer.check().ok()) << newer.check().text();
}

TEST(Hostile, UnknownSectionTypes) {
  GoldenPackage golden = goldenVariables();
  uint32_t section = sectionOf(golden.bytes, "debug info");
  Patient skipped{golden.bytes};
  skipped.put(skipped.entry(section), 77, 4);
  skipped.put(skipped.entry(section) + 4, flagIgnorable, 4);
  EXPECT_TRUE(skipped.check().ok()) << skipped.check().text();
  Patient refused{golden.bytes};
  refused.put(refused.entry(section), 77, 4);
  refused.put(refused.entry(section) + 4, 0, 4);
  refused.expectRefused("type: found 77");
  EXPECT_EQ(refused.check().code, Code::Unsupported);
}

TEST(Hostile, Producer) {
  Patient gap{goldenPlain().bytes};
  gap.put(94, 'x', 1);
  gap.expectRefused("producer");
  Patient control{goldenPlain().bytes};
  control.put(32, 7, 1);
  control.expectRefused("producer");
  Patient endless{goldenPlain().bytes};
  std::memset(endless.bytes.data() + 32, 'x', 64);
  endless.expectRefused("producer");
}

TEST(Hostile, SecondVariableSection) {
  GoldenPackage golden = goldenVariables();
  uint32_t section = sectionOf(golden.bytes, "debug info");
  Patient patient{golden.bytes};
  patient.put(patient.entry(section), 3, 4);
  patient.put(patient.entry(section) + 4, 0, 4);
  patient.expectRefused("one of each");
}

TEST(Hostile, UnknownFlagsOfKnownSections) {
  Patient patient{goldenPlain().bytes};
  patient.put(patient.entry(1) + 4, 4, 4);
  patient.expectRefused("flags");
  Patient header{goldenPlain().bytes};
  header.put(28, 1, 4);
  header.expectRefused("header: flags");
}

TEST(Hostile, KernelIndex) {
  GoldenPackage golden = goldenPages();
  size_t index = Patient{golden.bytes}.sectionOffset(0);
  struct {
    size_t offset;
    uint64_t value;
    size_t width;
    const char *part;
  } const cases[] = {
      {0, UINT32_MAX, 4, "kernels"},      // kernel count
      {4, UINT32_MAX, 4, "kernel pages"}, // first page
      {4, 0, 4, "type"},                  // first page is the index
      {8, 0, 4, "type"},                  // variables are the index
      {8, UINT32_MAX, 4, "section 4294967295"},
      {12, 1, 4, "count"},            // variable count
      {16, UINT64_MAX, 8, "look-up"}, // order of hashes
      {24, 33, 4, "look-up"},         // kernel out of range
      {24, 0, 4, ""},                 // one kernel twice, or the same
  };
  for (const auto &one : cases) {
    Patient patient{golden.bytes};
    bool same = patient.get(index + one.offset, one.width) == one.value;
    patient.put(index + one.offset, one.value, one.width);
    if (!same)
      patient.expectRefused(one.part);
  }
}

TEST(Hostile, TooManyNamesOfOneHash) {
  Patient patient{goldenPages().bytes};
  size_t entries = patient.sectionOffset(0) + 16;
  for (uint32_t i = 0; i < 33; ++i) {
    patient.put(entries + 12 * i, 5, 8);
    patient.put(entries + 12 * i + 8, i, 4);
  }
  patient.expectRefused("same hash");
}

TEST(Hostile, RecordEndsInAKernelPage) {
  GoldenPackage golden = goldenPages();
  uint32_t section = sectionOf(golden.bytes, "kernel page");
  for (uint64_t end : {uint64_t(0), uint64_t(127), uint64_t(UINT32_MAX)}) {
    Patient patient{golden.bytes};
    patient.put(patient.sectionOffset(section), end, 4);
    patient.expectRefused("record ends");
  }
}

TEST(Hostile, EveryNumberInAKernelRecordMadeHuge) {
  GoldenPackage golden = goldenVariables();
  uint32_t section = sectionOf(golden.bytes, "kernel page");
  Result<Package> package = Package::open(golden.bytes, "golden");
  PackageSections::Info info = package->section(section);
  for (size_t i = 0; i + 4 <= info.storedSize; ++i)
    for (uint32_t value : {0u, 0x7fffffffu, 0xffffffffu}) {
      Patient patient{golden.bytes};
      patient.put(static_cast<size_t>(info.offset) + i, value, 4);
      (void)patient.check(); // No crash; some values are harmless.
    }
}

TEST(Hostile, EveryNumberInAVariableRecordMadeHuge) {
  GoldenPackage golden = goldenVariables();
  uint32_t section = sectionOf(golden.bytes, "variables");
  Result<Package> package = Package::open(golden.bytes, "golden");
  PackageSections::Info info = package->section(section);
  for (size_t i = 0; i + 4 <= info.storedSize; ++i)
    for (uint32_t value : {0u, 0x7fffffffu, 0xffffffffu}) {
      Patient patient{golden.bytes};
      patient.put(static_cast<size_t>(info.offset) + i, value, 4);
      (void)patient.check();
    }
}

TEST(Hostile, SignaturesAreTheLastSectionAndOfOneSize) {
  const Bytes signedOne = goldenSigned().bytes;
  const uint32_t last = sectionOf(signedOne, "signatures");
  for (uint64_t flags : {0, 2, 3}) {
    Patient patient{signedOne};
    patient.put(patient.entry(last) + 4, flags, 4);
    patient.expectRefused("flags: found");
  }
  // Debug information has the same flags, and may stand anywhere.
  Patient earlier{signedOne};
  earlier.put(earlier.entry(sectionOf(signedOne, "debug info")), 7, 4);
  earlier.expectRefused("place: found it before the end");
  for (int64_t more : {-776, -768, -1, 1, 96}) {
    Patient patient{signedOne};
    patient.bytes.resize(patient.bytes.size() + size_t(more));
    patient.put(16, patient.bytes.size(), 8);
    for (size_t field : {16, 24})
      patient.put(patient.entry(last) + field, uint64_t(776 + more), 8);
    patient.expectRefused("stored size: found");
  }
  // Two of them: the table is longer by an entry, the file by a section.
  Patient twice{signedOne};
  const Bytes entry(twice.bytes.begin() + ptrdiff_t(twice.entry(last)),
                    twice.bytes.begin() + ptrdiff_t(twice.entry(last) + entrySize));
  const Bytes contents(signedOne.end() - 776, signedOne.end());
  twice.bytes.insert(twice.bytes.begin() + ptrdiff_t(twice.entry(last + 1)),
                     entry.begin(), entry.end());
  twice.bytes.insert(twice.bytes.end(), contents.begin(), contents.end());
  twice.put(16, twice.bytes.size(), 8);
  twice.put(24, last + 2, 4);
  for (uint32_t i = 0; i <= last + 1; ++i)
    twice.put(twice.entry(i) + 8,
              twice.get(twice.entry(i) + 8, 8) + entrySize + (i > last ? 776 : 0), 8);
  twice.expectRefused("place: found it before the end");
}

TEST(Hostile, SignaturesThatAreNoRecords) {
  const Bytes signedOne = goldenSigned().bytes;
  const size_t begin = signedOne.size() - 776;
  Patient version{signedOne};
  version.put(begin, 2, 4);
  version.expectRefused("signatures: version: found 2, expected 1");
  for (uint64_t count : {uint64_t(9), uint64_t(UINT32_MAX)}) {
    Patient patient{signedOne};
    patient.put(begin + 4, count, 4);
    patient.expectRefused("count: found");
  }
  Patient rest{signedOne};
  rest.put(begin + 775, 1, 1);
  rest.expectRefused("unused room: found other bytes");
  Patient fewer{signedOne};
  fewer.put(begin + 4, 1, 4);
  fewer.expectRefused("unused room: found other bytes");
  Patient equal{signedOne};
  std::copy_n(equal.bytes.begin() + ptrdiff_t(begin + 8), 96,
              equal.bytes.begin() + ptrdiff_t(begin + 8 + 96));
  equal.expectRefused("keys: found one that is not above the one before it");
}
