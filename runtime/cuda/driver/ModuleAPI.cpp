// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: modules from packages, their kernels and variables, launches.

#include "Driver.h"

#include "../Launch.h"

#include "het/Base/Log.h"
#include "het/Package/Package.h"
#include "het/Package/PackageReference.h"
#include "het/Package/ProgramPackages.h"

#include <algorithm>
#include <cstring>

using namespace het;
using namespace het::cuda;
using namespace het::cuda::driver;

namespace {

/// The modules that were loaded and not unloaded: a handle of another is refused. Kept by
/// who uses one meanwhile.
struct Modules {
  std::mutex mutex;
  std::map<CUmodule, std::shared_ptr<CUmod_st>> all;
};

Modules &modules() {
  static auto *instance = new Modules;
  return *instance;
}

/// Null where there is no such module.
std::shared_ptr<CUmod_st> find(CUmodule handle) {
  std::lock_guard<std::mutex> lock(modules().mutex);
  auto found = modules().all.find(handle);
  return found == modules().all.end() ? nullptr : found->second;
}

/// Finds a module that can be used, for a thread with a context.
CUresult find(CUmodule handle, std::shared_ptr<CUmod_st> &module) {
  if (CUresult error = requireContext())
    return error;
  module = find(handle);
  if (!module)
    return CUDA_ERROR_INVALID_HANDLE;
  return module->isLost ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_SUCCESS;
}

/// Forgets what its functions were loaded into: on a device, or for good.
template <typename... Device> void forgetFunctions(CUmod_st &module, Device... device) {
  std::lock_guard<std::mutex> lock(module.mutex);
  for (auto &[name, function] : module.functions)
    forget(function->function, device...);
}

} // namespace

void driver::forgetModules(Device &device) {
  decltype(Modules::all) all;
  {
    std::lock_guard<std::mutex> lock(modules().mutex);
    all = modules().all;
  }
  for (auto &[handle, module] : all) {
    if (&module->device != &device) {
      forget(module->binary, device.ordinal);
      forgetFunctions(*module, device.ordinal);
      continue;
    }
    module->isLost = true;
    unload(module->binary, cudaErrorContextIsDestroyed);
    for (int ordinal = 0; ordinal < deviceCount(); ++ordinal)
      forgetFunctions(*module, ordinal);
  }
}

/// Why an image that is no package cannot be loaded.
static CUresult refuseImage(const void *image) {
  const char *text = static_cast<const char *>(image);
  if (std::memcmp(text,
                  "\x7f"
                  "ELF",
                  4) == 0) {
    log(Level::Error, "module image: found machine code, expected a .hetpkg "
                      "package; build it with hetcc");
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  log(Level::Error, "module image: found no package (PTX text, say), expected "
                    "a .hetpkg package; build it with hetcc");
  return CUDA_ERROR_INVALID_PTX;
}

/// An empty one, for the current context.
static std::shared_ptr<CUmod_st> makeModule() {
  auto made = std::make_shared<CUmod_st>(currentContext()->device);
  made->binary.owner = made;
  return made;
}

static void setImage(CUmod_st &module, Bytes image, std::string origin) {
  module.image = std::move(image);
  module.binary.data = module.image.data();
  module.binary.size = module.image.size();
  module.binary.origin = std::move(origin);
}

/// Opens a module whose binary's data is set.
static CUresult finishLoading(std::shared_ptr<CUmod_st> module, CUmodule *result) {
  cudaError_t error = module->device.fault();
  if (!error)
    error = open(module->binary, module->device);
  if (error)
    return convert(error);
  *result = module.get();
  std::lock_guard<std::mutex> lock(modules().mutex);
  modules().all[*result] = std::move(module);
  return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) try {
  if (CUresult error = requireContext())
    return error;
  if (!module || !image)
    return CUDA_ERROR_INVALID_VALUE;
  ByteView head(static_cast<const uint8_t *>(image), referenceMagic.size());
  std::shared_ptr<CUmod_st> loaded = makeModule();
  if (Package::hasMagic(head)) {
    Result<uint64_t> size = Package::sizeOf(image);
    if (!size.ok()) {
      log(Level::Error, "%s", size.status().text().c_str());
      return CUDA_ERROR_INVALID_IMAGE;
    }
    setImage(*loaded, ByteView(head.data, *size).copy(),
             "package in memory that the program gave to cuModuleLoadData");
  } else if (hasReferenceMagic(head) || hasSectionReferenceMagic(head)) {
    loaded->binary.data = image;
  } else {
    return refuseImage(image);
  }
  return finishLoading(std::move(loaded), module);
}
HET_CATCH

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned, CUjit_option *,
                            void **) try {
  return cuModuleLoadData(module, image);
}
HET_CATCH

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) try {
  return cuModuleLoadData(module, image);
}
HET_CATCH

