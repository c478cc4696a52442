// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file system with files in memory: the source in the program's working folder, and
// headers in a folder that nobody has.

#include "MemorySource.h"
#include "Import.h"
#include "RunTimeSource.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace het;
using llvm::StringRef;
namespace path = llvm::sys::path;

/// Where headers in memory are. Deep, since their names may begin with "../".
static constexpr StringRef headersFolder = "/.het-headers-in-memory/1/2/3/4/5/6/7/8";

namespace {

/// NVRTC's sources find no <stddef.h> unless they bring it.
class FilesWithoutLibrary : public llvm::vfs::ProxyFileSystem {
public:
  FilesWithoutLibrary(llvm::IntrusiveRefCntPtr<FileSystem> files, StringRef resourceDir)
      : ProxyFileSystem(std::move(files)), resources((resourceDir + "/include/").str()) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override {
    if (isHidden(path))
      return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::status(path);
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override {
    if (isHidden(path))
      return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::openFileForRead(path);
  }

private:
  bool isHidden(const llvm::Twine &path) const {
    llvm::SmallString<128> storage;
    StringRef name = path.toStringRef(storage);
    return name.consume_front(resources) && !name.empty() &&
           !name.starts_with("__clang_cuda");
  }

  std::string resources;
};

} // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
het::filesOf(const CompileOptions &options) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> machine =
      llvm::vfs::createPhysicalFileSystem();
  const SourceInMemory *source = options.inMemory;
  if (!source)
    return machine;
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  // A folder that has gone is no reason to fail.
  (void)machine->setCurrentWorkingDirectory(source->folder);
  (void)memory->setCurrentWorkingDirectory(source->folder);
  const std::string text = withNameExpressions(*source);
  const std::string path = pathOf(options);
  memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text, path));
  for (const auto &[name, header] : source->headers) {
    const std::string place =
        path::is_absolute(name) ? name : (headersFolder + "/" + name).str();
    memory->addFile(place, 0, llvm::MemoryBuffer::getMemBuffer(header, place));
  }
  auto all = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::makeIntrusiveRefCnt<FilesWithoutLibrary>(std::move(machine),
                                                     resourceDirOf(options)));
  all->pushOverlay(std::move(memory));
  return all;
}

std::string het::pathOf(const CompileOptions &options) {
  const std::string &name = options.inputFile;
  if (options.inMemory && options.inMemory->besideHeaders && !path::is_absolute(name))
    return (headersFolder + "/" + name).str();
  // Not an option.
  return options.inMemory && StringRef(name).starts_with("-") ? "./" + name : name;
}

std::vector<std::string> het::memoryArguments() {
  return {"-nostdlibinc", "-nostdinc++", "-I" + headersFolder.str(),
          ("-fmacro-prefix-map=" + headersFolder + "/=").str()};
}

void het::restoreNames(std::string &text) {
  const std::string folder = (headersFolder + "/").str();
  for (size_t at = 0; (at = text.find(folder, at)) != std::string::npos;)
    text.erase(at, folder.size());
}
