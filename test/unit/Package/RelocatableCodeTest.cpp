// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record of relocatable code, and the union of a program's parts.

#include "GoldenPackages.h"
#include "Reseal.h"

#include "het/Package/PackageUnion.h"

#include <gtest/gtest.h>

using namespace het;
using namespace het::test;

static RelocatableCode sample() {
  return {"f00d", {{"f", "a.cu:1"}}, {{"t", ""}}, {{"g", "a.cu:2"}}, true, {1, 2, 3}};
}

TEST(RelocatableCode, IsReadAsItWasWritten) {
  Result<RelocatableCode> read = readRelocatableCode(writeRelocatableCode(sample()));
  ASSERT_TRUE(read.ok()) << read.status().text();
  EXPECT_EQ(read->id, "f00d");
  ASSERT_EQ(read->defined.size(), 1u);
  EXPECT_EQ(read->defined[0].place, "a.cu:1");
  EXPECT_EQ(read->shared[0].name, "t");
  EXPECT_EQ(read->needed[0].name, "g");
  EXPECT_TRUE(read->isOpen);
  EXPECT_EQ(read->bitcode, (Bytes{1, 2, 3}));
}

/// Each prefix and each changed byte is read to an end: refused, or another record.
TEST(RelocatableCode, DamageIsNoCrash) {
  const Bytes whole = writeRelocatableCode(sample());
  const size_t head = whole.size() - 3; // bitcode may have any length
  for (size_t size = 0; size < head; ++size)
    EXPECT_FALSE(readRelocatableCode(ByteView(whole.data(), size)).ok()) << size;
  for (size_t i = 0; i < whole.size(); ++i)
    for (uint8_t bit = 1; bit; bit <<= 1) {
      Bytes changed = whole;
      changed[i] ^= bit;
      (void)readRelocatableCode(changed).ok();
    }
}

TEST(RelocatableCode, IdsAreLettersAndDigits) {
  for (const char *id : {"", "a-b", "a b", "a/b", "\xc3\xa4"}) {
    RelocatableCode code = sample();
    code.id = id;
    EXPECT_FALSE(readRelocatableCode(writeRelocatableCode(code)).ok()) << id;
  }
  RelocatableCode code = sample();
  code.id = std::string(65, 'a');
  EXPECT_FALSE(readRelocatableCode(writeRelocatableCode(code)).ok());
}

namespace {

/// Makes parts for a union.
class Part {
public:
  Part &variable(const std::string &name, Bytes initial,
                 std::vector<Relocation> relocations = {}) {
    VariableInfo info;
    info.name = name;
    info.size = initial.size();
    info.initial = std::move(initial);
    info.relocations = std::move(relocations);
    info.external = true;
    EXPECT_TRUE(writer.addVariable(info).ok());
    return *this;
  }
  Part &kernel(const std::string &name, unsigned seed, std::vector<uint32_t> variables) {
    KernelInfo info;
    info.name = name;
    info.variables = std::move(variables);
    EXPECT_TRUE(writer.addKernel(info, sampleCode(seed, 50)).ok());
    return *this;
  }
  Status addTo(PackageUnion &all, const std::string &origin) {
    Result<Bytes> bytes = writer.finish();
    EXPECT_TRUE(bytes.ok()) << bytes.status().text();
    Result<Package> package = Package::open(*bytes, origin);
    EXPECT_TRUE(package.ok()) << package.status().text();
    return all.add(*package);
  }

private:
  PackageWriter writer{"part"};
};

Bytes eight(uint8_t value) { return Bytes(8, value); }

} // namespace

TEST(PackageUnion, VariablesOfOneNameAreOne) {
  PackageUnion all("union");
  ASSERT_TRUE(Part()
                  .variable("x", eight(1))
                  .variable("y", eight(2))
                  .kernel("a", 1, {1, 0})
                  .addTo(all, "a.o")
                  .ok());
  ASSERT_TRUE(Part()
                  .variable("p", eight(0), {{0, 1, 0}}) // leads forward
                  .variable("y", eight(2))
                  .kernel("b", 2, {0, 1})
                  .addTo(all, "b.o")
                  .ok());
  Result<Bytes> bytes = all.finish();
  ASSERT_TRUE(bytes.ok()) << bytes.status().text();
  Result<Package> package = Package::open(*bytes, "union");
  ASSERT_TRUE(package->verify().ok()) << package->verify().text();
  std::vector<VariableInfo> variables = *package->variables();
  ASSERT_EQ(variables.size(), 3u);
  EXPECT_EQ(variables[2].name, "p");
  EXPECT_EQ(variables[variables[2].relocations[0].variable].name, "y");
  EXPECT_EQ(package->kernel(0)->variables, (std::vector<uint32_t>{1, 0}));
  EXPECT_EQ(package->kernel(1)->variables, (std::vector<uint32_t>{2, 1}));
}

TEST(PackageUnion, TheFirstKernelOfANameStays) {
  PackageUnion all("union");
  ASSERT_TRUE(Part().kernel("t", 1, {}).addTo(all, "a.o").ok());
  ASSERT_TRUE(Part().kernel("t", 2, {}).addTo(all, "b.o").ok());
  Result<Bytes> bytes = all.finish();
  Result<Package> package = Package::open(*bytes, "union");
  ASSERT_EQ(package->kernelCount(), 1u);
  EXPECT_EQ(*package->kernelCode(0), sampleCode(1, 50));
}

TEST(PackageUnion, VariablesThatDifferAreRefused) {
  PackageUnion all("union");
  ASSERT_TRUE(Part().variable("x", eight(1)).addTo(all, "a.o").ok());
  Status status = Part().variable("x", eight(2)).addTo(all, "b.o");
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.text().find("'a.o' and in 'b.o'"), std::string::npos) << status.text();
}
