// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects a thread's calls, and carries them out.

#include "Group.h"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <thread>

namespace het::nccl {
namespace {

struct Group {
  int depth = 0;
  ncclResult_t failure = ncclSuccess;
  std::vector<Job> jobs;
  std::vector<Call> calls;
};
thread_local Group group;

/// Carries a job out on whichever thread; the communicator is gone if that fails, unless
/// the program waits for it by ncclCommGetAsyncError.
ncclResult_t carryOut(const Job &job, bool isBlocking) {
  const Outcome outcome = job.work();
  if (outcome.ok() || !job.comm)
    return report(outcome);
  if (!isBlocking) {
    job.comm->fail(outcome);
    if (!job.comm->settle(ncclComm::State::Failed))
      delete job.comm;
    return report(outcome);
  }
  *job.place = nullptr;
  // Another thread may abort it meanwhile: one of the two deletes it.
  if (!job.comm->settle(ncclComm::State::Failed) || removeLive(job.comm))
    delete job.comm;
  return report(outcome);
}

/// A thread of its own for each job, for they wait for each other.
ncclResult_t carryOut(const std::vector<Job> &jobs) {
  const auto isWaitedFor = [](const Job &job) {
    return !job.comm || job.comm->isBlocking;
  };
  std::vector<std::thread> threads;
  std::vector<ncclResult_t> results(jobs.size(), ncclSuccess);
  ncclResult_t result = ncclSuccess;
  for (size_t i = 0; i < jobs.size(); ++i) {
    const Job &job = jobs[i];
    try {
      if (!isWaitedFor(job)) {
        std::thread([job] { (void)carryOut(job, false); }).detach();
        result = ncclInProgress;
      } else if (jobs.size() == 1) {
        results[i] = carryOut(job, true);
      } else {
        threads.emplace_back([&results, job, i] { results[i] = carryOut(job, true); });
      }
    } catch (const std::system_error &error) {
      results[i] = report({ncclSystemError, std::string("a thread: ") + error.what()});
      if (job.comm)
        job.comm->isAborted = true;
    }
  }
  for (std::thread &thread : threads)
    thread.join();
  for (ncclResult_t one : results)
    result = one != ncclSuccess ? one : result;
  return result;
}

ncclResult_t carryOut(const std::vector<Call> &calls) {
  std::vector<ncclComm_t> comms;
  for (const Call &call : calls)
    if (std::find(comms.begin(), comms.end(), call.comm) == comms.end())
      comms.push_back(call.comm);
  ncclResult_t result = ncclSuccess;
  std::vector<Call> vendors;
  std::copy_if(calls.begin(), calls.end(), std::back_inserter(vendors),
               [](const Call &call) { return call.comm->vendor != nullptr; });
  if (!vendors.empty())
    if (const Outcome outcome = enqueueByVendor(vendors); !outcome.ok()) {
      for (const Call &call : vendors)
        call.comm->fail(outcome); // the others do not wait for it
      result = report(outcome);
    }
  for (ncclComm_t comm : comms) {
    if (comm->vendor)
      continue;
    std::vector<Call> own;
    for (const Call &call : calls)
      if (call.comm == comm)
        own.push_back(call);
    const Outcome outcome = enqueue(*comm, own);
    if (!outcome.ok()) {
      comm->fail(outcome); // the others do not wait for it
      result = report(outcome);
    }
  }
  return result;
}

} // namespace

ncclResult_t give(Job job) {
  if (group.depth) {
    group.jobs.push_back(std::move(job));
    return ncclSuccess;
  }
  return carryOut(std::vector<Job>{std::move(job)});
}

ncclResult_t give(const std::vector<Call> &calls) {
  if (!group.depth)
    return carryOut(calls);
  group.calls.insert(group.calls.end(), calls.begin(), calls.end());
  return ncclSuccess;
}

ncclResult_t refuseInGroup(const Outcome &outcome) {
  const ncclResult_t code = report(outcome);
  if (group.depth && code != ncclSuccess && group.failure == ncclSuccess)
    group.failure = code;
  return code;
}

/// Takes the calls of the outermost group, which ends. False: there is none, or an inner
/// one has ended.
static bool endGroup(Group &ended, ncclResult_t &result) {
  result = ncclSuccess;
  if (!group.depth) {
    result = report({ncclInvalidUsage, "ncclGroupEnd: found no group that has begun"});
    return false;
  }
  if (--group.depth)
    return false;
  ended = std::exchange(group, Group());
  result = ended.failure;
  return true;
}

} // namespace het::nccl

using namespace het::nccl;

ncclResult_t ncclGroupStart() {
  ++group.depth;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  Group ended;
  ncclResult_t result;
  if (!endGroup(ended, result))
    return result;
  if (result != ncclSuccess) {
    for (const Job &job : ended.jobs)
      if (job.comm) {
        *job.place = nullptr;
        removeLive(job.comm);
        delete job.comm;
      }
    return result;
  }
  const ncclResult_t made = carryOut(ended.jobs);
  if (made != ncclSuccess && made != ncclInProgress)
    return made;
  const ncclResult_t called = carryOut(ended.calls);
  return called != ncclSuccess ? called : made;
}

/// Ends a group without its calls.
static const char *dropGroup() {
  Group ended;
  ncclResult_t result;
  endGroup(ended, result);
  return "there is no model of how long operations take";
}

ncclResult_t ncclGroupSimulateEnd(ncclSimInfo_t *) {
  return refuse(__func__, dropGroup());
}
