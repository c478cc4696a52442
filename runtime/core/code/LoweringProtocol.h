// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The protocol between the runtime and a lowering process (runtime/lowering): over a
// socket, a request and its reply by turns, each a length and that many bytes. Both are
// parts of one installation; only the sizes are held against limits.

#ifndef HET_RUNTIME_CORE_CODE_LOWERINGPROTOCOL_H
#define HET_RUNTIME_CORE_CODE_LOWERINGPROTOCOL_H

#include "het/Base/Bytes.h"
#include "het/Target/TargetABI.h"

#include <cerrno>
#include <cstring>
#include <optional>
#include <sys/socket.h>

namespace het::core::lowering {

/// Where the socket is in the lowering process.
inline constexpr int socketNumber = 3;

/// The most bytes of a request or a reply.
inline constexpr uint64_t maxMessage = uint64_t(1) << 31;

/// The first word of each message. Raised when one changes.
inline constexpr uint32_t protocolVersion = 2;

/// FindArch: the name is in `arch`. ExtractCode: the artifact is in `code`.
enum class Verb : uint8_t { Lower = 0, Explain = 1, FindArch = 2, ExtractCode = 3 };

/// Version, verb, plug-in's path, kernel, arch, options, path of the device library,
/// bytecode.
inline Bytes writeRequest(Verb verb, const std::string &plugin,
                          const HetLowerRequest &request) {
  ByteWriter writer;
  writer.u32(protocolVersion);
  writer.u8(static_cast<uint8_t>(verb));
  for (const char *text : {plugin.c_str(), request.kernel, request.arch, request.options,
                           request.devicelibPath})
    writer.string(text);
  writer.bytes({request.code, request.codeSize});
  return writer.take();
}

/// Whether the process serves on after its reply.
inline constexpr uint8_t servesOn = 0, ends = 1;

/// Version, that, a HET_ code, a message, what was written to stderr, and the artifact or
/// the HetExplanation, or, after FindArch, the version of the lowering and the
/// HetArchitecture's strings; after ExtractCode the file.
inline Bytes writeReply(int32_t code, std::string_view message, std::string_view output,
                        ByteView result) {
  ByteWriter writer;
  writer.u32(protocolVersion);
  writer.u8(servesOn);
  writer.u32(static_cast<uint32_t>(code));
  writer.string(message);
  writer.string(output);
  writer.bytes(result);
  return writer.take();
}

inline bool sendAll(int socket, const void *data, size_t size) {
  const char *next = static_cast<const char *>(data);
  while (size) {
    ssize_t sent = ::send(socket, next, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    next += sent;
    size -= static_cast<size_t>(sent);
  }
  return true;
}

inline bool receiveAll(int socket, void *data, size_t size) {
  char *next = static_cast<char *>(data);
  while (size) {
    ssize_t got = ::recv(socket, next, size, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    next += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

inline bool sendMessage(int socket, ByteView message) {
  const uint64_t size = message.size;
  return size <= maxMessage && sendAll(socket, &size, sizeof(size)) &&
         sendAll(socket, message.data, message.size);
}

/// Nothing where the other end has gone.
inline std::optional<Bytes> receiveMessage(int socket) {
  uint64_t size = 0;
  if (!receiveAll(socket, &size, sizeof(size)) || size > maxMessage)
    return std::nullopt;
  Bytes message(static_cast<size_t>(size));
  if (!receiveAll(socket, message.data(), message.size()))
    return std::nullopt;
  return message;
}

} // namespace het::core::lowering

#endif // HET_RUNTIME_CORE_CODE_LOWERINGPROTOCOL_H
