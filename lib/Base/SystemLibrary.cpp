// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens NVIDIA's libraries past the ones of ours under their names.

#include "het/Base/SystemLibrary.h"
#include "het/Base/Environment.h"

#include <dlfcn.h>
#include <link.h>

namespace het {

bool isStandIn(void *library) { return dlsym(library, "hetStandIn") != nullptr; }

bool hasStandIn(const std::string &file) {
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (!library)
    return false;
  const bool found = isStandIn(library);
  dlclose(library);
  return found;
}

void *openPastStandIns(const std::string &file, const std::vector<std::string> &folders,
                       int flags, std::string &reason) {
  void *library = dlopen(file.c_str(), flags);
  if (!library)
    reason = dlerror();
  if (library && !isStandIn(library))
    return library;
  if (library) {
    dlclose(library);
    reason = "only the stand-in that hetrun offers to programs";
  }
  std::vector<std::string> places = environment::list(Variable::LibraryPath, ':');
  places.insert(places.end(), folders.begin(), folders.end());
  for (const std::string &place : places) {
    library = dlopen((place + "/" + file).c_str(), flags);
    if (library && !isStandIn(library))
      return library;
    if (library)
      dlclose(library);
  }
  return nullptr;
}

std::string fileOf(void *library) {
  link_map *map = nullptr;
  return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map->l_name[0] ? map->l_name
                                                                       : "?";
}

} // namespace het
