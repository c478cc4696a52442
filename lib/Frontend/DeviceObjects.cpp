// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the parts of a device link in objects and archives.

#include "DeviceObjects.h"

#include "het/Frontend/DeviceLink.h"
#include "het/Package/Package.h"

#include "llvm/Object/Archive.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <functional>

using namespace het;
using llvm::StringRef;

namespace {

/// Called with each section that holds parts.
using Visit = std::function<llvm::Error(StringRef contents, const std::string &origin)>;

} // namespace

static llvm::Error visitObject(llvm::MemoryBufferRef buffer, const std::string &origin,
                               const Visit &visit) {
  if (llvm::identify_magic(buffer.getBuffer()) != llvm::file_magic::elf_relocatable)
    return llvm::Error::success();
  auto object = llvm::object::ObjectFile::createELFObjectFile(buffer);
  if (!object)
    return object.takeError();
  for (const llvm::object::SectionRef &section : (*object)->sections()) {
    llvm::Expected<StringRef> name = section.getName();
    if (!name)
      return name.takeError();
    if (*name != deviceSection)
      continue;
    llvm::Expected<StringRef> contents = section.getContents();
    if (!contents)
      return contents.takeError();
    if (llvm::Error error = visit(*contents, origin))
      return error;
  }
  return llvm::Error::success();
}

static llvm::Error visitArchive(llvm::MemoryBufferRef buffer, const std::string &origin,
                                const Visit &visit) {
  auto archive = llvm::object::Archive::create(buffer);
  if (!archive)
    return archive.takeError();
  llvm::Error error = llvm::Error::success();
  for (const llvm::object::Archive::Child &child : (*archive)->children(error)) {
    auto member = child.getMemoryBufferRef();
    if (!member) {
      llvm::consumeError(std::move(error));
      return member.takeError();
    }
    StringRef name = member->getBufferIdentifier();
    if (llvm::Error inner =
            visitObject(*member, (origin + "(" + name + ")").str(), visit)) {
      llvm::consumeError(std::move(error));
      return inner;
    }
  }
  return error;
}

/// Calls `visit` with each section of an object or archive that holds parts.
static llvm::Error visitBytes(llvm::MemoryBufferRef bytes, const std::string &name,
                              const Visit &visit) {
  const llvm::file_magic kind = llvm::identify_magic(bytes.getBuffer());
  llvm::Error error = kind == llvm::file_magic::archive ? visitArchive(bytes, name, visit)
                                                        : visitObject(bytes, name, visit);
  return error ? llvm::createFileError(name, std::move(error)) : llvm::Error::success();
}

static llvm::Error visitFile(const std::string &file, const Visit &visit) {
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createFileError(file, buffer.getError());
  return visitBytes(**buffer, file, visit);
}

/// Cuts a section into packages. `ld -r` puts those of several objects behind each other,
/// with zeros between them.
static llvm::Error cutParts(StringRef contents, const std::string &origin,
                            std::vector<DevicePart> &parts) {
  const ByteView all{std::string_view(contents)};
  size_t offset = 0;
  while (offset < all.size) {
    if (all.data[offset] == 0) {
      ++offset;
      continue;
    }
    std::optional<ByteView> header = all.slice(offset, Package::headerSize());
    if (!header)
      return llvm::createStringError("section %s: found the end inside of a package, "
                                     "expected all of it; compile the file again",
                                     deviceSection);
    Result<uint64_t> size = Package::sizeOf(header->data);
    if (!size.ok())
      return llvm::createStringError("section %s: %s; compile the file again",
                                     deviceSection, size.status().message.c_str());
    std::optional<ByteView> package = all.slice(offset, *size);
    if (!package)
      return llvm::createStringError("section %s: found the end inside of a package, "
                                     "expected all of it; compile the file again",
                                     deviceSection);
    parts.push_back({origin, package->copy()});
    offset += package->size;
  }
  return llvm::Error::success();
}

llvm::Error het::readDeviceParts(const std::string &file,
                                 std::vector<DevicePart> &parts) {
  return visitFile(file, [&](StringRef contents, const std::string &origin) {
    return cutParts(contents, origin, parts);
  });
}

llvm::Error het::readDeviceParts(ByteView bytes, const std::string &name,
                                 std::vector<DevicePart> &parts) {
  return visitBytes({bytes.text(), name}, name,
                    [&](StringRef contents, const std::string &origin) {
                      return cutParts(contents, origin, parts);
                    });
}

bool het::hasDeviceParts(const std::string &file) {
  bool found = false;
  llvm::consumeError(visitFile(file, [&](StringRef, const std::string &) {
    found = true;
    return llvm::Error::success();
  }));
  return found;
}
