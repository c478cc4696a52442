// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake driver's compiler, modules and launches. A cubin is the head of an ELF file
// and the text that was compiled; one with variables has them as a real one does, in a
// section that a symbol points into, and one with calls has symbols that are not defined.

#include "FakeState.h"
#include "het/DeviceABI/SuspendRecord.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <sstream>
#include <utility>

using namespace fake;

static constexpr int sharedLimit = 227 << 10;
static constexpr int residentLimit = 64;

static void say(char *buffer, const char *text) {
  if (buffer)
    std::strcpy(buffer, text);
}

/// The buffer among the options for what is wrong; null: there is none.
static char *errorBuffer(unsigned count, int *options, void **values) {
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
      return static_cast<char *>(values[i]);
  return nullptr;
}

static bool isBroken(const std::string &text) {
  return text.find("broken") != std::string::npos;
}

EXPORTED int nvPTXCompilerCreate(Compilation **out, size_t length, const char *text) {
  FAKE(enter);
  if (std::strlen(text) != length)
    return state().misuse(__func__, "not the text's length");
  *out = new Compilation{text, {}};
  state().compilations.insert(*out);
  return CUDA_SUCCESS;
}

EXPORTED int nvPTXCompilerCompile(Compilation *compilation, int count,
                                  const char *const *options) {
  FAKE(enter);
  state().compilerOptions.assign(options, options + count);
  // NVPTXCOMPILE_ERROR_COMPILATION_FAILURE
  return isBroken(compilation->text) ? 3 : CUDA_SUCCESS;
}

/// The word behind this one; empty where there is none.
static std::string wordBehind(const std::string &text, const std::string &word) {
  std::istringstream words(text);
  for (std::string each; words >> each;)
    if (each == word && words >> each)
      return each;
  return "";
}

template <class T> static size_t append(std::vector<char> &out, const T &value) {
  const size_t at = out.size();
  auto *bytes = reinterpret_cast<const char *>(&value);
  out.insert(out.end(), bytes, bytes + sizeof(value));
  return at;
}

/// Sections: none, the variables behind 8 bytes of something else, symbols, names.
static void appendSections(std::vector<char> &out, size_t count,
                           const std::string &callee) {
  static const std::string variables = "het$variables";
  const std::string names = '\0' + variables + '\0' + callee + '\0';
  Elf64_Shdr sections[4] = {};
  sections[1].sh_type = SHT_PROGBITS;
  sections[1].sh_offset = out.size();
  sections[1].sh_size = (count + 1) * sizeof(uint64_t);
  out.insert(out.end(), sections[1].sh_size, 0);
  Elf64_Sym symbol = {};
  symbol.st_name = symbol.st_shndx = 1;
  symbol.st_value = sizeof(uint64_t);
  symbol.st_size = count * sizeof(uint64_t);
  sections[2].sh_type = SHT_SYMTAB;
  sections[2].sh_link = 3;
  Elf64_Sym called = {};
  called.st_name = 1 + variables.size() + 1;
  sections[2].sh_size = 3 * sizeof(symbol);
  sections[2].sh_offset = append(out, Elf64_Sym{});
  append(out, count ? symbol : Elf64_Sym{});
  append(out, called);
  sections[3].sh_type = SHT_STRTAB;
  sections[3].sh_size = names.size();
  sections[3].sh_offset = out.size();
  out.insert(out.end(), names.begin(), names.end());
  Elf64_Ehdr head;
  std::memcpy(&head, out.data(), sizeof(head));
  head.e_shoff = append(out, sections);
  head.e_shnum = 4;
  head.e_shentsize = sizeof(Elf64_Shdr);
  std::memcpy(out.data(), &head, sizeof(head));
}

EXPORTED int nvPTXCompilerGetCompiledProgramSize(Compilation *compilation, size_t *size) {
  FAKE(enter);
  Elf64_Ehdr head = {};
  std::memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64;
  std::vector<char> &out = compilation->code;
  out.clear();
  append(out, head);
  const std::string &text = compilation->text;
  out.insert(out.end(), text.c_str(), text.c_str() + text.size() + 1);
  const std::string count = wordBehind(text, "variables"),
                    callee = wordBehind(text, "calls");
  if (!count.empty() || !callee.empty())
    appendSections(out, count.empty() ? 0 : std::stoul(count), callee);
  *size = out.size();
  return CUDA_SUCCESS;
}

