// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests of a program to the process that compiles for it (het-source-compiler), and
// its replies. They travel as the bytes of lowering's requests and artifacts. Both ends
// are parts of one installation.

#ifndef HET_PACKAGE_COMPILERRECORDS_H
#define HET_PACKAGE_COMPILERRECORDS_H

#include "het/Base/Bytes.h"

#include <optional>
#include <string>
#include <vector>

namespace het::rtc {

/// A file that is nowhere but in memory.
struct MemoryFile {
  std::string name; ///< As `#include` names it.
  std::string text;
};

/// nvrtcCompileProgram.
struct CompileRequest {
  MemoryFile source;
  std::vector<MemoryFile> headers;
  std::vector<std::string> options, expressions;
  std::string folder; ///< The program's working directory.
};

/// nvJitLinkComplete, cuLinkComplete.
struct LinkRequest {
  enum class Kind : uint8_t { Package, Text, Object };
  struct Input {
    Kind kind = Kind::Package;
    std::string name; ///< For messages.
    Bytes data;
  };
  std::vector<Input> inputs;
  std::vector<std::string> options;
};

enum class Outcome : uint8_t { Made, InvalidOption, Failed, NoTimeFile };

/// What becomes of a request of either kind.
struct Reply {
  Outcome outcome = Outcome::Failed;
  std::string log;
  std::vector<std::string> loweredNames; ///< In the order of the expressions.
  std::string text;                      ///< PTX, without a terminating null.
  Bytes package;                         ///< What stands for a cubin.
  Bytes relocatable;                     ///< What stands for LTO-IR.
};

/// The numbers of `-arch=sm_N` that are known, in order.
inline constexpr unsigned architectures[] = {50, 52,  53,  60,  61,  62,  70,
                                             72, 75,  80,  86,  87,  88,  89,
                                             90, 100, 101, 103, 110, 120, 121};

/// In HetLowerRequest::options.
inline constexpr const char *compileVerb = "compile", *linkVerb = "link";

namespace detail {

inline void write(ByteWriter &writer, const std::vector<std::string> &list) {
  writer.u32(static_cast<uint32_t>(list.size()));
  for (const std::string &text : list)
    writer.string(text);
}

inline std::vector<std::string> readStrings(ByteReader &reader) {
  std::vector<std::string> list(reader.count(4));
  for (std::string &text : list)
    text = reader.string();
  return list;
}

inline void write(ByteWriter &writer, const Bytes &bytes) {
  writer.u64(bytes.size());
  writer.bytes(bytes);
}

inline Bytes readBytes(ByteReader &reader) { return reader.bytes(reader.u64()).copy(); }

inline void write(ByteWriter &writer, const MemoryFile &file) {
  writer.string(file.name);
  writer.string(file.text);
}

inline MemoryFile readFile(ByteReader &reader) {
  MemoryFile file;
  file.name = reader.string();
  file.text = reader.string();
  return file;
}

} // namespace detail

inline Bytes writeRequest(const CompileRequest &request) {
  ByteWriter writer;
  detail::write(writer, request.source);
  writer.u32(static_cast<uint32_t>(request.headers.size()));
  for (const MemoryFile &header : request.headers)
    detail::write(writer, header);
  detail::write(writer, request.options);
  detail::write(writer, request.expressions);
  writer.string(request.folder);
  return writer.take();
}

/// Nothing for bytes that writeRequest() has not made.
inline std::optional<CompileRequest> readCompileRequest(ByteView bytes) {
  ByteReader reader(bytes);
  CompileRequest request;
  request.source = detail::readFile(reader);
  request.headers.resize(reader.count(8));
  for (MemoryFile &header : request.headers)
    header = detail::readFile(reader);
  request.options = detail::readStrings(reader);
  request.expressions = detail::readStrings(reader);
  request.folder = reader.string();
  return reader.finished() ? std::optional(std::move(request)) : std::nullopt;
}

inline Bytes writeRequest(const LinkRequest &request) {
  ByteWriter writer;
  writer.u32(static_cast<uint32_t>(request.inputs.size()));
  for (const LinkRequest::Input &input : request.inputs) {
    writer.u8(static_cast<uint8_t>(input.kind));
    writer.string(input.name);
    detail::write(writer, input.data);
  }
  detail::write(writer, request.options);
  return writer.take();
}

/// Nothing for bytes that writeRequest() has not made.
inline std::optional<LinkRequest> readLinkRequest(ByteView bytes) {
  ByteReader reader(bytes);
  LinkRequest request;
  request.inputs.resize(reader.count(13));
  for (LinkRequest::Input &input : request.inputs) {
    input.kind = static_cast<LinkRequest::Kind>(reader.u8());
    input.name = reader.string();
    input.data = detail::readBytes(reader);
    if (input.kind > LinkRequest::Kind::Object)
      reader.fail();
  }
  request.options = detail::readStrings(reader);
  return reader.finished() ? std::optional(std::move(request)) : std::nullopt;
}

inline Bytes writeReply(const Reply &reply) {
  ByteWriter writer;
  writer.u8(static_cast<uint8_t>(reply.outcome));
  writer.string(reply.log);
  detail::write(writer, reply.loweredNames);
  writer.string(reply.text);
  detail::write(writer, reply.package);
  detail::write(writer, reply.relocatable);
  return writer.take();
}

/// Nothing for bytes that writeReply() has not made.
inline std::optional<Reply> readReply(ByteView bytes) {
  ByteReader reader(bytes);
  Reply reply;
  reply.outcome = static_cast<Outcome>(reader.u8());
  reply.log = reader.string();
  reply.loweredNames = detail::readStrings(reader);
  reply.text = reader.string();
  reply.package = detail::readBytes(reader);
  reply.relocatable = detail::readBytes(reader);
  if (reply.outcome > Outcome::NoTimeFile)
    reader.fail();
  return reader.finished() ? std::optional(std::move(reply)) : std::nullopt;
}

} // namespace het::rtc

#endif // HET_PACKAGE_COMPILERRECORDS_H
