// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues and events of a backend itself: work goes straight to the target's queue.

#ifndef HET_RUNTIME_CORE_DIRECTQUEUE_H
#define HET_RUNTIME_CORE_DIRECTQUEUE_H

#include "core/Queue.h"
#include "core/trace/StreamTrace.h"

#include "het/Target/TargetABI.h"
#include <atomic>
#include <mutex>

#include <string>

namespace het::core {

class Backend;

class DirectEvent final : public Event {
public:
  static Result<std::shared_ptr<Event>> create(Backend &backend);
  ~DirectEvent() override;

  bool isDone() const override;
  void wait() const override;
  Result<int64_t> since(const Event &start) const override;

  Backend &of() const { return backend; }
  HetEvent *handle() const { return event; }

private:
  explicit DirectEvent(Backend &backend) : backend(backend) {}

  Backend &backend;
  HetEvent *event = nullptr;
};

class DirectQueue final : public Queue {
public:
  /// `name`: of its line in a trace.
  static Result<std::unique_ptr<Queue>> create(Device &device, const std::string &name);
  ~DirectQueue() override;

  Status add(const DeviceWork &work) override;
  Status launch(Kernel &kernel, const LaunchShape &shape, const void *arguments,
                size_t argumentBytes) override;
  Status launch(Graph &graph) override;
  Status launch(NativeWork &work) override;
  Status call(std::function<void()> function) override;
  Status addNative(const std::function<void(void *stream)> &work) override;
  Status record(Event &event) override;
  Status wait(Event &event) override;
  void synchronize() override;
  bool isIdle() override;
  std::optional<unsigned> traceTrack() const override;

private:
  DirectQueue(Device &device, std::string name);
  StreamTrace *traced();
  Status waitAcross(DirectEvent &event);

  Device &device;
  Backend &backend;
  const std::string name;
  HetQueue *queue = nullptr;
  std::once_flag isTraced;
  std::atomic<StreamTrace *> trace{nullptr}; ///< Owned; null where none is wanted.
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_DIRECTQUEUE_H
