// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes modules and kernels of Level Zero from SPIR-V, and describes them.

#include "../../SPIRVArtifact.h"
#include "LevelZeroDoor.h"

#include <cstring>

namespace het::spirv {
namespace {

constexpr uint32_t allMemory = ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST |
                               ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE |
                               ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED;

/// Takes the messages of the driver's compiler; the log is given back.
std::string takeLog(const LevelZero &ze, ze_module_build_log_handle_t log) {
  size_t size = 0;
  std::string text;
  if (ze.zeModuleBuildLogGetString(log, &size, nullptr) == ZE_RESULT_SUCCESS && size) {
    text.resize(size);
    if (ze.zeModuleBuildLogGetString(log, &size, text.data()) != ZE_RESULT_SUCCESS)
      text.clear();
    text.resize(std::strlen(text.c_str()));
  }
  ze.zeModuleBuildLogDestroy(log);
  return text;
}

} // namespace

/// Null with a status.
ze_module_handle_t LevelZeroDoor::build(const Source &source, HetStatus *status) {
  ze_module_desc_t desc;
  desc.format = source.isProgram ? ZE_MODULE_FORMAT_NATIVE : ZE_MODULE_FORMAT_IL_SPIRV;
  desc.inputSize = source.size;
  desc.pInputModule = source.code;
  desc.pBuildFlags = "";
  ze_module_handle_t module = nullptr;
  ze_module_build_log_handle_t log = nullptr;
  ze_result_t result =
      context.ze.zeModuleCreate(context.handle, context.gpu.device, &desc, &module, &log);
  const std::string said = log ? takeLog(context.ze, log) : "";
  if (!context.failed(result))
    return module;
  std::string what = "kernel '" + source.name + "': the driver does not ";
  what += source.isProgram ? "take its code" : "compile it";
  context.check(result, source.isProgram ? HET_INVALID : HET_UNSUPPORTED, what, status);
  if (!said.empty())
    report(status, status->code, std::string(status->message) + ": " + said);
  return nullptr;
}

/// Where the driver does not give its code the module stays what it is.
int32_t LevelZeroDoor::compile(const Source &source, std::vector<uint8_t> &program,
                               HetStatus *status) {
  ze_module_handle_t module = build(source, status);
  if (!module)
    return status->code;
  size_t size = 0;
  if (!context.failed(context.ze.zeModuleGetNativeBinary(module, &size, nullptr)) &&
      size) {
    program.resize(size);
    if (context.failed(context.ze.zeModuleGetNativeBinary(module, &size, program.data())))
      program.clear();
  }
  context.failed(context.ze.zeModuleDestroy(module));
  return success(status);
}

std::unique_ptr<Code> LevelZeroDoor::load(const Source &source, HetStatus *status) {
  auto code = std::make_unique<LevelZeroCode>(context.ze);
  code->isSegmented = source.isSegmented;
  code->module = build(source, status);
  if (!code->module)
    return nullptr;
  const std::string what = "kernel '" + source.name + "': ";
  ze_kernel_desc_t desc;
  desc.pKernelName = HET_SPIRV_ENTRY;
  if (ze_result_t result =
          context.ze.zeKernelCreate(code->module, &desc, &code->kernel)) {
    code->kernel = nullptr;
    context.check(result, HET_INVALID, what + "not in its code", status);
    return nullptr;
  }
  // Pointers come in memory, so the driver does not see what a kernel uses.
  if (ze_result_t result =
          context.ze.zeKernelSetIndirectAccess(code->kernel, allMemory)) {
    context.check(result, HET_UNSUPPORTED, what + "zeKernelSetIndirectAccess", status);
    return nullptr;
  }
  ze_kernel_max_group_size_properties_ext_t most;
  ze_kernel_properties_t properties;
  properties.pNext = &most;
  if (!context.failed(context.ze.zeKernelGetProperties(code->kernel, &properties))) {
    code->maxThreads = most.maxGroupSize;
    code->localBytes = properties.privateMemSize;
  }
  success(status);
  return code;
}

LevelZeroCode::~LevelZeroCode() {
  if (kernel)
    ze.zeKernelDestroy(kernel);
  if (module)
    ze.zeModuleDestroy(module);
}

} // namespace het::spirv
