// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks through what kernels have launched. When a grid has ended, its records are put
// onto the stack so that the first one made is on top, and tail launches are below all
// others. Each is taken from the top and carried out; what it launches comes above the
// rest. So a grid is done with all that came of it before the next one begins.
//
// A checkpoint may be made at any time, and has the device's memory and the launches that
// are under way. So what is launched leaves the stack on the device together with that:
// both are in the queue before it comes to them. Copies and fills may be done twice, and
// leave it with what comes next.

#include "core/LaunchTree.h"
#include "core/Device.h"
#include "core/DeviceLaunches.h"
#include "core/DeviceWork.h"
#include "core/Executor.h"
#include "core/Module.h"

#include <algorithm>
#include <cstddef>
#include <future>
#include <tuple>

namespace het::core {

/// What lies in front of the errors.
static constexpr size_t headBytes = offsetof(HetLaunches, errors);

bool LaunchTree::hasFault() const { return device.faultKind() != HET_FAULT_NONE; }

Status LaunchTree::copy(void *to, const void *from, size_t size) {
  return queue.add(DeviceWork::copy(to, from, size));
}

Status LaunchTree::readHead() {
  Status status = copy(&state, variable, headBytes);
  queue.synchronize();
  return status;
}

/// For the next grid, which has the stack below its launches and has made no mistakes
/// yet. Does not wait.
Status LaunchTree::writeHead() {
  isAhead = false;
  const bool hasErrors = state.errorCount;
  state.sorted = state.used = isOnDevice ? static_cast<uint32_t>(stack.size()) : 0;
  state.errorCount = state.otherError = 0;
  Status status = copy(variable, &state, headBytes);
  if (status.ok() && hasErrors)
    status = queue.add(
        DeviceWork::fill(variable + headBytes, 0, 1, sizeof(HetLaunches::errors)));
  return status;
}

Status LaunchTree::run(Kernel &kernel, const LaunchShape &shape, const void *arguments,
                       size_t argumentBytes) {
  if (Status status = readHead(); !status.ok())
    return status;
  state.graph = 0;
  if (Status status = runGrid(kernel, shape, arguments, argumentBytes); !status.ok())
    return status;
  return walk();
}

Status LaunchTree::run(uint64_t graph, const DeviceGraphWork &work) {
  if (Status status = readHead(); !status.ok())
    return status;
  isOnDevice = false;
  expand(graph, work);
  return walk();
}

Status LaunchTree::resume(std::vector<Module *> modules) {
  resumed = std::move(modules);
  if (Status status = readHead(); !status.ok())
    return status;
  const uint32_t used = std::min(state.used, state.limit);
  const uint32_t sorted = std::min(state.sorted, used);
  state.sorted = 0;
  state.used = sorted;
  if (Status status = read(stack); !status.ok())
    return status;
  state.sorted = sorted;
  state.used = used;
  if (Status status = collect(nullptr); !status.ok())
    return status;
  return walk();
}

namespace {

/// Holds a queue up where its work may be taken away to another device, so that what is
/// put in meanwhile is taken as one.
class Together {
public:
  Together(Device &device, Queue &queue) {
    if (!device.executor().keepsMemory())
      status = queue.call([until = ended.get_future().share()] { until.wait(); });
  }
  ~Together() { ended.set_value(); }
  Together(const Together &) = delete;
  Together &operator=(const Together &) = delete;
  Status status;

private:
  std::promise<void> ended;
};

} // namespace

Status LaunchTree::runGrid(Kernel &kernel, const LaunchShape &shape,
                           const void *arguments, size_t argumentBytes) {
  {
    Together together(device, queue);
    Status status = std::move(together.status);
    if (status.ok())
      status = writeHead();
    if (status.ok())
      status = queue.launch(kernel, shape, arguments, argumentBytes);
    if (!status.ok())
      return status;
  }
  queue.synchronize();
  if (!kernel.mayLaunch() || hasFault())
    return Status::success();
  if (Status status = readHead(); !status.ok())
    return status;
  return collect(&kernel.owningModule());
}

Status LaunchTree::walk() {
  while (!stack.empty() && !hasFault()) {
    const LaunchWork next = std::move(stack.back());
    stack.pop_back();
    isAhead = true;
    if (Status status = carryOut(next); !status.ok())
      return status;
  }
  Status status = isAhead ? writeHead() : Status::success();
  queue.synchronize();
  return status;
}

/// Puts what the grid has made onto the stack. `module`: the grid's kernel's.
Status LaunchTree::collect(Module *module) {
  state.used = std::min(state.used, state.limit);
  if (state.used <= state.sorted)
    return Status::success();
  std::vector<LaunchWork> made;
  if (Status status = read(made); !status.ok())
    return status;
  // Those that come first are last; records without work are behind all.
  auto rank = [](const LaunchWork &one) {
    return std::make_tuple(one.record.kind == HET_RECORD_NONE, one.record.tail == 0,
                           ~one.record.order);
  };
  std::stable_sort(
      made.begin(), made.end(),
      [&](const LaunchWork &a, const LaunchWork &b) { return rank(a) < rank(b); });
  if (isOnDevice && made.size() > 1)
    if (Status status = write(made); !status.ok())
      return status;
  std::vector<LaunchWork> tails;
  for (LaunchWork &one : made) {
    one.module = module;
    one.record.graph = state.graph;
    if (one.record.kind == HET_RECORD_GRAPH && one.record.tail)
      tails.push_back(std::move(one));
    else if (one.record.kind != HET_RECORD_NONE)
      stack.push_back(std::move(one));
  }
  for (auto tail = tails.rbegin(); tail != tails.rend(); ++tail)
    pushTail(std::move(*tail));
  return Status::success();
}

/// Behind the running graph, and behind what it has launched so before.
void LaunchTree::pushTail(LaunchWork work) {
  auto end = std::find_if(stack.rbegin(), stack.rend(), [](const LaunchWork &one) {
    return one.record.kind == HET_RECORD_END;
  });
  stack.insert(end.base(), std::move(work));
}

/// Of the device's records from `sorted` to `used`.
Status LaunchTree::read(std::vector<LaunchWork> &made) {
  const size_t count = state.used - state.sorted;
  std::vector<HetLaunchRecord> records(count);
  if (count)
    if (Status status = copy(records.data(),
                             reinterpret_cast<const void *>(
                                 state.records + state.sorted * sizeof(HetLaunchRecord)),
                             count * sizeof(HetLaunchRecord));
        !status.ok())
      return status;
  queue.synchronize();
  made.resize(count);
  Status status;
  for (size_t i = 0; i < count && status.ok(); ++i) {
    made[i].record = records[i];
    const uint32_t bytes = records[i].argumentBytes;
    if (records[i].kind == HET_RECORD_NONE || bytes <= HET_RECORD_ARGUMENTS)
      continue;
    made[i].large.resize(std::min<uint32_t>(bytes, HET_MOST_ARGUMENTS));
    const uint64_t place = state.large + (state.sorted + i) * HET_MOST_ARGUMENTS;
    status = copy(made[i].large.data(), reinterpret_cast<const void *>(place),
                  made[i].large.size());
  }
  queue.synchronize();
  return status;
}

/// Puts them back where they were, in their new order.
Status LaunchTree::write(const std::vector<LaunchWork> &made) {
  std::vector<HetLaunchRecord> records;
  Status status;
  for (size_t i = 0; i < made.size() && status.ok(); ++i) {
    records.push_back(made[i].record);
    const uint64_t place = state.large + (state.sorted + i) * HET_MOST_ARGUMENTS;
    if (!made[i].large.empty())
      status = copy(reinterpret_cast<void *>(place), made[i].large.data(),
                    made[i].large.size());
  }
  if (status.ok())
    status = copy(
        reinterpret_cast<void *>(state.records + state.sorted * sizeof(HetLaunchRecord)),
        records.data(), records.size() * sizeof(HetLaunchRecord));
  queue.synchronize();
  return status;
}

Status LaunchTree::carryOut(const LaunchWork &work) {
  switch (work.record.kind) {
  case HET_RECORD_LAUNCH:
    return launch(work);
  case HET_RECORD_COPY:
  case HET_RECORD_FILL:
    return move(work);
  case HET_RECORD_GRAPH:
    return launchGraph(work.record.kernel);
  case HET_RECORD_END:
    return Status::success();
  default:
    return invalid(foundExpected(
        "a launch by a kernel", "a record of kind " + std::to_string(work.record.kind),
        "a launch, copy or fill", "the kernel has written over its launches"));
  }
}

/// Puts a graph's work onto the stack, and its end below that.
void LaunchTree::expand(uint64_t graph, const DeviceGraphWork &work) {
  LaunchWork end;
  end.record.kind = HET_RECORD_END;
  stack.push_back(std::move(end));
  for (auto one = work.rbegin(); one != work.rend(); ++one) {
    stack.push_back(*one);
    stack.back().record.graph = graph;
  }
}

Status LaunchTree::launchGraph(uint64_t graph) {
  const std::shared_ptr<const DeviceGraphWork> work = device.launches().graph(graph);
  if (!work)
    return invalid(foundExpected("a graph launched by a kernel", "one that is not there",
                                 "one made with cudaGraphInstantiateFlagDeviceLaunch "
                                 "and not destroyed",
                                 "keep it until all launches are done"));
  expand(graph, *work);
  return Status::success();
}

Result<std::shared_ptr<Kernel>> LaunchTree::kernelOf(const LaunchWork &work) {
  if (work.kernel)
    return work.kernel;
  if (work.module)
    return work.module->kernelOfNumber(work.record.kernel);
  Result<std::shared_ptr<Kernel>> found = unavailable("no package is open");
  for (Module *module : resumed)
    if (found = module->kernelOfNumber(work.record.kernel); found.ok())
      break;
  return found;
}

Status LaunchTree::launch(const LaunchWork &work) {
  const HetLaunchRecord &record = work.record;
  Result<std::shared_ptr<Kernel>> kernel = kernelOf(work);
  if (!kernel.ok())
    return kernel.status();
  Kernel &child = **kernel;
  if (record.argumentBytes < child.argumentBytes())
    return invalid(
        foundExpected("kernel '" + child.info().displayName + "', launched by a kernel",
                      std::to_string(record.argumentBytes) + " bytes of arguments",
                      std::to_string(child.argumentBytes()),
                      "compile both kernels with one declaration"));
  if (Status status = child.prepare(); !status.ok())
    return status;
  state.graph = record.graph;
  LaunchShape shape;
  std::copy_n(record.grid, 3, shape.grid);
  std::copy_n(record.block, 3, shape.block);
  shape.dynamicSharedBytes = record.dynamicSharedBytes;
  if (child.info().usesClusters())
    return unsupported("kernel '" + child.info().displayName +
                       "', launched by a kernel: its blocks are in clusters; launch it "
                       "from the host");
  const uint32_t bound = child.info().maxThreadsPerBlock;
  const uint64_t threads = uint64_t(record.block[0]) * record.block[1] * record.block[2];
  if (bound && threads > bound)
    return invalid(
        foundExpected("kernel '" + child.info().displayName + "', launched by a kernel",
                      std::to_string(threads) + " threads in a block",
                      "at most " + std::to_string(bound) + " (__launch_bounds__)",
                      "launch it with smaller blocks"));
  return runGrid(child, shape, work.arguments(), child.argumentBytes());
}

Status LaunchTree::move(const LaunchWork &work) {
  HetCopyRecord move;
  std::copy_n(work.record.arguments, sizeof(move), reinterpret_cast<uint8_t *>(&move));
  Status status;
  for (uint64_t plane = 0; plane < move.depth && status.ok(); ++plane) {
    char *to = reinterpret_cast<char *>(move.to + plane * move.toSlice);
    const char *from = reinterpret_cast<char *>(move.from + plane * move.fromSlice);
    if (work.record.kind == HET_RECORD_COPY)
      status = queue.add(
          move.height == 1 ? DeviceWork::copy(to, from, move.width)
                           : DeviceWork::copyRows(to, move.toPitch, from, move.fromPitch,
                                                  move.width, move.height));
    else
      for (uint64_t row = 0; row < move.height && status.ok(); ++row)
        status = queue.add(DeviceWork::fill(to + row * move.toPitch, move.value,
                                            move.elementBytes,
                                            move.width * move.elementBytes));
  }
  queue.synchronize();
  return status;
}

} // namespace het::core
