// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads that run blocks. A job is a range of indices that threads take one
// after the other; several launches may have jobs at once.

#include "HostDevice.h"
#include "het/Base/Environment.h"
#include "het/Base/Thread.h"

#include <list>

namespace het::host {

Result<uint64_t> readThreadCount() {
  constexpr uint64_t maxThreads = 4096;
  return environment::number(Variable::HostThreads, 1, maxThreads,
                             std::max(1u, std::thread::hardware_concurrency()));
}

unsigned threadCount() {
  static const unsigned count = [] {
    Result<uint64_t> read = readThreadCount();
    return read.ok() ? static_cast<unsigned>(*read) : 1; // checked by probe()
  }();
  return count;
}

namespace {

struct Job {
  uint64_t count;
  const std::function<void(uint64_t)> &work;
  std::atomic<uint64_t> next{0};
  unsigned helpers = 0; ///< threads of the pool inside; guarded by the pool

  void take() {
    for (uint64_t index; (index = next.fetch_add(1)) < count;)
      work(index);
  }
};

class Pool {
public:
  /// Never destroyed: kernels may run until the process ends.
  static Pool &get() {
    static Pool *pool = new Pool;
    return *pool;
  }

  void run(Job &job) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      jobs.push_back(&job);
    }
    arrived.notify_all();
    job.take();
    std::unique_lock<std::mutex> lock(mutex);
    jobs.remove(&job);
    left.wait(lock, [&] { return job.helpers == 0; });
  }

private:
  Pool() {
    for (unsigned i = 1; i < threadCount(); ++i) {
      Result<std::thread> helper = startThread([this] { help(); });
      if (!helper.ok())
        break; // the threads that there are do it
      helper->detach();
    }
  }

  Job *findWork() {
    for (Job *job : jobs)
      if (job->next.load() < job->count)
        return job;
    return nullptr;
  }

  void help() {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      Job *job = nullptr;
      arrived.wait(lock, [&] { return (job = findWork()) != nullptr; });
      ++job->helpers;
      lock.unlock();
      job->take();
      lock.lock();
      if (--job->helpers == 0)
        left.notify_all();
    }
  }

  std::mutex mutex;
  std::condition_variable arrived, left;
  std::list<Job *> jobs;
};

} // namespace

void parallelFor(uint64_t count, const std::function<void(uint64_t)> &work) {
  if (count <= 1 || threadCount() == 1) {
    for (uint64_t index = 0; index < count; ++index)
      work(index);
    return;
  }
  Job job{count, work};
  Pool::get().run(job);
}

} // namespace het::host
