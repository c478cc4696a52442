// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hands ranges to the trace as they end.

#include "Ranges.h"

#include "cuda/ToolInterface.h"

#include <chrono>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace het::nvtx {

namespace {

using core::Trace;

struct Open {
  nvtxDomainHandle_t domain;
  Described event;
  int64_t begin;
  unsigned thread;
};

int64_t now() {
  return Trace::Clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

unsigned thread() {
  static thread_local const auto number = static_cast<unsigned>(syscall(SYS_gettid));
  return number;
}

std::vector<Open> &own() {
  static thread_local std::vector<Open> ranges;
  return ranges;
}

struct Process {
  std::mutex mutex;
  std::map<nvtxRangeId_t, Open> ranges;
  nvtxRangeId_t latest = 0;
};
/// Never destroyed: ranges may end in the program's own destructors.
Process &process() {
  static auto &ranges = *new Process;
  return ranges;
}

void close(const Open &range, Trace::Kind kind) {
  hetToolInterface()->addSpan(kind, range.thread, range.event.name.c_str(), range.begin,
                              now(), range.event.arguments.c_str());
}

int countOf(nvtxDomainHandle_t domain) {
  int count = 0;
  for (const Open &range : own())
    count += range.domain == domain;
  return count;
}

} // namespace

nvtxDomainRegistration_st &globalDomain() {
  static auto &domain = *new nvtxDomainRegistration_st;
  return domain;
}

int push(nvtxDomainHandle_t domain, Described event) {
  const int around = countOf(domain);
  own().push_back({domain, std::move(event), now(), thread()});
  return around;
}

int pop(nvtxDomainHandle_t domain) {
  std::vector<Open> &ranges = own();
  for (size_t at = ranges.size(); at-- > 0;) {
    if (ranges[at].domain != domain)
      continue;
    // Ranges of two domains need not be one in the other.
    close(ranges[at],
          at + 1 == ranges.size() ? Trace::Kind::Nested : Trace::Kind::Overlapping);
    ranges.erase(ranges.begin() + static_cast<std::ptrdiff_t>(at));
    return countOf(domain);
  }
  return NVTX_NO_PUSH_POP_TRACKING;
}

nvtxRangeId_t start(Described event) {
  Process &all = process();
  std::lock_guard lock(all.mutex);
  all.ranges.emplace(++all.latest, Open{nullptr, std::move(event), now(), thread()});
  return all.latest;
}

void end(nvtxRangeId_t id) {
  Process &all = process();
  std::lock_guard lock(all.mutex);
  auto found = all.ranges.find(id);
  if (found == all.ranges.end())
    return;
  close(found->second, Trace::Kind::Overlapping);
  all.ranges.erase(found);
}

void mark(const Described &event) {
  close({nullptr, event, now(), thread()}, Trace::Kind::Instant);
}

} // namespace het::nvtx
