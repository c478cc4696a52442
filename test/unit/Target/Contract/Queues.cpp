// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues: order, and that nothing waits which must not.

#include "Contract.h"

#include <numeric>
#include <thread>

namespace het::contract {
namespace {

class Queues : public DeviceTest {
protected:
  /// Adds a number to a list, in its turn.
  struct Note {
    std::vector<int> *list;
    int number;
    static void write(void *note) {
      auto *self = static_cast<Note *>(note);
      self->list->push_back(self->number);
    }
  };
};

TEST_F(Queues, AreIdleAtTheBeginning) {
  EXPECT_EQ(abi->isIdle(queue), 1);
  abi->synchronize(queue);
  EXPECT_EQ(abi->isIdle(queue), 1);
}

TEST_F(Queues, DoTheirWorkInOrder) {
  const uint64_t memory = allocate(4096);
  std::vector<uint32_t> first(16, 1), out(16), after(16);
  copy(memory, reinterpret_cast<uint64_t>(first.data()), 64);
  CONTRACT_OK(abi->enqueueFill(queue, memory + 4, 2, 4, 8, &status));
  copy(reinterpret_cast<uint64_t>(out.data()), memory, 64);
  CONTRACT_OK(abi->enqueueFill(queue, memory, 3, 4, 64, &status));
  copy(reinterpret_cast<uint64_t>(after.data()), memory, 64);
  abi->synchronize(queue);
  first[1] = first[2] = 2;
  EXPECT_EQ(out, first);
  EXPECT_EQ(after, std::vector<uint32_t>(16, 3));
}

TEST_F(Queues, CallEachFunctionOnceInOrder) {
  std::vector<int> list;
  std::vector<Note> notes;
  for (int i = 0; i < 100; ++i)
    notes.push_back({&list, i});
  for (Note &note : notes)
    CONTRACT_OK(abi->enqueueCall(queue, Note::write, &note, &status));
  abi->synchronize(queue);
  std::vector<int> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(list, expected);
}

TEST_F(Queues, TakeWorkWithoutDoingIt) {
  const uint64_t memory = allocate(4096);
  HetEvent *event = newEvent();
  Gate &gate = close(queue);
  // Everything is taken while nothing can be done.
  std::vector<uint32_t> source(16, 1), out(16, 7);
  copy(memory, reinterpret_cast<uint64_t>(source.data()), 64);
  CONTRACT_OK(abi->enqueueFill(queue, memory, 5, 4, 4, &status));
  CONTRACT_OK(abi->enqueueSignal(queue, event, &status));
  CONTRACT_OK(abi->enqueueWait(queue, event, &status));
  copy(reinterpret_cast<uint64_t>(out.data()), memory, 64);
  EXPECT_EQ(abi->isIdle(queue), 0);
  EXPECT_EQ(abi->isEventDone(event), 0);
  EXPECT_EQ(out[0], 7u);
  // A copy reads when it is its turn.
  source.assign(16, 2);
  gate.open();
  abi->synchronize(queue);
  EXPECT_EQ(abi->isIdle(queue), 1);
  source[0] = 5;
  EXPECT_EQ(out, source);
}

TEST_F(Queues, GoOnBesideOneThatStands) {
  HetQueue *other = newQueue();
  Gate &gate = close(queue);
  std::vector<int> list;
  Note note = {&list, 1};
  CONTRACT_OK(abi->enqueueCall(other, Note::write, &note, &status));
  abi->synchronize(other);
  EXPECT_EQ(list, std::vector<int>(1, 1));
  gate.open();
  abi->synchronize(queue);
}

TEST_F(Queues, EndWithTheirWorkDone) {
  HetQueue *own = nullptr;
  CONTRACT_OK(abi->createQueue(device, &own, &status));
  std::vector<int> list;
  Note notes[] = {{&list, 0}, {&list, 1}};
  for (Note &note : notes)
    CONTRACT_OK(abi->enqueueCall(own, Note::write, &note, &status));
  abi->destroyQueue(own);
  EXPECT_EQ(list, (std::vector<int>{0, 1}));
}

TEST_F(Queues, KeepEachThreadsOrder) {
  // Several threads share one queue.
  constexpr int threads = 4, each = 50;
  std::vector<int> list;
  std::vector<std::vector<Note>> notes(threads);
  std::vector<std::thread> pool;
  for (int thread = 0; thread < threads; ++thread) {
    for (int i = 0; i < each; ++i)
      notes[thread].push_back({&list, thread * each + i});
    pool.emplace_back([&, thread] {
      HetStatus own = {};
      for (Note &note : notes[thread])
        EXPECT_EQ(abi->enqueueCall(queue, Note::write, &note, &own), HET_OK)
            << own.message;
    });
  }
  for (std::thread &thread : pool)
    thread.join();
  abi->synchronize(queue);
  ASSERT_EQ(list.size(), size_t(threads * each));
  std::vector<int> next(threads);
  for (int number : list)
    EXPECT_EQ(number % each, next[number / each]++);
}

TEST_F(Queues, ServeThreadsAtOnce) {
  // Each thread has a queue and memory of its own.
  constexpr size_t threads = 4, words = 1000;
  const uint64_t memory = allocate(threads * words * 4);
  std::vector<HetQueue *> own;
  for (size_t i = 0; i < threads; ++i)
    own.push_back(newQueue());
  std::vector<std::thread> pool;
  for (uint32_t thread = 0; thread < threads; ++thread)
    pool.emplace_back([&, thread] {
      HetStatus result = {};
      const uint64_t mine = memory + thread * words * 4;
      for (uint32_t round = 0; round < 10; ++round) {
        std::vector<uint32_t> in(words, thread * 100 + round), out(words);
        EXPECT_EQ(abi->enqueueCopy(own[thread], mine,
                                   reinterpret_cast<uint64_t>(in.data()), words * 4,
                                   &result),
                  HET_OK);
        EXPECT_EQ(abi->enqueueFill(own[thread], mine, 7, 4, 4, &result), HET_OK);
        EXPECT_EQ(abi->enqueueCopy(own[thread], reinterpret_cast<uint64_t>(out.data()),
                                   mine, words * 4, &result),
                  HET_OK);
        abi->synchronize(own[thread]);
        in[0] = 7;
        EXPECT_EQ(out, in);
      }
    });
  for (std::thread &thread : pool)
    thread.join();
}

TEST_F(Queues, AreMadeAndEndedByThreads) {
  std::vector<std::thread> pool;
  for (int thread = 0; thread < 4; ++thread)
    pool.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        HetStatus result = {};
        HetQueue *own = nullptr;
        HetEvent *event = nullptr;
        ASSERT_EQ(abi->createQueue(device, &own, &result), HET_OK) << result.message;
        ASSERT_EQ(abi->createEvent(device, &event, &result), HET_OK) << result.message;
        EXPECT_EQ(abi->enqueueSignal(own, event, &result), HET_OK) << result.message;
        abi->waitEvent(event);
        EXPECT_EQ(abi->isEventDone(event), 1);
        abi->destroyEvent(event);
        abi->destroyQueue(own);
      }
    });
  for (std::thread &thread : pool)
    thread.join();
}

} // namespace
} // namespace het::contract
