// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX to cubin, and what the driver's compiler says. Where that can not be called or
// fails, text stays text: the driver compiles it when it is loaded, says what is wrong
// with it, and has a cache of its own. No lines of the source are kept unless they are
// asked for.

#include "PTXDevice.h"

#include <cstring>
#include <memory>

namespace het::ptx {

CompilerLog::CompilerLog(const Container &container)
    : hasLineInfo(container.header.flags & HET_PTX_LINE_INFO),
      names{CU_JIT_ERROR_LOG_BUFFER,   CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
            CU_JIT_INFO_LOG_BUFFER,    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
            CU_JIT_OPTIMIZATION_LEVEL, CU_JIT_GENERATE_LINE_INFO},
      // The numbers stand in place of pointers, in their low 32 bits.
      values{errors,
             reinterpret_cast<void *>(sizeof(errors) - 1),
             notes,
             reinterpret_cast<void *>(sizeof(notes) - 1),
             reinterpret_cast<void *>(uintptr_t(4)),
             reinterpret_cast<void *>(uintptr_t(1))} {}

std::string CompilerLog::text() const {
  std::string all = errors;
  if (*notes)
    all += (all.empty() ? "" : "\n") + std::string(notes);
  while (!all.empty() && (all.back() == '\n' || all.back() == ' '))
    all.pop_back();
  return all;
}

int32_t reportCode(HetDevice &device, CUresult result, const std::string &kernel,
                   const CompilerLog &log, HetStatus *status) {
  int32_t code = HET_INVALID;
  std::string advice;
  if (result == CUDA_ERROR_OUT_OF_MEMORY) {
    code = HET_UNAVAILABLE;
  } else if (result == CUDA_ERROR_JIT_COMPILER_NOT_FOUND) {
    code = HET_UNAVAILABLE;
    advice = "; install libnvidia-ptxjitcompiler.so.1 of the driver's version";
  } else if (result == CUDA_ERROR_JIT_COMPILATION_DISABLED) {
    code = HET_UNAVAILABLE;
    advice = "; unset CUDA_DISABLE_PTX_JIT";
  }
  std::string message = kernelText(kernel) + ": " + device.driver.text(result) + advice;
  if (device.failed(result))
    code = HET_UNAVAILABLE;
  if (std::string said = log.text(); !said.empty())
    message += ": " + said;
  std::lock_guard<std::mutex> lock(device.mutex);
  if (auto earlier = device.compilerFailures.find(kernel);
      earlier != device.compilerFailures.end())
    message += "; before that, " + earlier->second;
  return report(status, code, message);
}

namespace {

/// One compilation.
class Compilation {
public:
  explicit Compilation(const Compiler &compiler) : compiler(compiler) {}
  ~Compilation() {
    if (handle)
      compiler.destroy(&handle);
  }
  int run(const Container &container, const std::string &machine,
          std::vector<uint8_t> &cubin) {
    auto *text = reinterpret_cast<const char *>(container.code);
    if (int result = compiler.create(&handle, std::strlen(text), text))
      return result;
    const std::string target = "--gpu-name=" + machine;
    const char *options[] = {target.c_str(), "--generate-line-info"};
    const bool keepsLines = container.header.flags & HET_PTX_LINE_INFO;
    if (int result = compiler.compile(handle, keepsLines ? 2 : 1, options))
      return result;
    size_t size = 0;
    if (int result = compiler.programSize(handle, &size))
      return result;
    cubin.resize(size);
    return compiler.program(handle, cubin.data());
  }

  /// Why run() gave this result.
  std::string failure(int result) const {
    std::string text = "the PTX compiler failed (" + std::to_string(result) + ")";
    size_t size = 0;
    if (!handle || !compiler.errorLogSize || !compiler.errorLog ||
        compiler.errorLogSize(handle, &size) || !size)
      return text;
    std::string said(size + 1, '\0');
    if (compiler.errorLog(handle, said.data()))
      return text;
    said.resize(std::strlen(said.c_str()));
    return said.empty() ? text : text + ": " + said.substr(0, mostSaid);
  }

private:
  static constexpr size_t mostSaid = 400; ///< A status holds more than this.

  const Compiler &compiler;
  CompilerHandle handle = nullptr;
};

/// "sm_90".
std::string machineName(const HetDeviceProperties &facts) {
  return "sm_" + std::to_string(facts.capabilityMajor) +
         std::to_string(facts.capabilityMinor);
}

/// False where text stays text; why is kept.
bool compile(HetDevice &device, const Container &container, std::vector<uint8_t> &cubin) {
  Compilation compilation(device.driver.compiler);
  const int result = compilation.run(container, machineName(device.facts), cubin);
  std::string failure = result ? compilation.failure(result) : "";
  std::lock_guard<std::mutex> lock(device.mutex);
  if (result)
    device.compilerFailures[container.kernel] = std::move(failure);
  else
    device.compilerFailures.erase(container.kernel);
  return result == 0;
}

} // namespace

int32_t finishArtifact(HetDevice *device, const uint8_t *data, size_t size,
                       HetLowering *out, HetStatus *status) {
  Container container;
  if (!readContainer(data, size, container, status))
    return status->code;
  auto finished = std::make_unique<std::vector<uint8_t>>(data, data + size);
  const Compiler &compiler = device->driver.compiler;
  std::vector<uint8_t> cubin;
  if (container.header.form == HET_PTX_TEXT && compiler &&
      compile(*device, container, cubin)) {
    container.header.form = HET_PTX_CUBIN;
    container.header.codeBytes = cubin.size();
    finished->resize(container.code - data);
    std::memcpy(finished->data(), &container.header, sizeof(HetPtxArtifact));
    finished->insert(finished->end(), cubin.begin(), cubin.end());
  }
  out->data = finished->data();
  out->size = finished->size();
  out->owner = finished.release();
  return success(status);
}

void releaseFinished(HetLowering *finished) {
  delete static_cast<std::vector<uint8_t> *>(finished->owner);
  *finished = {};
}

} // namespace het::ptx