CUresult cuModuleLoad(CUmodule *module, const char *path) try {
  if (CUresult error = requireContext())
    return error;
  if (!module || !path)
    return CUDA_ERROR_INVALID_VALUE;
  Result<Bytes> bytes = readFile(path);
  if (!bytes.ok()) {
    log(Level::Error, "%s", bytes.status().text().c_str());
    return CUDA_ERROR_FILE_NOT_FOUND;
  }
  if (!Package::hasMagic(*bytes)) {
    bytes->resize(std::max<size_t>(bytes->size(), 8));
    return refuseImage(bytes->data());
  }
  std::shared_ptr<CUmod_st> loaded = makeModule();
  setImage(*loaded, bytes.take(), path);
  return finishLoading(std::move(loaded), module);
}
HET_CATCH

CUresult cuModuleUnload(CUmodule module) try {
  if (CUresult error = requireContext())
    return error;
  std::shared_ptr<CUmod_st> found = find(module);
  if (!found)
    return CUDA_ERROR_INVALID_HANDLE;
  {
    std::lock_guard<std::mutex> lock(modules().mutex);
    modules().all.erase(module);
  }
  if (found->isLost)
    return CUDA_ERROR_CONTEXT_IS_DESTROYED; // the shell goes
  markGone(found->binary);
  forgetFunctions(*found);
  unload(found->binary, cudaErrorInvalidKernelImage);
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuModuleGetFunction(CUfunction *function, CUmodule handle,
                             const char *name) try {
  std::shared_ptr<CUmod_st> module;
  if (CUresult error = find(handle, module))
    return error;
  if (!function || !name)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard<std::mutex> lock(module->mutex);
  std::unique_ptr<CUfunc_st> &entry = module->functions[name];
  if (!entry) {
    auto made = std::make_unique<CUfunc_st>();
    made->module = handle;
    made->name = name;
    made->function.name = made->name.c_str();
    made->function.binary = &module->binary;
    LoadedKernel *kernel = nullptr;
    if (load(made->function, currentContext()->device, kernel)) {
      module->functions.erase(name);
      return CUDA_ERROR_NOT_FOUND;
    }
    entry = std::move(made);
  }
  *function = entry.get();
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *size, CUmodule handle,
                              const char *name) try {
  std::shared_ptr<CUmod_st> module;
  if (CUresult error = find(handle, module))
    return error;
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard<std::mutex> lock(module->mutex);
  auto entry = module->variables.emplace(name, Variable()).first;
  Variable &variable = entry->second;
  variable.name = entry->first.c_str();
  variable.binary = &module->binary;
  void *pointer = nullptr;
  if (addressOf(variable, currentContext()->device, pointer)) {
    module->variables.erase(entry);
    return CUDA_ERROR_NOT_FOUND;
  }
  if (address)
    *address = driver::addressOf(pointer);
  if (size)
    *size = variable.size;
  return CUDA_SUCCESS;
}
HET_CATCH

/// Reads the packed arguments out of the `extra` list.
static CUresult readExtra(void **extra, ByteView &packed) {
  const void *buffer = nullptr;
  size_t size = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = extra[1];
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      size = *static_cast<size_t *>(extra[1]);
    else
      return CUDA_ERROR_INVALID_VALUE;
  }
  packed = ByteView(static_cast<const uint8_t *>(buffer), buffer ? size : 0);
  return CUDA_SUCCESS;
}

