// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The queue of a stream whose work may move to another backend. Its thread gives the
// work to the active backend, in order. Launches and copies that follow each other are
// given without waiting for one another, also those that come meanwhile; but behind a
// launch that can be suspended only such launches, so that what is behind a suspended one
// has not begun. Everything else begins when all before it is done.

#ifndef HET_RUNTIME_MIGRATION_MIGRATABLEQUEUE_H
#define HET_RUNTIME_MIGRATION_MIGRATABLEQUEUE_H

#include "core/DeviceWork.h"
#include "core/Queue.h"
#include "core/Stream.h"
#include "het/Base/Bytes.h"
#include "het/Base/SoftwareQueue.h"
#include "migration/Submission.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace het::core {

class Backend;
class MigratableDevice;

/// An event of a device whose queues are software's, wherever its work is carried out.
class MigratableEvent final : public Event {
public:
  bool isDone() const override;
  void wait() const override;
  Result<int64_t> since(const Event &start) const override;

  SoftwareEvent records;
};

class MigratableQueue final : public Queue {
public:
  /// `name`: of its line in a trace.
  MigratableQueue(Device &device, const std::string &name);
  ~MigratableQueue() override;

  Status add(const DeviceWork &work) override;
  Status launch(Kernel &kernel, const LaunchShape &shape, const void *arguments,
                size_t argumentBytes) override;
  Status launch(Graph &graph) override;
  Status call(std::function<void()> function) override;
  Status record(Event &event) override;
  Status wait(Event &event) override;
  void synchronize() override;
  bool isIdle() override { return queue->isIdle(); }
  std::optional<unsigned> traceTrack() const override { return track; }

  /// Each launch that has not ended and has nothing but launches before it that is still
  /// to be done. Those that were given to a backend have a state. With the gate closed.
  void forEachLaunch(const std::function<void(MigratableLaunch &)> &use);

private:
  Status push(std::function<void()> task);
  Status enqueue(std::function<void()> task, std::shared_ptr<LaunchBatch> batch);
  Status pushAlone(const DeviceWork &work);
  void makeRoom();
  Status join(MigratablePiece piece);
  Status join(Kernel &kernel, const LaunchShape &shape, const void *arguments,
              size_t argumentBytes);
  bool isOfThisDevice(const DeviceWork &work) const;
  bool carryOutElsewhere(const DeviceWork &work, Device *ofTo, Device *ofFrom);
  void carryOut(const DeviceWork &work);
  BackendPlace *placeOn(Backend &backend);
  void run(const std::shared_ptr<LaunchBatch> &batch);
  enum class Step { Over, More, Lost };
  Step advance(const std::shared_ptr<LaunchBatch> &batch);
  bool close(const std::shared_ptr<LaunchBatch> &batch);
  void drop(const std::shared_ptr<LaunchBatch> &batch);
  void setBack(LaunchBatch &batch);

  Device &owner;
  MigratableDevice &migratable;
  const unsigned track; ///< Its line in the trace, if there is one.

  Backlog backlog; ///< Its mutex guards what follows, and the order of what is pushed.
  std::shared_ptr<LaunchBatch> last; ///< The batch that a launch may join; null: none.
  /// Tasks that were pushed and are not done; null: one that is no launches.
  std::deque<std::shared_ptr<LaunchBatch>> waiting;

  std::map<Backend *, BackendPlace> places; ///< Used by the running task.

  std::unique_ptr<SoftwareQueue> queue;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_MIGRATABLEQUEUE_H
