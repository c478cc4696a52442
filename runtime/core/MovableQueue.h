// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The queue of a stream whose work may move to another backend. Its thread gives the
// work to the present backend, in order. Launches that follow each other are given
// together; everything else begins when all before it is done, so that what is behind a
// parked launch has not begun, and a move can wait for what has.

#ifndef HET_RUNTIME_CORE_MOVABLEQUEUE_H
#define HET_RUNTIME_CORE_MOVABLEQUEUE_H

#include "LaunchState.h"
#include "het/Base/Bytes.h"
#include "het/Base/SoftwareQueue.h"
#include "het/Runtime/Stream.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace het::core {

class Backend;
class Movement;

/// A launch with everything that it needs, and how far it is.
struct MovableLaunch {
  Kernel *kernel;
  LaunchShape shape;
  Bytes arguments;
  std::optional<LaunchState> state; ///< Once it was given to a backend.
};

class MovableQueue {
public:
  explicit MovableQueue(Device &device);
  /// Carries out what is left first.
  ~MovableQueue();
  MovableQueue(const MovableQueue &) = delete;
  MovableQueue &operator=(const MovableQueue &) = delete;

  /// As Stream's functions of these names. A launch's kernel has been prepared for the
  /// present backend.
  void copy(void *to, const void *from, size_t size);
  void copyRows(void *to, size_t toPitch, const void *from, size_t fromPitch,
                size_t width, size_t rows);
  void fill(void *to, uint32_t pattern, unsigned patternBytes, size_t size);
  void launch(Kernel &kernel, const LaunchShape &shape, const void *arguments,
              size_t argumentBytes);
  void call(std::function<void()> function);
  void signal(const std::shared_ptr<EventState> &event);
  void wait(const std::shared_ptr<EventState> &event);
  void synchronize() { queue->synchronize(); }
  bool isIdle() { return queue->isIdle(); }

  /// Each launch that was given to a backend and has not ended. With the gate closed.
  void forEachLaunch(const std::function<void(const MovableLaunch &)> &use) const;

private:
  using Enqueue = std::function<int32_t(const HetDeviceABI &, HetQueue *, HetStatus *)>;
  struct Batch {
    std::vector<std::unique_ptr<MovableLaunch>> launches;
    size_t ended = 0; ///< So many of them have, or were dropped.
  };

  void push(std::function<void()> task);
  void push(const void *to, const void *from, Enqueue enqueue);
  void carryOut(const Enqueue &enqueue);
  HetQueue *queueOn(Backend &backend);
  void run(Batch &batch);
  bool advance(Batch &batch);
  bool give(MovableLaunch &launch, Backend &backend, HetQueue *onto);
  void settle(Batch &batch, Backend &backend);

  Device &owner;
  Movement &movement;

  std::mutex pushing; ///< Guards `last`, and the order of what is pushed.
  std::shared_ptr<Batch> last; ///< What a launch may join; null: nothing.

  // Of the task that runs; seen by others while the gate is closed.
  std::map<Backend *, HetQueue *> queues;
  Batch *running = nullptr;

  std::unique_ptr<SoftwareQueue> queue;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_MOVABLEQUEUE_H
