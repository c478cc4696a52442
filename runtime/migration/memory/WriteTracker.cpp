// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages are protected against writing by userfaultfd, whose faults the system resolves
// by itself (asynchronous mode): a page that is not protected was written. The scan of
// /proc/thread-self/pagemap lists these and protects them again in one step.

#include "migration/memory/WriteTracker.h"

#include <array>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace het::core {
namespace {

// The system's headers may be older than the system.
constexpr uint64_t asynchronousProtection = uint64_t(1) << 15; // UFFD_FEATURE_WP_ASYNC
constexpr int userModeOnly = 1;                                // UFFD_USER_MODE_ONLY

/// struct page_region
struct Region {
  uint64_t start, end, categories;
};

/// struct pm_scan_arg
struct Scan {
  uint64_t size, flags, start, end, walkEnd, regions, regionCount, mostPages;
  uint64_t inverted, all, any, wanted;
};
constexpr unsigned long scanRequest = _IOWR('f', 16, Scan); // PAGEMAP_SCAN

enum Flag : uint64_t { ProtectFound = 1, FailUnlessWatched = 2 };
enum Category : uint64_t { Written = 1 << 1, Present = 1 << 3, Swapped = 1 << 4 };

} // namespace

std::optional<std::vector<MappedRange>> WriteTracker::scan(MappedRange range,
                                                           uint64_t flags, uint64_t all) {
  if (pagemap.get() < 0)
    pagemap = KeptDescriptor(
        Descriptor(::open("/proc/thread-self/pagemap", O_RDONLY | O_CLOEXEC)));
  std::vector<MappedRange> found;
  std::array<Region, 512> regions;
  Scan request = {};
  request.size = sizeof(request);
  request.flags = flags;
  request.start = range.address;
  request.end = range.address + range.size;
  request.regions = reinterpret_cast<uint64_t>(regions.data());
  request.regionCount = regions.size();
  request.all = all;
  request.any = Present | Swapped;
  request.wanted = Present | Swapped;
  while (request.start < request.end) {
    const int count = ::ioctl(pagemap.get(), scanRequest, &request);
    if (count < 0)
      return std::nullopt;
    for (int i = 0; i < count; ++i)
      found.push_back({regions[i].start, regions[i].end - regions[i].start});
    request.start = request.walkEnd;
  }
  return found;
}

std::optional<std::vector<MappedRange>> WriteTracker::present(MappedRange range) {
  return scan(range, 0, 0);
}

std::optional<std::vector<MappedRange>> WriteTracker::written(MappedRange range) {
  if (faults.get() < 0)
    return std::nullopt;
  return scan(range, ProtectFound | FailUnlessWatched, Written);
}

bool WriteTracker::start(const std::vector<MappedRange> &ranges) {
  stop();
  faults = KeptDescriptor(Descriptor(static_cast<int>(
      ::syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | userModeOnly))));
  if (faults.get() < 0)
    return false;
  uffdio_api version = {};
  version.api = UFFD_API;
  version.features = asynchronousProtection;
  bool works = ::ioctl(faults.get(), UFFDIO_API, &version) == 0;
  for (MappedRange range : ranges) {
    uffdio_register wanted = {};
    wanted.range = {range.address, range.size};
    wanted.mode = UFFDIO_REGISTER_MODE_WP;
    works = works && ::ioctl(faults.get(), UFFDIO_REGISTER, &wanted) == 0;
  }
  if (!works)
    stop();
  return works;
}

/// Closing it ends all protection.
void WriteTracker::stop() {
  faults.close();
  pagemap.close();
}

} // namespace het::core
