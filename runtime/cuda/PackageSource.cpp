// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding a package: embedded in a module of the program, or beside it.

#include "PackageSource.h"

#include "het/Base/Environment.h"
#include "het/Base/File.h"
#include "het/Package/Package.h"
#include "het/Package/PackageReference.h"
#include "het/Package/ProgramPackages.h"

#include <dlfcn.h>
#include <link.h>
#include <optional>
#include <unistd.h>

namespace het::cuda {

static std::string folderOf(const std::string &path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

/// The folder of the running program; empty if it cannot be told.
static std::string programFolder() { return folderOf(programPath()); }

/// The path of the library that holds this address; nothing where none does. It is empty
/// for the program itself.
static std::optional<std::string> libraryOf(const void *address) {
  Dl_info info;
  link_map *map = nullptr;
  if (!dladdr1(address, &info, reinterpret_cast<void **>(&map), RTLD_DL_LINKMAP) || !map)
    return std::nullopt;
  return map->l_name;
}

/// The file of the program or library that holds this address.
static std::string moduleOf(const void *address) {
  Dl_info info;
  if (dladdr(address, &info) && info.dli_fname)
    return info.dli_fname;
  return "this program";
}

static PackageSource sourceOf(Bytes file, std::string origin) {
  PackageSource source;
  source.file = std::make_unique<const Bytes>(std::move(file));
  source.bytes = *source.file;
  source.origin = std::move(origin);
  return source;
}

/// Looks for the package of the module that holds this record.
static Result<PackageSource> openBeside(const std::string &name, const void *record) {
  std::vector<std::string> folders{programFolder()};
  if (const std::optional<std::string> library = libraryOf(record);
      library && !library->empty())
    folders.insert(folders.begin(), folderOf(*library));
  for (std::string &folder : environment::list(Variable::PackagePath, ':'))
    folders.push_back(std::move(folder));
  std::string tried;
  for (const std::string &folder : folders) {
    std::string path = folder + "/" + name;
    if (access(path.c_str(), F_OK) == 0) {
      Result<Bytes> file = readFile(path);
      if (!file.ok())
        return file.status();
      return sourceOf(file.take(), path);
    }
    tried += (tried.empty() ? "" : ", ") + path;
  }
  return unavailable("package " + name + ": found in none of " + tried +
                     "; put it beside the program or the library that it belongs to, or "
                     "name its folder in "
                     "HET_PACKAGE_PATH");
}

static Result<PackageSource> followReference(const void *record) {
  Result<std::string> name = readPackageReference(record);
  if (!name.ok())
    return name.status().from(moduleOf(record));
  return openBeside(*name, record);
}

/// A name of the program's file, whatever its own name is by now.
static std::string programFile() {
  const std::string file = "/proc/thread-self/exe";
  return access(file.c_str(), F_OK) == 0 ? file : programPath();
}

/// The package in a section of the file that holds the record.
static Result<PackageSource> followSectionReference(const void *record) {
  const std::optional<std::string> library = libraryOf(record);
  const bool isProgram = !library || library->empty();
  Result<Bytes> package =
      readReferencedPackage(record, isProgram ? programFile() : *library);
  const std::string name = moduleOf(record);
  if (!package.ok())
    return package.status();
  return sourceOf(package.take(), "package in " + name);
}

HeldLibrary holdLibraryOf(const void *data) {
  const std::optional<std::string> path = libraryOf(data);
  void *library =
      path && !path->empty() ? dlopen(path->c_str(), RTLD_LAZY | RTLD_NOLOAD) : nullptr;
  return library ? HeldLibrary(library, dlclose) : nullptr;
}

void keepIfInLibrary(PackageSource &source) {
  const std::optional<std::string> library = libraryOf(source.bytes.data);
  if (source.file || (library && library->empty()))
    return;
  source.file = std::make_unique<const Bytes>(source.bytes.data,
                                              source.bytes.data + source.bytes.size);
  source.bytes = *source.file;
}

Result<PackageSource> sourceFromBytes(const void *data, size_t size, std::string origin) {
  PackageSource source;
  source.bytes = ByteView(static_cast<const uint8_t *>(data), size);
  source.origin = std::move(origin);
  return source;
}

Result<PackageSource> findPackage(const void *data) {
  if (!data)
    return invalid("fat binary: found no data; build the program with hetcc");
  ByteView magic(static_cast<const uint8_t *>(data), referenceMagic.size());
  if (hasReferenceMagic(magic))
    return followReference(data);
  if (hasSectionReferenceMagic(magic))
    return followSectionReference(data);
  std::string origin = "package embedded in " + moduleOf(data);
  Result<uint64_t> size = Package::sizeOf(data);
  if (!size.ok())
    return size.status().from(origin);
  PackageSource source;
  source.bytes = ByteView(static_cast<const uint8_t *>(data), *size);
  source.origin = std::move(origin);
  return source;
}

} // namespace het::cuda
