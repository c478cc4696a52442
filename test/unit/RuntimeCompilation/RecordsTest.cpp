// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests and replies between a program and the process that compiles: what is written
// is read, and bytes that are cut off or changed are refused or read, never a crash.

#include "het/Package/CompilerRecords.h"

#include "gtest/gtest.h"

using namespace het;
using namespace het::rtc;

namespace {

CompileRequest sampleCompile() {
  CompileRequest request;
  request.source = {"a.cu", "__global__ void k() {}"};
  request.headers = {{"h.h", "int x;"}, {"", ""}};
  request.options = {"-arch=sm_80", ""};
  request.expressions = {"k"};
  request.folder = "/tmp";
  return request;
}

LinkRequest sampleLink() {
  LinkRequest request;
  request.inputs = {{LinkRequest::Kind::Object, "a.o", {1, 2, 3}},
                    {LinkRequest::Kind::Text, "", {}}};
  request.options = {"-lto"};
  return request;
}

Reply sampleReply() {
  Reply reply;
  reply.outcome = Outcome::InvalidOption;
  reply.log = "log";
  reply.loweredNames = {"_Z1kv", ""};
  reply.text = ".version 8.8";
  reply.package = {1, 2};
  reply.relocatable = {3};
  return reply;
}

TEST(CompilerRecords, RoundTrip) {
  const auto compile = readCompileRequest(writeRequest(sampleCompile()));
  ASSERT_TRUE(compile);
  EXPECT_EQ(compile->headers[0].text, "int x;");
  EXPECT_EQ(compile->options, sampleCompile().options);
  EXPECT_EQ(compile->folder, "/tmp");
  const auto link = readLinkRequest(writeRequest(sampleLink()));
  ASSERT_TRUE(link);
  EXPECT_EQ(link->inputs[0].data, (Bytes{1, 2, 3}));
  EXPECT_EQ(link->inputs[1].kind, LinkRequest::Kind::Text);
  const auto reply = readReply(writeReply(sampleReply()));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->outcome, Outcome::InvalidOption);
  EXPECT_EQ(reply->loweredNames, sampleReply().loweredNames);
  EXPECT_EQ(reply->package, (Bytes{1, 2}));
}

TEST(CompilerRecords, CutOff) {
  const Bytes all[] = {writeRequest(sampleCompile()), writeRequest(sampleLink()),
                       writeReply(sampleReply())};
  for (const Bytes &bytes : all)
    for (size_t size = 0; size < bytes.size(); ++size) {
      const ByteView part(bytes.data(), size);
      EXPECT_FALSE(&bytes == &all[0] && readCompileRequest(part));
      EXPECT_FALSE(&bytes == &all[1] && readLinkRequest(part));
      EXPECT_FALSE(&bytes == &all[2] && readReply(part));
    }
}

TEST(CompilerRecords, Changed) {
  for (Bytes bytes : {writeRequest(sampleCompile()), writeRequest(sampleLink()),
                      writeReply(sampleReply())})
    for (size_t at = 0; at < bytes.size(); ++at)
      for (uint8_t mask : {0x01, 0x80, 0xff}) {
        bytes[at] ^= mask;
        (void)readCompileRequest(bytes);
        (void)readLinkRequest(bytes);
        (void)readReply(bytes);
        bytes[at] ^= mask;
      }
  Reply reply = sampleReply();
  reply.outcome = static_cast<Outcome>(9);
  EXPECT_FALSE(readReply(writeReply(reply)));
}

} // namespace
