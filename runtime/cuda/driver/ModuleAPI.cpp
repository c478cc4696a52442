// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: modules from packages, their kernels and variables.

#include "Modules.h"
#include "PtxText.h"

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
std::shared_ptr<CUmod_st> findListed(CUmodule handle) {
  std::lock_guard<std::mutex> lock(modules().mutex);
  auto found = modules().all.find(handle);
  return found == modules().all.end() ? nullptr : found->second;
}

/// Forgets what its functions were loaded into: on a device, or for good.
template <typename... Device> void forgetFunctions(CUmod_st &module, Device... device) {
  std::lock_guard<std::mutex> lock(module.mutex);
  for (auto &[name, function] : module.functions)
    forget(*function->function, device...);
}

} // namespace

std::shared_ptr<CUmod_st> driver::findLibrary(CUmodule handle) {
  std::shared_ptr<CUmod_st> found = findListed(handle);
  return found && found->isLibrary ? found : nullptr;
}

CUresult driver::findModule(CUmodule handle, std::shared_ptr<CUmod_st> &module) {
  if (CUresult error = requireContext())
    return error;
  module = findListed(handle);
  if (!module)
    return CUDA_ERROR_INVALID_HANDLE;
  return module->isLost ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_SUCCESS;
}

void driver::forgetModules(Device &device) {
  decltype(Modules::all) all;
  {
    std::lock_guard<std::mutex> lock(modules().mutex);
    all = modules().all;
  }
  for (auto &[handle, module] : all) {
    if (&module->device != &device || module->isLibrary) {
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
static CUresult refuseImage(ByteView head) {
  constexpr std::string_view elf = "\x7f"
                                   "ELF";
  if (head.size >= elf.size() && std::memcmp(head.data, elf.data(), elf.size()) == 0) {
    log(Level::Error, "module image: found machine code, expected a package, or PTX "
                      "text; build it with hetcc");
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  log(Level::Error, "module image: found neither a package nor PTX text; build it with "
                    "hetcc");
  return CUDA_ERROR_INVALID_PTX;
}

/// An empty one. A library is of no context.
static std::shared_ptr<CUmod_st> makeModule(bool isLibrary) {
  const CUcontext current = currentContext();
  auto made = std::make_shared<CUmod_st>(current ? current->device : *deviceAt(0));
  made->isLibrary = isLibrary;
  made->binary.owner = made;
  return made;
}

static void setImage(CUmod_st &module, Bytes image, std::string origin) {
  module.image = std::move(image);
  module.binary.data = module.image.data();
  module.binary.size = module.image.size();
  module.binary.origin = std::move(origin);
}

/// Takes the package out of a text, or makes one of it.
static CUresult setText(CUmod_st &module, std::string_view text,
                        const std::string &origin, JitLog &messages) {
  Bytes package;
  if (CUresult error = readText(text, origin, messages, package))
    return error;
  if (CUresult error = linkIfOpen(package, origin, messages))
    return error;
  setImage(module, std::move(package), "package in " + origin);
  return CUDA_SUCCESS;
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

/// The package that the wrapper of a fat binary leads to; any other image as it is.
static const void *unwrap(const void *image) {
  struct Wrapper {
    uint32_t magic, version;
    const void *data;
  };
  uint32_t magic = 0;
  std::memcpy(&magic, image, sizeof(magic));
  return magic == 0x466243b1 ? static_cast<const Wrapper *>(image)->data : image;
}

CUresult driver::loadImage(const void *image, bool isLibrary, CUmodule *module,
                           JitLog messages) {
  image = unwrap(image);
  if (!image)
    return CUDA_ERROR_INVALID_IMAGE;
  ByteView head(static_cast<const uint8_t *>(image), referenceMagic.size());
  std::shared_ptr<CUmod_st> loaded = makeModule(isLibrary);
  if (Package::hasMagic(head)) {
    Result<uint64_t> size = Package::sizeOf(image);
    if (!size.ok()) {
      log(Level::Error, "%s", size.status().text().c_str());
      return CUDA_ERROR_INVALID_IMAGE;
    }
    Bytes package = ByteView(head.data, *size).copy();
    const std::string origin =
        std::string("package in memory that the program gave to ") +
        (isLibrary ? "cuLibraryLoadData" : "cuModuleLoadData");
    if (CUresult error = linkIfOpen(package, origin, messages))
      return error;
    setImage(*loaded, std::move(package), origin);
  } else if (hasReferenceMagic(head) || hasSectionReferenceMagic(head)) {
    loaded->binary.data = image;
  } else if (isText(head)) {
    if (CUresult error =
            setText(*loaded, static_cast<const char *>(image),
                    std::string("PTX text that the program gave to ") +
                        (isLibrary ? "cuLibraryLoadData" : "cuModuleLoadData"),
                    messages))
      return error;
  } else {
    return refuseImage(head);
  }
  return finishLoading(std::move(loaded), module);
}

CUresult driver::loadFile(const char *path, bool isLibrary, CUmodule *module) {
  Result<Bytes> bytes = readFile(path);
  if (!bytes.ok()) {
    log(Level::Error, "%s", bytes.status().text().c_str());
    return CUDA_ERROR_FILE_NOT_FOUND;
  }
  std::shared_ptr<CUmod_st> loaded = makeModule(isLibrary);
  if (Package::hasMagic(*bytes)) {
    Bytes package = bytes.take();
    if (CUresult error = linkIfOpen(package, path, JitLog()))
      return error;
    setImage(*loaded, std::move(package), path);
  } else if (isText(*bytes)) {
    // What NVRTC gives ends with a null, which programs write into files.
    const std::string_view whole = ByteView(*bytes).text();
    const std::string_view text = whole.substr(0, whole.find('\0'));
    JitLog messages;
    if (CUresult error = setText(*loaded, text, path, messages))
      return error;
  } else {
    return refuseImage(*bytes);
  }
  return finishLoading(std::move(loaded), module);
}

CUresult driver::unloadModule(CUmodule handle, bool isLibrary) {
  std::shared_ptr<CUmod_st> module;
  {
    std::lock_guard<std::mutex> lock(modules().mutex);
    auto found = modules().all.find(handle);
    if (found == modules().all.end() || found->second->isLibrary != isLibrary)
      return CUDA_ERROR_INVALID_HANDLE;
    module = std::move(found->second);
    modules().all.erase(found);
  }
  {
    std::lock_guard<std::mutex> lock(module->mutex);
    for (auto &[name, function] : module->functions)
      unlistFunction(function.get());
  }
  if (module->isLost)
    return CUDA_ERROR_CONTEXT_IS_DESTROYED; // the shell goes
  markGone(module->binary);
  forgetFunctions(*module);
  unload(module->binary, cudaErrorInvalidKernelImage);
  return CUDA_SUCCESS;
}

/// A kernel of a module; null if the device finds none of that name.
static std::unique_ptr<CUfunc_st> makeFunction(CUmod_st &module, const char *name,
                                               Device &device) {
  auto made = std::make_unique<CUfunc_st>();
  made->module = &module;
  made->name = name;
  made->own = std::make_unique<Function>();
  made->function = made->own.get();
  made->function->name = made->name.c_str();
  made->function->binary = &module.binary;
  made->function->handle = {std::shared_ptr<void>(), made.get()};
  LoadedKernel *kernel = nullptr;
  return load(*made->function, device, kernel) ? nullptr : std::move(made);
}

CUresult driver::findFunctionOf(CUmod_st &module, const char *name, Device &device,
                                CUfunction *function) {
  std::lock_guard<std::mutex> lock(module.mutex);
  auto entry = module.functions.find(name);
  if (entry == module.functions.end()) {
    std::unique_ptr<CUfunc_st> made = makeFunction(module, name, device);
    if (!made)
      return CUDA_ERROR_NOT_FOUND;
    listFunction(made.get(), *made->function);
    entry = module.functions.emplace(name, std::move(made)).first;
  }
  *function = entry->second.get();
  return CUDA_SUCCESS;
}

CUresult driver::findVariableOf(CUmod_st &module, const char *name, Device &device,
                                CUdeviceptr *address, size_t *size) {
  std::lock_guard<std::mutex> lock(module.mutex);
  auto entry = module.variables.emplace(name, Variable()).first;
  Variable &variable = entry->second;
  variable.name = entry->first.c_str();
  variable.binary = &module.binary;
  void *pointer = nullptr;
  if (addressOf(variable, device, pointer)) {
    module.variables.erase(entry);
    return CUDA_ERROR_NOT_FOUND;
  }
  if (address)
    *address = driver::addressOf(pointer);
  if (size)
    *size = variable.size;
  return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) try {
  if (CUresult error = requireContext())
    return error;
  return module && image ? loadImage(image, false, module) : CUDA_ERROR_INVALID_VALUE;
}
HET_CATCH

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count,
                            CUjit_option *options, void **values) try {
  if (CUresult error = requireContext())
    return error;
  if (!module || !image || (count && (!options || !values)))
    return CUDA_ERROR_INVALID_VALUE;
  return loadImage(image, false, module, JitLog(count, options, values));
}
HET_CATCH

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) try {
  return cuModuleLoadData(module, image);
}
HET_CATCH

CUresult cuModuleLoad(CUmodule *module, const char *path) try {
  if (CUresult error = requireContext())
    return error;
  return module && path ? loadFile(path, false, module) : CUDA_ERROR_INVALID_VALUE;
}
HET_CATCH

CUresult cuModuleUnload(CUmodule module) try {
  if (CUresult error = requireContext())
    return error;
  return unloadModule(module, false);
}
HET_CATCH

CUresult cuModuleGetFunction(CUfunction *function, CUmodule handle,
                             const char *name) try {
  std::shared_ptr<CUmod_st> module;
  if (CUresult error = findModule(handle, module))
    return error;
  return function && name
             ? findFunctionOf(*module, name, currentContext()->device, function)
             : CUDA_ERROR_INVALID_VALUE;
}
HET_CATCH

CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *size, CUmodule handle,
                              const char *name) try {
  std::shared_ptr<CUmod_st> module;
  if (CUresult error = findModule(handle, module))
    return error;
  return name ? findVariableOf(*module, name, currentContext()->device, address, size)
              : CUDA_ERROR_INVALID_VALUE;
}
HET_CATCH

CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule handle) try {
  std::shared_ptr<CUmod_st> module;
  if (CUresult error = findModule(handle, module))
    return error;
  if (!count)
    return CUDA_ERROR_INVALID_VALUE;
  std::vector<std::string> names;
  cudaError_t error = kernelNames(module->binary, currentContext()->device, names);
  *count = static_cast<unsigned>(names.size());
  return convert(error);
}
HET_CATCH

CUresult driver::listFunctionsOf(CUmod_st &module, Device &device, CUfunction *functions,
                                 unsigned count) {
  std::vector<std::string> names;
  if (cudaError_t error = kernelNames(module.binary, device, names))
    return convert(error);
  names.resize(std::min<size_t>(names.size(), count));
  for (size_t index = 0; index < names.size(); ++index)
    if (CUresult error =
            findFunctionOf(module, names[index].c_str(), device, &functions[index]))
      return error;
  return CUDA_SUCCESS;
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned count,
                                    CUmodule handle) try {
  std::shared_ptr<CUmod_st> module;
  if (CUresult error = findModule(handle, module))
    return error;
  return functions && count
             ? listFunctionsOf(*module, currentContext()->device, functions, count)
             : CUDA_ERROR_INVALID_VALUE;
}
HET_CATCH

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) try {
  if (!initialised())
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!mode)
    return CUDA_ERROR_INVALID_VALUE;
  *mode = CU_MODULE_LAZY_LOADING;
  return CUDA_SUCCESS;
}
HET_CATCH
