// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What libraries put into streams beside kernels (het/native.h), on the host device.

#include "Support.h"

#include <het/native.h>

namespace {

/// Notes what comes before it, and that it was called.
struct Note {
  std::atomic<int> calls{0};
  const int *before;
  int seen = 0;
  int isFaulted = -1;

  static void take(void *data, int isFaulted) {
    auto &note = *static_cast<Note *>(data);
    note.seen = *note.before;
    note.isFaulted = isFaulted;
    ++note.calls;
  }
};

/// Whether this run is the one in which the first device moves.
bool moves() { return std::getenv("HET_HOP") != nullptr; }

TEST(Native, Target) {
  const char *target = nullptr;
  int mayMove = -1;
  EXPECT_EQ(hetGetNativeTarget(0, &target, &mayMove), cudaSuccess);
  EXPECT_STREQ(target, "host");
  EXPECT_EQ(mayMove, moves());
  EXPECT_EQ(hetGetNativeTarget(1, nullptr, nullptr), cudaSuccess);
  EXPECT_EQ(hetGetNativeTarget(2, &target, &mayMove), cudaErrorInvalidDevice);
  EXPECT_EQ(hetGetNativeTarget(-1, &target, &mayMove), cudaErrorInvalidDevice);
}

TEST(Native, CallsAreInOrder) {
  if (moves())
    GTEST_SKIP() << "calls are refused";
  DeviceMemory<int> memory(1);
  for (unsigned flags : {cudaStreamDefault, cudaStreamNonBlocking}) {
    Stream stream(flags);
    Note note, later;
    note.before = memory;
    later.before = &note.seen;
    Gate gate(stream);
    ASSERT_EQ(cudaMemsetAsync(memory, 1, sizeof(int), stream), cudaSuccess);
    ASSERT_EQ(hetEnqueueCall(stream, Note::take, &note), cudaSuccess);
    ASSERT_EQ(cudaMemsetAsync(memory, 2, sizeof(int), stream), cudaSuccess);
    ASSERT_EQ(hetEnqueueCall(stream, Note::take, &later), cudaSuccess);
    EXPECT_EQ(note.calls, 0);
    gate.open();
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(note.calls, 1);
    EXPECT_EQ(note.seen, 0x01010101);
    EXPECT_EQ(later.seen, 0x01010101);
    EXPECT_EQ(note.isFaulted, 0);
  }
}

TEST(Native, WhatMovesTakesNone) {
  if (!moves())
    GTEST_SKIP() << "calls are taken";
  Stream stream;
  EXPECT_EQ(hetEnqueueCall(
                stream, [](void *, int) { FAIL(); }, nullptr),
            cudaErrorNotSupported);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

// The capture goes on, and the call is no node of it.
TEST(Native, CapturesTakeNone) {
  const int before = 0;
  Stream stream;
  Note note;
  note.before = &before;
  cudaGraph_t graph = nullptr;
  size_t count = 1;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(hetEnqueueCall(stream, Note::take, &note), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(hetEnqueueNative(
                stream, [](void *, void *) { FAIL(); }, nullptr),
            cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(
      hetRecordNative(
          stream, 64, [](void *, void *, void *) { return ADD_FAILURE(), 0; }, nullptr),
      cudaErrorNotSupported);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 0u);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(note.calls, 0);
}

// The host has no driver's streams.
TEST(Native, NoStreamOfADriver) {
  Stream stream;
  EXPECT_EQ(hetEnqueueNative(
                stream, [](void *, void *) { FAIL(); }, nullptr),
            cudaErrorNotSupported);
  EXPECT_EQ(
      hetRecordNative(
          stream, 64, [](void *, void *, void *) { return ADD_FAILURE(), 0; }, nullptr),
      cudaErrorIllegalState); // it does not capture
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

} // namespace
