// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowering plug-in: which requests it takes, and that its results are functions of
// them.

#include "Contract.h"

#include <thread>

namespace het::contract {
namespace {

class Lowering : public LaunchTest {
protected:
  Bytes lowered(const std::string &kernel, const std::string &options = "") {
    Bytes bytes;
    EXPECT_EQ(lower(kernel, options, bytes), HET_OK) << status.message;
    return bytes;
  }
  void expectRefusal(int32_t code, const std::string &kernel,
                     const std::string &options = "") {
    Bytes bytes;
    CONTRACT_FAILS(code, lower(kernel, options, bytes));
  }
  /// Lowers these bytes.
  void expectDamageRefused(const Bytes &code) {
    HetLowerRequest request = {code.data(), code.size(), "store",
                               facts.arch,  "",          HET_CONTRACT_DEVICELIB};
    HetLowering out = {};
    const int32_t result = lowering->lower(&request, &out, &status);
    EXPECT_NE(result, HET_OK);
    expectReason(result);
    EXPECT_EQ(out.data, nullptr);
  }
};

TEST_F(Lowering, TableIsWhole) {
  EXPECT_EQ(lowering->size, sizeof(HetLoweringABI));
  EXPECT_STREQ(lowering->name, subject().target);
  ASSERT_TRUE(lowering->version);
  EXPECT_STRNE(lowering->version, "");
  EXPECT_TRUE(lowering->lower && lowering->release);
}

TEST_F(Lowering, GivesTheSameEachTime) {
  const Bytes first = lowered("shared");
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(lowered("shared"), first);
  EXPECT_NE(lowered("store"), first);
}

TEST_F(Lowering, IsAskedByThreads) {
  const Bytes expected = lowered("shared"), other = lowered("numbers");
  static const Bytes code = readBytes(HET_CONTRACT_KERNELS "/Kernels.mlirbc");
  std::vector<std::thread> pool;
  for (int thread = 0; thread < 4; ++thread)
    pool.emplace_back([&, thread] {
      HetStatus result = {};
      HetLowering out = {};
      const char *kernel = thread % 2 ? "shared" : "numbers";
      HetLowerRequest request = {code.data(), code.size(), kernel,
                                 facts.arch,  "",          HET_CONTRACT_DEVICELIB};
      ASSERT_EQ(lowering->lower(&request, &out, &result), HET_OK) << result.message;
      EXPECT_EQ(Bytes(out.data, out.data + out.size), thread % 2 ? expected : other);
      lowering->release(&out);
    });
  for (std::thread &thread : pool)
    thread.join();
}

TEST_F(Lowering, RefusesWhatIsNoHetIR) {
  expectDamageRefused({});
  expectDamageRefused({1, 2, 3});
  const std::string text = "int main() { return 0; }";
  expectDamageRefused(Bytes(text.begin(), text.end()));
  Bytes code = readBytes(HET_CONTRACT_KERNELS "/Kernels.mlirbc");
  code.resize(code.size() / 2);
  expectDamageRefused(code);
}

TEST_F(Lowering, RefusesWordsThatItDoesNotKnow) {
  expectRefusal(HET_INVALID, "store", "nonsense");
  expectRefusal(HET_INVALID, "store", "parkable=0");
  expectRefusal(HET_INVALID, "store", "parkable=x");
}

TEST_F(Lowering, RefusesKernelsThatAreNotThere) {
  Bytes bytes;
  const int32_t code = lower("nowhere", "", bytes);
  ASSERT_NE(code, HET_OK);
  EXPECT_NE(std::string(status.message).find("nowhere"), std::string::npos)
      << status.message;
  expectReason(code);
}

TEST_F(Lowering, TakesConstantsWhereTheDeviceSaysSo) {
  const std::string words = "block=32,1,1";
  if (can(Capability::Constants))
    EXPECT_FALSE(lowered("numbers", words).empty());
  else
    expectRefusal(HET_INVALID, "numbers", words);
  expectRefusal(HET_INVALID, "numbers", "block=32");
  expectRefusal(HET_INVALID, "numbers", "block=0,1,1");
}

TEST_F(Lowering, MakesSuspendableCode) {
  if (!can(Capability::Suspends))
    GTEST_SKIP() << "kernels are not suspended here";
  for (const char *words : {"parkable", "parkable=1000", "parkable=entry"})
    EXPECT_FALSE(lowered("meet", words).empty()) << words;
}

TEST_F(Lowering, SaysWhichWayItTakes) {
  if (!lowering->explain)
    GTEST_SKIP() << "there is one";
  const Bytes code = readBytes(HET_CONTRACT_KERNELS "/Kernels.mlirbc");
  HetLowerRequest request = {code.data(), code.size(), "store",
                             facts.arch,  "",          HET_CONTRACT_DEVICELIB};
  HetExplanation explanation = {};
  CONTRACT_OK(lowering->explain(&request, &explanation, &status));
  EXPECT_STRNE(explanation.form, "");
  request.kernel = "nowhere";
  EXPECT_NE(lowering->explain(&request, &explanation, &status), HET_OK);
}

} // namespace
} // namespace het::contract
