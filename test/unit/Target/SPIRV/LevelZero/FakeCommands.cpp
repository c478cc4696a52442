// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake's immediate command lists.

#include "FakeState.h"

#include <algorithm>
#include <cstring>

namespace {

/// The list, where nothing speaks against a command of this kind.
CommandList *commandsOf(ze_command_list_handle_t handle, uint32_t kind,
                        ze_event_handle_t signal, uint32_t waitCount) {
  auto *list = alive<CommandList>(handle, "command list");
  expect(!list || fake.queueGroups[list->group] & kind,
         "a command that the queue does not take");
  expect(!signal && !waitCount, "events that are not there");
  return list;
}

std::string describe(const Kernel &kernel, uint64_t groups, uint64_t group) {
  return kernel.module->program->name() + " " + std::to_string(groups) + "/" +
         std::to_string(group) + " " + std::to_string(kernel.localBytes);
}

} // namespace

FAKE zeCommandListCreateImmediate(ze_context_handle_t context, ze_device_handle_t device,
                                  const ze_command_queue_desc_t *desc,
                                  ze_command_list_handle_t *out) {
  Call call("zeCommandListCreateImmediate");
  isAlive(context, "context");
  checkDevice(device);
  if (!isLegal(desc) ||
      !expect(desc->ordinal < fake.queueGroups.size() && desc->index == 0 &&
                  desc->mode <= 2 && desc->priority <= 2,
              "a queue that is not there"))
    return InvalidArgument;
  expect(desc->flags & ZE_COMMAND_QUEUE_FLAG_IN_ORDER, "a list without order");
  if (call.result)
    return call.result;
  auto *list = make<CommandList>("command list", context);
  list->group = desc->ordinal;
  *out = reinterpret_cast<ze_command_list_handle_t>(list);
  return ZE_RESULT_SUCCESS;
}

FAKE zeCommandListDestroy(ze_command_list_handle_t handle) {
  Call call("zeCommandListDestroy");
  if (auto *list = alive<CommandList>(handle, "command list"))
    expect(list->waiting.empty(), "a list is destroyed before its commands have run");
  destroy<CommandList>(handle, "command list");
  return call.result;
}

FAKE zeCommandListHostSynchronize(ze_command_list_handle_t handle, uint64_t timeout) {
  Call call("zeCommandListHostSynchronize");
  expect(timeout == UINT64_MAX, "a wait that may end early");
  auto *list = alive<CommandList>(handle, "command list");
  if (!list)
    return call.result;
  auto waiting = std::move(list->waiting);
  list->waiting.clear();
  for (const auto &command : waiting)
    command(call.result == ZE_RESULT_SUCCESS);
  return call.result;
}

FAKE zeCommandListAppendLaunchKernel(ze_command_list_handle_t handle,
                                     ze_kernel_handle_t kernelHandle,
                                     const ze_group_count_t *groups,
                                     ze_event_handle_t signal, uint32_t waitCount,
                                     ze_event_handle_t *) {
  Call call("zeCommandListAppendLaunchKernel");
  auto *list = commandsOf(handle, 1, signal, waitCount);
  auto *kernel = alive<Kernel>(kernelHandle, "kernel");
  if (call.result || !list || !kernel)
    return call.result;
  const void *context = contextOf(handle);
  expect(contextOf(kernelHandle) == context, "a kernel of another context");
  expect(kernel->group[0] && kernel->record, "a kernel that is not set up");
  expect(kernel->access == 7, "a kernel that may not follow pointers");
  const uint64_t count =
      uint64_t(groups->groupCountX) * groups->groupCountY * groups->groupCountZ;
  const uint64_t group = uint64_t(kernel->group[0]) * kernel->group[1] * kernel->group[2];
  expect(count, "a launch of no groups");
  fake.launches.push_back(describe(*kernel, count, group));
  FakeWork work = {kernel->record, kernel->localBytes, {}, {}, context};
  const uint32_t counts[] = {groups->groupCountX, groups->groupCountY,
                             groups->groupCountZ};
  std::copy_n(counts, 3, work.groups);
  std::copy_n(kernel->group, 3, work.group);
  ++kernel->waiting;
  list->waiting.push_back([=](bool isCarriedOut) {
    --kernel->waiting;
    if (isCarriedOut)
      kernel->module->program->run(work);
  });
  return ZE_RESULT_SUCCESS;
}

FAKE zeCommandListAppendMemoryCopy(ze_command_list_handle_t handle, void *to,
                                   const void *from, size_t size,
                                   ze_event_handle_t signal, uint32_t waitCount,
                                   ze_event_handle_t *) {
  Call call("zeCommandListAppendMemoryCopy");
  auto *list = commandsOf(handle, 2, signal, waitCount);
  expect(to && from && size, "a copy of nothing");
  if (call.result || !list)
    return call.result;
  list->waiting.push_back([=, context = contextOf(handle)](bool isCarriedOut) {
    if (isCarriedOut)
      copyBytes(context, reinterpret_cast<uint64_t>(to), reinterpret_cast<uint64_t>(from),
                size);
  });
  return ZE_RESULT_SUCCESS;
}

FAKE zeCommandListAppendMemoryFill(ze_command_list_handle_t handle, void *to,
                                   const void *pattern, size_t patternSize, size_t size,
                                   ze_event_handle_t signal, uint32_t waitCount,
                                   ze_event_handle_t *) {
  Call call("zeCommandListAppendMemoryFill");
  auto *list = commandsOf(handle, 2, signal, waitCount);
  const bool isLegal = pattern && patternSize && patternSize <= 16 &&
                       (patternSize & (patternSize - 1)) == 0 && size &&
                       size % patternSize == 0 &&
                       reinterpret_cast<uint64_t>(to) % patternSize == 0;
  expect(isLegal, "a fill of an illegal size or place");
  if (call.result || !list || !isLegal)
    return call.result;
  std::string bytes(static_cast<const char *>(pattern), patternSize);
  list->waiting.push_back([=, view = viewOf(contextOf(handle))](bool isCarriedOut) {
    uint8_t *memory = isCarriedOut ? view(reinterpret_cast<uint64_t>(to), size) : nullptr;
    for (size_t at = 0; memory && at < size; at += patternSize)
      std::memcpy(memory + at, bytes.data(), patternSize);
  });
  return ZE_RESULT_SUCCESS;
}
