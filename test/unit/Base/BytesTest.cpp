// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views, reader and writer.

#include "het/Base/Bytes.h"

#include <gtest/gtest.h>

using namespace het;

TEST(ByteView, SliceIsChecked) {
  Bytes bytes = {1, 2, 3, 4};
  ByteView view = bytes;
  ASSERT_TRUE(view.slice(1, 3).has_value());
  EXPECT_EQ(view.slice(1, 3)->data[0], 2);
  EXPECT_TRUE(view.slice(4, 0).has_value());
  EXPECT_FALSE(view.slice(5, 0).has_value());
  EXPECT_FALSE(view.slice(1, 4).has_value());
  EXPECT_FALSE(view.slice(UINT64_MAX, 2).has_value());
  EXPECT_FALSE(view.slice(2, UINT64_MAX).has_value());
}

TEST(ByteView, Comparison) {
  Bytes a = {1, 2}, b = {1, 2}, c = {1, 3};
  EXPECT_TRUE(sameBytes(a, b));
  EXPECT_FALSE(sameBytes(a, c));
  EXPECT_FALSE(sameBytes(a, ByteView(b.data(), 1)));
  EXPECT_TRUE(sameBytes(ByteView(), ByteView()));
}

TEST(ByteReader, ReadsWhatTheWriterWrote) {
  ByteWriter writer;
  writer.u8(0x12);
  writer.u16(0x3456);
  writer.u32(0x789abcde);
  writer.u64(0x0123456789abcdef);
  writer.i64(-5);
  writer.string("kernel");
  writer.zeros(3);
  Bytes bytes = writer.take();
  EXPECT_EQ(bytes[1], 0x56) << "little-endian";

  ByteReader reader{ByteView(bytes)};
  EXPECT_EQ(reader.u8(), 0x12);
  EXPECT_EQ(reader.u16(), 0x3456);
  EXPECT_EQ(reader.u32(), 0x789abcdeu);
  EXPECT_EQ(reader.u64(), 0x0123456789abcdefu);
  EXPECT_EQ(reader.i64(), -5);
  EXPECT_EQ(reader.string(), "kernel");
  EXPECT_FALSE(reader.finished());
  EXPECT_EQ(reader.bytes(3).size, 3u);
  EXPECT_TRUE(reader.finished());
}

TEST(ByteReader, FailureIsSticky) {
  Bytes bytes = {1, 2, 3};
  ByteReader reader{ByteView(bytes)};
  EXPECT_EQ(reader.u32(), 0u);
  EXPECT_TRUE(reader.failed());
  EXPECT_EQ(reader.u8(), 0u);
  EXPECT_EQ(reader.string(), "");
  EXPECT_FALSE(reader.finished());
}

TEST(ByteReader, CountIsBoundedByTheRest) {
  ByteWriter writer;
  writer.u32(3);
  writer.zeros(12);
  ByteReader good{ByteView(writer.view())};
  EXPECT_EQ(good.count(4), 3u);
  ByteReader bad{ByteView(writer.view())};
  EXPECT_EQ(bad.count(5), 0u);
  EXPECT_TRUE(bad.failed());
}

TEST(ByteReader, HugeStringLengthFails) {
  ByteWriter writer;
  writer.u32(UINT32_MAX);
  writer.zeros(8);
  ByteReader reader{ByteView(writer.view())};
  EXPECT_EQ(reader.string(), "");
  EXPECT_TRUE(reader.failed());
}
