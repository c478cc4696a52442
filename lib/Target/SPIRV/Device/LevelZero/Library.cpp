// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening the Level Zero loader, and what its results mean.

#include "../../../Support/OpenOnce.h"
#include "LevelZero.h"
#include "het/Base/Environment.h"

#include <cstdio>
#include <dlfcn.h>

namespace het::spirv {
namespace {

/// Null where the library has all functions, else the first that it lacks.
const char *findFunctions(void *library, LevelZero &ze) {
#define LEVEL_ZERO_FUNCTION(name, parameters)                                            \
  ze.name.setAddress(dlsym(library, #name));                                             \
  if (!ze.name)                                                                          \
    return #name;
#include "LevelZeroFunctions.def"
  return nullptr;
}

/// Null with a status where the library can not be used.
std::unique_ptr<LevelZero> load(HetStatus *status) {
  const std::string file = environment::textOrDefault(Variable::LevelZeroLibrary);
  void *library = openDriver(file.c_str());
  if (!library) {
    report(status, HET_UNAVAILABLE,
           file + ": not found (" + dlerror() +
               "); install the Level Zero loader and a driver, or name a library in "
               "HET_LEVEL_ZERO_LIBRARY");
    return nullptr;
  }
  auto ze = std::make_unique<LevelZero>();
  const char *missing = findFunctions(library, *ze);
  if (!missing)
    return ze;
  report(status, HET_UNAVAILABLE,
         file + ": found no " + missing +
             ", expected Level Zero 1.6 or later; install a newer loader");
  dlclose(library);
  return nullptr;
}

enum class Kind { OTHER, LOST, MEMORY };

struct Result {
  ze_result_t number;
  Kind kind;
  const char *name, *text;
};

constexpr Result results[] = {
#define LEVEL_ZERO_RESULT(name, number, kind, text)                                      \
  {number, Kind::kind, "ZE_RESULT_" #name, text},
#include "LevelZeroResults.def"
};

const Result *find(ze_result_t number) {
  for (const Result &result : results)
    if (result.number == number)
      return &result;
  return nullptr;
}

bool isOf(ze_result_t number, Kind kind) {
  const Result *result = find(number);
  return result && result->kind == kind;
}

} // namespace

const LevelZero *LevelZero::open(HetStatus *status) {
  return target::openOnce<LevelZero>(status, load);
}

std::string resultText(ze_result_t number) {
  if (const Result *result = find(number))
    return std::string(result->text) + " (" + result->name + ")";
  char text[32];
  std::snprintf(text, sizeof(text), "ze_result_t 0x%x", number);
  return text;
}

bool isLost(ze_result_t result) { return isOf(result, Kind::LOST); }

bool isOutOfMemory(ze_result_t result) { return isOf(result, Kind::MEMORY); }

} // namespace het::spirv