EXPORTED int nvPTXCompilerGetCompiledProgram(Compilation *compilation, void *code) {
  FAKE(enter);
  std::memcpy(code, compilation->code.data(), compilation->code.size());
  return CUDA_SUCCESS;
}

static constexpr char compilerWords[] = "ptxas: broken here";

EXPORTED int nvPTXCompilerGetErrorLogSize(Compilation *, size_t *size) {
  FAKE(enter);
  *size = sizeof(compilerWords) - 1;
  return CUDA_SUCCESS;
}

EXPORTED int nvPTXCompilerGetErrorLog(Compilation *, char *out) {
  FAKE(enter);
  std::memcpy(out, compilerWords, sizeof(compilerWords));
  return CUDA_SUCCESS;
}

EXPORTED int nvPTXCompilerDestroy(Compilation **compilation) {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  CUresult result = state().enter(__func__);
  if (!state().compilations.erase(*compilation))
    return state().misuse(__func__, "not a compilation");
  delete *compilation;
  *compilation = nullptr;
  return result;
}

/// Reads the words of a text.
static void parse(Module &module) {
  std::istringstream words(module.text);
  for (std::string word; words >> word;) {
    if (word == "kernel") {
      module.functions.push_back(std::make_unique<Function>());
      module.functions.back()->module = &module;
      words >> module.functions.back()->name;
    } else if (word == "shared") {
      words >> module.staticShared;
    } else if (word == "variables") {
      size_t count = 0;
      words >> count;
      module.variables.resize(count);
    }
  }
  for (auto &function : module.functions)
    function->dynamicShared = std::max(0, (48 << 10) - module.staticShared);
}

/// The variables' initial values, of a cubin that has them.
static void readVariables(Module &module, const char *cubin) {
  Elf64_Ehdr head;
  std::memcpy(&head, cubin, sizeof(head));
  if (!head.e_shnum)
    return;
  Elf64_Shdr section;
  std::memcpy(&section, cubin + head.e_shoff + sizeof(section), sizeof(section));
  std::memcpy(module.variables.data(), cubin + section.sh_offset + sizeof(uint64_t),
              module.variables.size() * sizeof(uint64_t));
}

EXPORTED CUresult cuModuleLoadDataEx(CUmodule *out, const void *image, unsigned count,
                                     int *options, void **values) {
  FAKE(enterContext);
  auto *text = static_cast<const char *>(image);
  const bool isCubin = std::memcmp(text, ELFMAG, SELFMAG) == 0;
  if (isCubin)
    text += sizeof(Elf64_Ehdr);
  if (isBroken(text)) {
    say(errorBuffer(count, options, values), "ptxas fatal: line 3: broken\n");
    return CUDA_ERROR_INVALID_PTX;
  }
  auto *module = new Module{current, text, {}, 0, {}};
  parse(*module);
  if (isCubin && !module->variables.empty())
    readVariables(*module, static_cast<const char *>(image));
  state().modules.insert(module);
  *out = reinterpret_cast<CUmodule>(module);
  return CUDA_SUCCESS;
}

static CUresult enterModule(const char *symbol, CUmodule module) {
  if (!state().modules.count(unwrap(module)))
    return state().misuse(symbol, "not a module");
  return state().enterContextOf(symbol, unwrap(module)->context);
}

EXPORTED CUresult cuModuleUnload(CUmodule module) {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  CUresult result = enterModule(__func__, module);
  if (!state().modules.count(unwrap(module)) || (current && current->dead))
    return result;
  state().runAll(); // what runs holds its module
  state().modules.erase(unwrap(module));
  delete unwrap(module);
  return result;
}

