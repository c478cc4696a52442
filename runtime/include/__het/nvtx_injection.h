// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How NVTX finds a tool: at a program's first NVTX call the library that
// NVTX_INJECTION64_PATH names is loaded, and fills in the functions that it wants to be
// called. Without one, a call costs a load and a test. The tables are the same as those
// of NVIDIA's headers, so any tool works with either.

#ifndef HET_NVTX_INJECTION_H
#define HET_NVTX_INJECTION_H

#include "__het/nvtx_types.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/auxv.h>

/* The modules' numbers, and how many functions each has at most. */
enum {
  hetNvtxCore = 1,
  hetNvtxCuda = 2,
  hetNvtxCudaRt = 4,
  hetNvtxCore2 = 5,
  hetNvtxSync = 6,
  hetNvtxModules = 7,
  hetNvtxFunctions = 16
};

typedef void (*hetNvtxFunction)(void);

struct hetNvtxTables {
  int state; /* 0: not looked for; 1: being loaded; 2: done */
  hetNvtxFunction functions[hetNvtxModules][hetNvtxFunctions];
  hetNvtxFunction *places[hetNvtxModules][hetNvtxFunctions + 1];
};

/* One in each program or library, however many of its files include this. */
__attribute__((weak, visibility("hidden"))) struct hetNvtxTables hetNvtx3Tables;

struct hetNvtxCallbacks {
  size_t size;
  int (*getFunctionTable)(int module, hetNvtxFunction ***table, unsigned int *size);
};

struct hetNvtxVersion {
  size_t size;
  uint32_t version, reserved;
  void (*setInjectionVersion)(uint32_t version);
};

static inline __attribute__((unused)) int
hetNvtxGetFunctionTable(int module, hetNvtxFunction ***table, unsigned int *size) {
  static const unsigned int sizes[hetNvtxModules] = {0, 16, 9, 0, 7, 16, 7};
  unsigned int id;
  if (module < 0 || module >= hetNvtxModules || !sizes[module])
    return 0;
  for (id = 1; id < sizes[module]; ++id)
    hetNvtx3Tables.places[module][id] = &hetNvtx3Tables.functions[module][id];
  if (size)
    *size = sizes[module];
  if (table)
    *table = hetNvtx3Tables.places[module];
  return 1;
}

static inline __attribute__((unused)) void hetNvtxSetInjectionVersion(uint32_t version) {
  (void)version;
}

static inline __attribute__((unused)) const void *hetNvtxGetExportTable(uint32_t id) {
  static const struct hetNvtxCallbacks callbacks = {sizeof(struct hetNvtxCallbacks),
                                                    hetNvtxGetFunctionTable};
  static const struct hetNvtxVersion version = {
      sizeof(struct hetNvtxVersion), NVTX_VERSION, 0, hetNvtxSetInjectionVersion};
  return id == 1 ? (const void *)&callbacks : id == 3 ? (const void *)&version : NULL;
}

/* A library that does not want to be used says so by 0. */
static inline __attribute__((unused)) void hetNvtxLoad(void) {
  typedef int (*Initialise)(const void *(*)(uint32_t));
  const char *path = getauxval(AT_SECURE) ? NULL : getenv("NVTX_INJECTION64_PATH");
  void *library = path && *path ? dlopen(path, RTLD_LAZY) : NULL;
  Initialise initialise =
      library ? (Initialise)(size_t)dlsym(library, "InitializeInjectionNvtx2") : NULL;
  if (library && (!initialise || !initialise(hetNvtxGetExportTable)))
    dlclose(library);
}

static inline __attribute__((unused)) hetNvtxFunction hetNvtxFind(int module, int id) {
  struct hetNvtxTables *tables = &hetNvtx3Tables;
  int fresh = 0;
  if (__atomic_load_n(&tables->state, __ATOMIC_ACQUIRE) == 2)
    return tables->functions[module][id];
  if (__atomic_compare_exchange_n(&tables->state, &fresh, 1, 0, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE)) {
    hetNvtxLoad();
    __atomic_store_n(&tables->state, 2, __ATOMIC_RELEASE);
  }
  while (__atomic_load_n(&tables->state, __ATOMIC_ACQUIRE) != 2)
    sched_yield();
  return tables->functions[module][id];
}

/* libnvToolsExt has these as functions of its own. */
#ifndef HET_NVTX_API
#define HET_NVTX_API static inline __attribute__((unused))
#endif
#define HET_NVTX_VOID(module, id, name, parameters, arguments)                           \
  HET_NVTX_API void name parameters {                                                    \
    void(*function) parameters = (void(*) parameters)hetNvtxFind(module, id);            \
    if (function)                                                                        \
      function arguments;                                                                \
  }
#define HET_NVTX_VALUE(module, id, type, name, parameters, arguments, otherwise)         \
  HET_NVTX_API type name parameters {                                                    \
    type(*function) parameters = (type(*) parameters)hetNvtxFind(module, id);            \
    return function ? function arguments : otherwise;                                    \
  }

#endif // HET_NVTX_INJECTION_H