static CUresult launch(CUfunction function, dim3 grid, dim3 block, unsigned sharedBytes,
                       CUstream stream, void **pointers, void **extra, bool cooperative) {
  if (!function)
    return CUDA_ERROR_INVALID_HANDLE;
  Arguments arguments{pointers, {}};
  if (pointers && extra)
    return CUDA_ERROR_INVALID_VALUE;
  if (extra)
    if (CUresult error = readExtra(extra, arguments.packed))
      return error;
  return through([&] {
    return launchKernel(&function->function, grid, block, arguments, sharedBytes, stream,
                        cooperative);
  });
}

CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY,
                        unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
                        unsigned sharedBytes, CUstream stream, void **pointers,
                        void **extra) try {
  return launch(function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes,
                stream, pointers, extra, false);
}
HET_CATCH

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gridX, unsigned gridY,
                                   unsigned gridZ, unsigned blockX, unsigned blockY,
                                   unsigned blockZ, unsigned sharedBytes, CUstream stream,
                                   void **pointers) try {
  return launch(function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes,
                stream, pointers, nullptr, true);
}
HET_CATCH

/// Loads the kernel on the current device and hands it to `use`.
template <typename Use> static CUresult with(CUfunction function, Use use) {
  if (CUresult error = requireContext())
    return error;
  if (!function)
    return CUDA_ERROR_INVALID_HANDLE;
  Device &device = currentContext()->device;
  LoadedKernel *kernel = nullptr;
  if (cudaError_t error = load(function->function, device, kernel))
    return convert(error);
  return use(*kernel, device);
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute,
                            CUfunction function) try {
  if (!value)
    return CUDA_ERROR_INVALID_VALUE;
  return with(function, [&](LoadedKernel &kernel, Device &device) {
    int version = device.properties.major * 10 + device.properties.minor;
    int threads = static_cast<int>(maxThreadsOf(kernel, device));
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = threads;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(kernel.info().staticSharedBytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *value = 0;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = static_cast<int>(kernel.info().localBytes);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = std::min(255, device.properties.regsPerBlock / threads);
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = version;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = static_cast<int>(maxDynamicSharedOf(kernel, device));
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
    }
  });
}
HET_CATCH

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute,
                            int value) try {
  return with(function, [&](LoadedKernel &kernel, Device &device) {
    return convert(
        setAttribute(kernel, device, static_cast<cudaFuncAttribute>(attribute), value));
  });
}
HET_CATCH

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache) try {
  return with(function, [](LoadedKernel &, Device &) { return CUDA_SUCCESS; });
}
HET_CATCH

CUresult cuFuncGetName(const char **name, CUfunction function) try {
  if (!name || !function)
    return CUDA_ERROR_INVALID_VALUE;
  *name = function->name.c_str();
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuFuncGetModule(CUmodule *module, CUfunction function) try {
  if (!module || !function)
    return CUDA_ERROR_INVALID_VALUE;
  *module = function->module;
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                     int threads,
                                                     size_t sharedBytes) try {
  if (!blocks || threads <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  return with(function, [&](LoadedKernel &kernel, Device &device) {
    return convert(findOccupancy(kernel, device, static_cast<size_t>(threads),
                                 sharedBytes, *blocks));
  });
}
HET_CATCH

/// The block size with the most resident threads; the larger one of equals.
static CUresult potential(int *grid, int *threads, CUfunction function,
                          CUoccupancyB2DSize shared, size_t sharedBytes, int limit) {
  return with(function, [&](LoadedKernel &kernel, Device &device) {
    int warp = device.properties.warpSize;
    int most = static_cast<int>(maxThreadsOf(kernel, device));
    int best = 0;
    for (int size = limit > 0 ? std::min(limit, most) : most; size > 0;
         size = (size - 1) / warp * warp) {
      size_t bytes = shared ? shared(size) : sharedBytes;
      int blocks = 0;
      if (cudaError_t error = findOccupancy(kernel, device, size_t(size), bytes, blocks))
        return convert(error);
      if (blocks * size > best) {
        best = blocks * size;
        *threads = size;
        *grid = blocks * device.properties.multiProcessorCount;
      }
    }
    return best ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *threads, CUfunction function,
                                          CUoccupancyB2DSize shared, size_t sharedBytes,
                                          int limit) try {
  if (!grid || !threads)
    return CUDA_ERROR_INVALID_VALUE;
  return potential(grid, threads, function, shared, sharedBytes, limit);
}
HET_CATCH