EXPORTED CUresult cuModuleGetFunction(CUfunction *out, CUmodule module,
                                      const char *name) {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  if (CUresult failure = enterModule(__func__, module))
    return failure;
  for (auto &function : unwrap(module)->functions)
    if (function->name == name) {
      *out = reinterpret_cast<CUfunction>(function.get());
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_NOT_FOUND;
}

EXPORTED CUresult cuModuleGetGlobal_v2(CUdeviceptr *out, size_t *size, CUmodule module,
                                       const char *name) {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  if (CUresult failure = enterModule(__func__, module))
    return failure;
  std::vector<uint64_t> &variables = unwrap(module)->variables;
  if (variables.empty() || std::strcmp(name, "het$variables") != 0)
    return CUDA_ERROR_NOT_FOUND;
  *out = reinterpret_cast<CUdeviceptr>(variables.data());
  *size = variables.size() * sizeof(uint64_t);
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t size) {
  FAKE(enterContext);
  std::memcpy(reinterpret_cast<void *>(to), from, size);
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
  FAKE(enterContextOf, unwrap(function)->module->context);
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = unwrap(function)->module->staticShared;
    break;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = unwrap(function)->dynamicShared;
    break;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    *value = 40;
    break;
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = unwrap(function)->name == "park" HET_SUSPEND_RESUME ? state().resumedThreads
                                                                 : 1024;
    break;
  default:
    *value = 8;
  }
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
  FAKE(enterContextOf, unwrap(function)->module->context);
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 ||
      value + unwrap(function)->module->staticShared > sharedLimit)
    return CUDA_ERROR_INVALID_VALUE;
  unwrap(function)->dynamicShared = value;
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                              CUfunction function,
                                                              int threads,
                                                              size_t dynamicShared) {
  FAKE(enterContextOf, unwrap(function)->module->context);
  if (threads <= 0 || threads > 1024)
    return CUDA_ERROR_INVALID_VALUE;
  const bool fits = dynamicShared <= static_cast<size_t>(unwrap(function)->dynamicShared);
  *blocks = fits ? 2048 / threads : 0;
  return CUDA_SUCCESS;
}

/// The arguments of a launch, copied one after the other.
static std::vector<char> readArguments(const std::string &kernel, void **parameters) {
  std::vector<char> out;
  for (uint32_t size : parameterSizes(kernel)) {
    auto *argument = static_cast<const char *>(*parameters++);
    out.insert(out.end(), argument, argument + size);
  }
  if (isPark(kernel)) {
    auto *record = static_cast<const char *>(*parameters);
    out.insert(out.end(), record, record + sizeof(HetSuspendRecord));
  }
  return out;
}

template <class T> static T argument(const std::vector<char> &arguments, size_t at) {
  T value = {};
  std::memcpy(&value, arguments.data() + at, sizeof(value));
  return value;
}

/// The kernel "park" (FakeDriver.h), of so many blocks.
static void park(const std::string &form, const std::vector<char> &arguments,
                 uint64_t blocks) {
  state().runAll(); // other streams' work is done in the mean time
  auto &sum = *reinterpret_cast<uint32_t *>(argument<uint64_t>(arguments, 0));
  const auto record = argument<HetSuspendRecord>(arguments, 8);
  state().pollInterval = record.pollInterval;
  auto &counts = *reinterpret_cast<HetSuspendCounts *>(record.counts);
  auto *before = reinterpret_cast<const uint8_t *>(record.before);
  auto *after = reinterpret_cast<uint8_t *>(record.after);
  auto *places = reinterpret_cast<uint32_t *>(record.places);
  auto *states = reinterpret_cast<uint8_t *>(record.states);
  const bool isSet = *reinterpret_cast<const uint32_t *>(record.flags);
  if (before && record.capacity && form == "park")
    sum += 1000;
  const uint64_t started = isSet ? std::exchange(state().startedBlocks, 0) : blocks;
  for (uint64_t i = 0; i < blocks; ++i) {
    const uint8_t status = before ? before[i] : uint8_t(HET_SUSPEND_UNSTARTED);
    if (status == HET_SUSPEND_ENDED)
      continue;
    const uint64_t flag = record.flags + i % HET_SUSPEND_FLAGS * HET_SUSPEND_FLAG_STRIDE;
    if (*reinterpret_cast<const uint32_t *>(flag) && i >= started) {
      after[i] = status + 1;
      ++counts.left;
    } else if (status == HET_SUSPEND_SUSPENDED) {
      const uint8_t *own = states + places[i] * record.placeBytes;
      const uint8_t number = i;
      const bool isOwn = own[0] == number && own[record.sharedOffset] == number &&
                         own[record.dynamicOffset] == number;
      sum += isOwn && !own[record.placeBytes - 1] ? 1 : 1000;
    } else if (isSet && i % 2 && counts.places < record.capacity) {
      places[i] = counts.places++;
      std::memset(states + places[i] * record.placeBytes, i, record.placeBytes);
      after[i] = HET_SUSPEND_SUSPENDED + 1;
    } else {
      ++sum;
    }
  }
}

