// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The object of a device link. It carries the linked package, and defines for each file
// of the link the function that this file's constructor calls with its names of kernels
// and variables. So a file whose device code is linked nowhere is an undefined symbol of
// the host's link, as with nvcc.

#include "Compilation.h"

#include "het/Base/File.h"
#include "het/Frontend/DeviceLink.h"

using namespace het;
using namespace het::driver;

/// C, for any host compiler. What follows calls LINKED for each file.
static constexpr const char *registrationSource = R"(
extern int atexit(void (*)(void));
extern void **__cudaRegisterFatBinary(void *);
extern void __cudaRegisterFatBinaryEnd(void **);
extern void __cudaUnregisterFatBinary(void **);

extern const char linkedPackage[] __attribute__((visibility("hidden")));

static struct {
  unsigned magic, version;
  const void *data;
  void *unused;
} wrapper __attribute__((section(".nvFatBinSegment"))) = {0x466243b1, 1, linkedPackage, 0};

static void **handle;

static void leave(void) { __cudaUnregisterFatBinary(handle); }

static void enter(void (*registerNames)(void **)) {
  if (!handle) {
    handle = __cudaRegisterFatBinary(&wrapper);
    atexit(leave);
  }
  registerNames(handle);
  __cudaRegisterFatBinaryEnd(handle);
}

#define LINKED(id)                                                                       \
  __attribute__((visibility("hidden"))) void __cudaRegisterLinkedBinary_##id(            \
      void (*registerNames)(void **), void *wrapper, void *name, void *callback) {       \
    enter(registerNames);                                                                \
  }

)";

/// The package as a part of the source: the assembler reads the file.
static std::string includePackage(llvm::StringRef path) {
  std::string escaped;
  for (char c : path) { // in a string of assembly, inside of one of C
    if (c == '"' || c == '\\')
      escaped += "\\\\\\";
    escaped += c;
  }
  return "__asm__(\".pushsection .nv_fatbin,\\\"a\\\"\\n.balign 8\\nlinkedPackage:\\n"
         ".incbin \\\"" +
         escaped + "\\\"\\n.popsection\");\n";
}

static llvm::Error write(const std::string &path, ByteView contents) {
  if (Status status = writeFileAtomically(path, contents); !status.ok())
    return llvm::createStringError(status.text());
  return llvm::Error::success();
}

llvm::Error het::driver::linkForDevice(const Job &job) {
  std::vector<DevicePart> parts;
  for (const std::string &file : job.linked)
    if (llvm::Error error = readDeviceParts(file, parts))
      return error;
  if (parts.empty()) // a build system links all its targets this way
    return write(job.registration, ByteView(std::string_view("/* no device code */\n")));
  llvm::Expected<LinkedDevice> linked = linkDevice(parts, job.compile);
  if (!linked)
    return linked.takeError();
  llvm::Expected<Bytes> embedded = placePackage(job, std::move(linked->package));
  if (!embedded)
    return embedded.takeError();
  if (llvm::Error error = write(job.linkedPackage, *embedded))
    return error;
  std::string source = includePackage(job.linkedPackage) + registrationSource;
  for (const std::string &id : linked->ids)
    source += "LINKED(" + id + ")\n";
  return write(job.registration, ByteView(std::string_view(source)));
}
