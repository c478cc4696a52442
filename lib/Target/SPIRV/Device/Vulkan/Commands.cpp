// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A command buffer that is recorded for each launch, and waited for.

#include "VulkanDoor.h"

#include <algorithm>

namespace het::spirv {

VkResult VulkanCommands::open() {
  const Vulkan &vulkan = door.vulkan;
  VkCommandPoolCreateInfo pools = {};
  pools.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pools.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pools.queueFamilyIndex = door.gpu.queueFamily;
  if (VkResult result = vulkan.vkCreateCommandPool(door.device, &pools, nullptr, &pool))
    return result;
  VkCommandBufferAllocateInfo buffers = {};
  buffers.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  buffers.commandPool = pool;
  buffers.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  buffers.commandBufferCount = 1;
  if (VkResult result = vulkan.vkAllocateCommandBuffers(door.device, &buffers, &buffer))
    return result;
  VkFenceCreateInfo fences = {};
  fences.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  return vulkan.vkCreateFence(door.device, &fences, nullptr, &fence);
}

VulkanCommands::~VulkanCommands() {
  door.vulkan.vkDestroyFence(door.device, fence, nullptr);
  door.vulkan.vkDestroyCommandPool(door.device, pool, nullptr);
}

/// As many groups at a time as the device takes.
void VulkanCommands::dispatch(HetVulkanPushed &pushed, const Items &items) {
  const uint32_t *most = door.gpu.properties.properties.limits.maxComputeWorkGroupCount;
  uint32_t *first = pushed.firstGroup, count[3];
  for (first[2] = 0; first[2] < items.groups[2]; first[2] += count[2]) {
    count[2] = std::min(most[2], items.groups[2] - first[2]);
    for (first[1] = 0; first[1] < items.groups[1]; first[1] += count[1]) {
      count[1] = std::min(most[1], items.groups[1] - first[1]);
      for (first[0] = 0; first[0] < items.groups[0]; first[0] += count[0]) {
        count[0] = std::min(most[0], items.groups[0] - first[0]);
        door.vulkan.vkCmdPushConstants(buffer, door.layout, VK_SHADER_STAGE_COMPUTE_BIT,
                                       0, sizeof(pushed), &pushed);
        door.vulkan.vkCmdDispatch(buffer, count[0], count[1], count[2]);
      }
    }
  }
}

VkResult VulkanCommands::record(VulkanCode &code, const void *launch, size_t sharedBytes,
                                const Items &items) {
  const Vulkan &vulkan = door.vulkan;
  VkPipeline pipeline = VK_NULL_HANDLE;
  if (VkResult result = code.findPipeline(items.group, sharedBytes, pipeline))
    return result;
  VkCommandBufferBeginInfo begin = {};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  if (VkResult result = vulkan.vkBeginCommandBuffer(buffer, &begin))
    return result;
  vulkan.vkCmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  HetVulkanPushed pushed = {};
  pushed.launch = reinterpret_cast<uint64_t>(launch);
  pushed.constants = reinterpret_cast<uint64_t>(code.constants.get());
  dispatch(pushed, items);
  // The host reads what kernels have written.
  VkMemoryBarrier barrier = {};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT;
  vulkan.vkCmdPipelineBarrier(buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                              VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr, 0,
                              nullptr);
  return vulkan.vkEndCommandBuffer(buffer);
}

VkResult VulkanCommands::submit() {
  const Vulkan &vulkan = door.vulkan;
  if (VkResult result = vulkan.vkResetFences(door.device, 1, &fence))
    return result;
  VkSubmitInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &buffer;
  {
    std::lock_guard<std::mutex> lock(door.submitting);
    if (VkResult result = vulkan.vkQueueSubmit(door.queue, 1, &info, fence))
      return result;
  }
  return vulkan.vkWaitForFences(door.device, 1, &fence, VK_TRUE, UINT64_MAX);
}

std::string VulkanCommands::run(Code &code, const void *launch, size_t sharedBytes,
                                const Items &items) {
  VkResult result = record(static_cast<VulkanCode &>(code), launch, sharedBytes, items);
  if (result == VK_SUCCESS)
    result = submit();
  return door.failed(result) ? "Vulkan: " + resultText(result) : "";
}

} // namespace het::spirv