static void run(Context *context, const Module *module, const std::string &name,
                const std::vector<char> &arguments, uint64_t blocks) {
  if (isPark(name))
    return park(name, arguments, blocks);
  if (name == "store")
    *reinterpret_cast<uint32_t *>(argument<uint64_t>(arguments, 0)) =
        argument<uint32_t>(arguments, 8);
  else if (name == "variable")
    *reinterpret_cast<uint64_t *>(argument<uint64_t>(arguments, 0)) =
        module->variables[0];
  else if (name == "trap")
    context->dead = CUDA_ERROR_LAUNCH_FAILED;
  else if (name == "die")
    context->dead = argument<CUresult>(arguments, 0);
}

CUresult fake::prepareLaunch(const char *symbol, const Launch &launch,
                             std::function<void()> &work) {
  auto [handle, grid, block, dynamicShared, parameters, cooperative] = launch;
  Function *function = unwrap(handle);
  Module *module = function->module;
  if (!state().modules.count(module) || module->context != current)
    return state().misuse(symbol, "not a function of the context");
  uint64_t threads = uint64_t(block[0]) * block[1] * block[2];
  uint64_t blocks = uint64_t(grid[0]) * grid[1] * grid[2];
  if (!threads || threads > 1024 || !blocks ||
      dynamicShared > static_cast<unsigned>(function->dynamicShared))
    return CUDA_ERROR_INVALID_VALUE;
  if (function->name == "fat")
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  if (cooperative && blocks > residentLimit)
    return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
  auto arguments = readArguments(function->name, parameters);
  work = [context = current, module, name = function->name, arguments, blocks] {
    run(context, module, name, arguments, blocks);
  };
  return CUDA_SUCCESS;
}

static CUresult launch(const char *symbol, CUstream stream, const Launch &launch) {
  std::lock_guard<std::recursive_mutex> lock(state().mutex);
  if (!state().streams.count(unwrap(stream)))
    return state().misuse(symbol, "not a stream");
  if (CUresult failure = state().enterContextOf(symbol, unwrap(stream)->context))
    return failure;
  std::function<void()> work;
  if (CUresult failure = prepareLaunch(symbol, launch, work))
    return failure;
  state().cooperative = launch.cooperative;
  unwrap(stream)->work.push_back(work);
  return CUDA_SUCCESS;
}

EXPORTED CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY,
                                 unsigned gridZ, unsigned blockX, unsigned blockY,
                                 unsigned blockZ, unsigned dynamicShared, CUstream stream,
                                 void **parameters, void **) {
  const unsigned grid[] = {gridX, gridY, gridZ}, block[] = {blockX, blockY, blockZ};
  state().programmatic = false;
  return launch(__func__, stream,
                {function, grid, block, dynamicShared, parameters, false});
}

#ifndef HET_FAKE_DRIVER_OLD
EXPORTED CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                                   void **parameters, void **) {
  bool cooperative = false, programmatic = false;
  for (unsigned i = 0; i < config->numAttrs; ++i)
    if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
      cooperative = config->attrs[i].value.cooperative;
    else if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
      programmatic = config->attrs[i].value.programmaticStreamSerializationAllowed;
  state().programmatic = programmatic;
  return launch(__func__, config->hStream,
                {function, config->gridDim, config->blockDim, config->sharedMemBytes,
                 parameters, cooperative});
}
#endif
