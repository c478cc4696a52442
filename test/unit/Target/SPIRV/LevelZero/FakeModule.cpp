// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake's modules and kernels.

#include "FakeState.h"
#include "SPIRV/SPIRVArtifact.h"

#include <algorithm>
#include <cstring>

namespace {

const std::string nativePrefix = "native ";

/// Gives bytes by their size, then themselves.
template <class Byte>
ze_result_t giveBytes(const std::string &bytes, size_t *size, Byte *out) {
  if (out && expect(*size >= bytes.size(), "less room than was said"))
    std::memcpy(out, bytes.data(), bytes.size());
  *size = bytes.size();
  return ZE_RESULT_SUCCESS;
}

} // namespace

FAKE zeModuleCreate(ze_context_handle_t context, ze_device_handle_t device,
                    const ze_module_desc_t *desc, ze_module_handle_t *out,
                    ze_module_build_log_handle_t *log) {
  Call call("zeModuleCreate");
  isAlive(context, "context");
  checkDevice(device);
  if (!isLegal(desc) ||
      !expect(desc->inputSize && desc->pInputModule && desc->format <= 1,
              "a module of nothing"))
    return InvalidArgument;
  ze_result_t result = call.result;
  std::string code(reinterpret_cast<const char *>(desc->pInputModule), desc->inputSize);
  const bool isNative = desc->format == ZE_MODULE_FORMAT_NATIVE;
  if (isNative) {
    if (!result && code.rfind(nativePrefix, 0) != 0)
      return InvalidNativeBinary;
    code = code.substr(nativePrefix.size());
  }
  std::string said;
  std::shared_ptr<FakeProgram> program;
  if (!result && !(program = buildProgram(code, isNative, said)))
    result = BuildFailure;
  if (log && (!result || result == BuildFailure)) {
    auto *text = make<std::string>("build log", context);
    *text = said;
    *log = reinterpret_cast<ze_module_build_log_handle_t>(text);
  }
  if (result)
    return result;
  auto *module = make<Module>("module", context);
  module->program = program;
  *out = reinterpret_cast<ze_module_handle_t>(module);
  return ZE_RESULT_SUCCESS;
}

FAKE zeModuleDestroy(ze_module_handle_t handle) {
  Call call("zeModuleDestroy");
  if (auto *module = alive<Module>(handle, "module"))
    expect(!module->kernels, "a module is destroyed before its kernels");
  destroy<Module>(handle, "module");
  return call.result;
}

FAKE zeModuleBuildLogGetString(ze_module_build_log_handle_t log, size_t *size,
                               char *out) {
  Call call("zeModuleBuildLogGetString");
  auto *text = alive<std::string>(log, "build log");
  if (call.result || !text)
    return call.result;
  return giveBytes(std::string(text->c_str(), text->size() + 1), size, out);
}

FAKE zeModuleBuildLogDestroy(ze_module_build_log_handle_t log) {
  Call call("zeModuleBuildLogDestroy");
  destroy<std::string>(log, "build log");
  return call.result;
}

FAKE zeModuleGetNativeBinary(ze_module_handle_t handle, size_t *size, uint8_t *out) {
  Call call("zeModuleGetNativeBinary");
  auto *module = alive<Module>(handle, "module");
  if (call.result || !module)
    return call.result;
  const std::string native = module->program->native();
  return giveBytes(native.empty() ? "" : nativePrefix + native, size, out);
}

FAKE zeKernelCreate(ze_module_handle_t handle, const ze_kernel_desc_t *desc,
                    ze_kernel_handle_t *out) {
  Call call("zeKernelCreate");
  auto *module = alive<Module>(handle, "module");
  if (!isLegal(desc) || !module || call.result)
    return call.result;
  if (std::string(desc->pKernelName) != HET_SPIRV_ENTRY)
    return InvalidKernelName;
  auto *kernel = make<Kernel>("kernel", contextOf(handle));
  kernel->module = module;
  ++module->kernels;
  *out = reinterpret_cast<ze_kernel_handle_t>(kernel);
  return ZE_RESULT_SUCCESS;
}

FAKE zeKernelDestroy(ze_kernel_handle_t handle) {
  Call call("zeKernelDestroy");
  if (auto *kernel = alive<Kernel>(handle, "kernel")) {
    expect(!kernel->waiting, "a kernel is destroyed before it has run");
    --kernel->module->kernels;
  }
  destroy<Kernel>(handle, "kernel");
  return call.result;
}

FAKE zeKernelGetProperties(ze_kernel_handle_t handle, ze_kernel_properties_t *out) {
  Call call("zeKernelGetProperties");
  auto *kernel = alive<Kernel>(handle, "kernel");
  if (!isLegal(out, true) || !kernel || call.result)
    return call.result;
  out->privateMemSize = 48;
  if (out->pNext) {
    auto *next = static_cast<ze_kernel_max_group_size_properties_ext_t *>(
        const_cast<void *>(out->pNext));
    if (isLegal(next))
      next->maxGroupSize = kernel->module->program->maxThreads();
  }
  return ZE_RESULT_SUCCESS;
}

FAKE zeKernelSetIndirectAccess(ze_kernel_handle_t handle, uint32_t flags) {
  Call call("zeKernelSetIndirectAccess");
  expect(flags <= 7, "unknown flags of access");
  if (auto *kernel = alive<Kernel>(handle, "kernel"); kernel && !call.result)
    kernel->access = flags;
  return call.result;
}

FAKE zeKernelSetGroupSize(ze_kernel_handle_t handle, uint32_t x, uint32_t y, uint32_t z) {
  Call call("zeKernelSetGroupSize");
  auto *kernel = alive<Kernel>(handle, "kernel");
  expect(x && y && z && uint64_t(x) * y * z <= 1024, "a group of an illegal size");
  if (!kernel || call.result)
    return call.result;
  const uint32_t size[] = {x, y, z};
  std::copy_n(size, 3, kernel->group);
  return ZE_RESULT_SUCCESS;
}

FAKE zeKernelSetArgumentValue(ze_kernel_handle_t handle, uint32_t index, size_t size,
                              const void *value) {
  Call call("zeKernelSetArgumentValue");
  auto *kernel = alive<Kernel>(handle, "kernel");
  if (!kernel || call.result)
    return call.result;
  if (index == 0 && expect(size == 8 && value, "a pointer of another size"))
    std::memcpy(&kernel->record, value, size);
  if (index == 1 && expect(size && !value, "shared memory of no size"))
    kernel->localBytes = size;
  expect(index <= 1, "an argument that no kernel has");
  return ZE_RESULT_SUCCESS;
}
