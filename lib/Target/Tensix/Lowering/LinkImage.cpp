// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The core's library, which this plug-in carries as an object and a linker script, and
// DeviceCode.c, as bitcode.

#include "../../Support/Lowering/TargetLowering.h"
#include "LowerKernel.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstring>
#include <mutex>

LLD_HAS_DRIVER(elf)

namespace het::tensix {

static const unsigned char deviceCode[] = {
#embed HET_TENSIX_DEVICE_CODE
};
static const unsigned char wormholeCore[] = {
#embed HET_TENSIX_WORMHOLE_CORE
};
static const unsigned char blackholeCore[] = {
#embed HET_TENSIX_BLACKHOLE_CORE
};
static const unsigned char linkerScript[] = {
#embed HET_TENSIX_LINKER_SCRIPT
};

template <size_t size> static llvm::StringRef textOf(const unsigned char (&bytes)[size]) {
  return llvm::StringRef(reinterpret_cast<const char *>(bytes), size);
}

llvm::StringRef coreLibrary(llvm::StringRef arch) {
  return arch == blackhole ? textOf(blackholeCore) : textOf(wormholeCore);
}

llvm::Error linkDeviceCode(llvm::Module &module) {
  return target::linkDeviceCode(module, textOf(deviceCode));
}

namespace {

/// A folder with the linker's inputs, and its output, until this goes.
class Folder {
public:
  static llvm::Expected<Folder> create() {
    Folder folder;
    if (std::error_code error =
            llvm::sys::fs::createUniqueDirectory("het-tensix", folder.path))
      return llvm::createStringError(error, "temporary directory: %s",
                                     error.message().c_str());
    return folder;
  }
  Folder(Folder &&other) : path(other.path) { other.path.clear(); }
  ~Folder() {
    if (!path.empty())
      llvm::sys::fs::remove_directories(path);
  }
  std::string file(llvm::StringRef name) const {
    llvm::SmallString<128> result = path;
    llvm::sys::path::append(result, name);
    return result.str().str();
  }

private:
  Folder() = default;
  llvm::SmallString<128> path;
};

llvm::Error writeFile(const std::string &path, llvm::StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (error)
    return llvm::createStringError(error, "%s: %s", path.c_str(),
                                   error.message().c_str());
  out << bytes;
  out.close();
  if ((error = out.error())) {
    out.clear_error();
    return llvm::createStringError(error, "%s: %s", path.c_str(),
                                   error.message().c_str());
  }
  return llvm::Error::success();
}

/// Runs lld in this process; one link at a time, since it has globals.
llvm::Error link(const Folder &folder, uint32_t stackLimit) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  std::string script = "-T" + folder.file("Core.ld"), messages;
  std::string limit = "--defsym=hetStackLimit=" + std::to_string(stackLimit);
  std::string object = folder.file("kernel.o"), library = folder.file("Core.o");
  std::string image = folder.file("image");
  llvm::raw_string_ostream out(messages);
  const char *arguments[] = {"ld.lld",       "-melf32lriscv",   "--gc-sections",
                             "--no-relax",   "--threads=1",     "--oformat=binary",
                             limit.c_str(),
                             script.c_str(), "-o",              image.c_str(),
                             object.c_str(), library.c_str()};
  lld::Result result =
      lld::lldMain(arguments, out, out, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return llvm::createStringError("linking with the core's library: %s",
                                   messages.c_str());
  return llvm::Error::success();
}

} // namespace

llvm::Expected<llvm::SmallVector<char, 0>> linkImage(llvm::StringRef object,
                                                     llvm::StringRef arch,
                                                     uint32_t stackLimit,
                                                     uint32_t &memoryBytes) {
  llvm::Expected<Folder> folder = Folder::create();
  if (!folder)
    return folder.takeError();
  const std::pair<const char *, llvm::StringRef> files[] = {
      {"kernel.o", object},
      {"Core.o", coreLibrary(arch)},
      {"Core.ld", textOf(linkerScript)}};
  for (auto [name, bytes] : files)
    if (llvm::Error error = writeFile(folder->file(name), bytes))
      return error;
  if (llvm::Error error = link(*folder, stackLimit))
    return error;
  auto buffer = llvm::MemoryBuffer::getFile(folder->file("image"), false, false);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "the linker's image: %s",
                                   buffer.getError().message().c_str());
  if ((*buffer)->getBufferSize() < sizeof(HetTensixImage))
    return llvm::createStringError("the linker made no image");
  HetTensixImage head;
  std::memcpy(&head, (*buffer)->getBufferStart(), sizeof(head));
  memoryBytes = head.end - HET_TENSIX_IMAGE;
  return llvm::SmallVector<char, 0>((*buffer)->getBufferStart(),
                                    (*buffer)->getBufferEnd());
}

} // namespace het::tensix
