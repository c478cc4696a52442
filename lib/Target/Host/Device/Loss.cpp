// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loses the first device that launched when a file appears, for tests (HET_HOST_LOSE).

#include "Loss.h"
#include "het/Base/Environment.h"
#include "het/Base/Thread.h"

#include <chrono>
#include <thread>
#include <unistd.h>

namespace het::host {

namespace {

struct Loss {
  std::once_flag begun;
  std::mutex mutex; ///< Guards what follows.
  HetDevice *device = nullptr;
};

Loss &loss() {
  static Loss *one = new Loss; // used until the process ends
  return *one;
}

} // namespace

static void lose(const std::string &path) {
  while (access(path.c_str(), F_OK))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::lock_guard<std::mutex> lock(loss().mutex);
  HetDevice *device = loss().device;
  if (!device)
    return;
  device->fail(HET_FAULT_LOST, "as HET_HOST_LOSE asks for");
  device->parking = 1; // its blocks stop
}

void noteLaunch(HetDevice &device) {
  static const std::optional<std::string> file = environment::text(Variable::HostLose);
  if (!file)
    return;
  std::call_once(loss().begun, [&] {
    loss().device = &device;
    if (Result<std::thread> waiter = startThread([] { lose(*file); }); waiter.ok())
      waiter->detach();
  });
}

void noteClosing(HetDevice &device) {
  std::lock_guard<std::mutex> lock(loss().mutex);
  if (loss().device == &device)
    loss().device = nullptr;
}

} // namespace het::host
