// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds libhetrt for programs and libraries that were not linked by hetcc, and so have no
// run path to it. It is looked for
//
//   - in the process, which has one runtime;
//   - in the folders of LD_LIBRARY_PATH;
//   - in ../lib of the program or library that calls, if whoever owns that owns it;
//   - in the library folder of the hetcc that compiled its kernels;
//   - where the system looks: the caller's run path, ld.so.conf, /lib.
//
// As when a library that a program needs is missing, the process ends with status 127.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

/// The path of hetcc's own header in its library folder, as kernels' objects name it.
extern const char hetRuntimePlace[] __attribute__((weak, visibility("hidden")));

void *hetFindFunction(const char *name) __attribute__((visibility("hidden")));

static const char soname[] = HET_RUNTIME_SONAME;

/// The search, and what an error says about it.
struct Search {
  int flags;
  void *library;
  char tried[4 * PATH_MAX]; ///< Folders, between commas.
  char error[PATH_MAX];     ///< Why a file that is there could not be loaded.
};

static void append(char *text, size_t size, const char *format, ...) {
  const size_t length = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(text + length, size - length, format, arguments);
  va_end(arguments);
}

/// Tries `length` characters of a folder's name.
static void tryFolder(struct Search *search, const char *folder, size_t length) {
  char path[PATH_MAX];
  if (search->library || folder[0] != '/' || length + sizeof(soname) + 1 > sizeof(path))
    return;
  (void)snprintf(path, sizeof(path), "%.*s/%s", (int)length, folder, soname);
  append(search->tried, sizeof(search->tried), "%s%.*s", search->tried[0] ? ", " : "",
         (int)length, folder);
  if (access(path, F_OK) != 0)
    return;
  search->library = dlopen(path, search->flags);
  if (!search->library)
    (void)snprintf(search->error, sizeof(search->error), "%s", dlerror());
}

static void tryLibraryPath(struct Search *search) {
  const char *rest = secure_getenv("LD_LIBRARY_PATH");
  while (rest && *rest) {
    const size_t length = strcspn(rest, ":;");
    if (length)
      tryFolder(search, rest, length);
    rest += length + (rest[length] != 0);
  }
}

/// The real path of the running program; false if it cannot be told.
static int findProgram(char *path) {
  const char *started = (const char *)getauxval(AT_EXECFN);
  return realpath("/proc/self/exe", path) || (started && realpath(started, path));
}

/// Tries ../lib of the program or library.
static void tryBeside(struct Search *search, const char *name) {
  char path[PATH_MAX + sizeof("/../lib/") + sizeof(soname)], folder[PATH_MAX];
  struct stat own, found;
  if (getauxval(AT_SECURE) || !(*name ? realpath(name, path) != NULL : findProgram(path)) ||
      stat(path, &own) != 0)
    return;
  strcpy(strrchr(path, '/'), "/../lib");
  if (!realpath(path, folder))
    return;
  append(path, sizeof(path), "/%s", soname);
  if (stat(path, &found) == 0 && found.st_uid != own.st_uid && found.st_uid != 0)
    return;
  tryFolder(search, folder, strlen(folder));
}

/// Tries the library folder of the hetcc that compiled: two folders above its headers.
static void tryRecorded(struct Search *search) {
  static const char below[] = "/het/include/";
  if (!hetRuntimePlace)
    return;
  const char *end = NULL;
  for (const char *at = hetRuntimePlace; (at = strstr(at, below)); ++at)
    end = at;
  if (end)
    tryFolder(search, hetRuntimePlace, (size_t)(end - hetRuntimePlace));
}

__attribute__((noreturn)) static void fail(const char *thing, const char *found,
                                           const char *advice) {
  (void)fprintf(stderr, "hetcc: error: %s: %s; %s\n", thing, found, advice);
  (void)fflush(stderr);
  _exit(127);
}

__attribute__((noreturn)) static void failMissing(struct Search *search) {
  if (search->error[0])
    fail(soname, search->error, "install the runtime again");
  char text[sizeof(search->tried) + 100];
  (void)snprintf(text, sizeof(text), "found in none of %s%sthe system's library folders",
                 search->tried, search->tried[0] ? ", " : "");
  fail(soname, text,
       "install the runtime (libhetrt), name its folder in LD_LIBRARY_PATH, or start the "
       "program with hetrun");
}

static void *openRuntime(void) {
  struct Search search = {0};
  Dl_info info;
  struct link_map *map = NULL;
  const int known = dladdr1((void *)(size_t)openRuntime, &info, (void **)&map, RTLD_DL_LINKMAP);
  const char *name = known && map ? map->l_name : "";
  // What a program needs is there for the libraries that it loads.
  search.flags = RTLD_NOW | (*name ? RTLD_LOCAL : RTLD_GLOBAL);
  search.library = dlopen(soname, search.flags | RTLD_NOLOAD);
  tryLibraryPath(&search);
  tryBeside(&search, name);
  tryRecorded(&search);
  if (!search.library)
    search.library = dlopen(soname, search.flags);
  if (!search.library)
    failMissing(&search);
  return search.library;
}

void *hetFindFunction(const char *name) {
  static void *library;
  void *opened = __atomic_load_n(&library, __ATOMIC_ACQUIRE);
  if (!opened) { // twice at the same time is as good
    opened = openRuntime();
    __atomic_store_n(&library, opened, __ATOMIC_RELEASE);
  }
  void *function = dlsym(opened, name);
  if (!function) {
    char text[300];
    (void)snprintf(text, sizeof(text), "found no function %s", name);
    fail(soname, text, "the program needs a newer runtime: install it (libhetrt)");
  }
  return function;
}
