// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of one line for each thing: "file SIZE TIME PATH", "header NAME", and at the end
// "names NAME NAME ...".

#include "PreludeIndex.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace het;
using llvm::StringRef;

static bool readFileLine(StringRef line, PreludeIndex &index) {
  PreludeIndex::File file;
  auto [size, rest] = line.split(' ');
  auto [time, path] = rest.split(' ');
  if (size.getAsInteger(10, file.size) || time.getAsInteger(10, file.time) ||
      path.empty())
    return false;
  file.path = path.str();
  index.files.push_back(std::move(file));
  return true;
}

std::optional<PreludeIndex> PreludeIndex::parse(ByteView text) {
  PreludeIndex index;
  StringRef rest(reinterpret_cast<const char *>(text.data), text.size);
  while (!rest.empty()) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (line.consume_front("names ")) {
      index.names = (" " + line).str();
      return rest.empty() ? std::optional(std::move(index)) : std::nullopt;
    }
    if (line.consume_front("header "))
      index.headers.push_back(line.str());
    else if (!line.consume_front("file ") || !readFileLine(line, index))
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Bytes> PreludeIndex::toBytes() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const File &file : files) {
    if (StringRef(file.path).contains('\n'))
      return std::nullopt;
    stream << "file " << file.size << ' ' << file.time << ' ' << file.path << '\n';
  }
  for (const std::string &header : headers)
    stream << "header " << header << '\n';
  stream << "names" << names << '\n';
  return Bytes(text.begin(), text.end());
}

static PreludeIndex::File fileAt(StringRef path) {
  namespace fs = llvm::sys::fs;
  fs::file_status status;
  if (fs::status(path, status))
    return {path.str(), 0, -1};
  return {path.str(), fs::is_directory(status) ? 0 : status.getSize(),
          status.getLastModificationTime().time_since_epoch().count()};
}

void PreludeIndex::addFile(StringRef path) { files.push_back(fileAt(path)); }

bool PreludeIndex::isCurrent() const {
  return llvm::all_of(files, [](const File &file) {
    const File now = fileAt(file.path);
    return now.size == file.size && now.time == file.time;
  });
}

bool PreludeIndex::mentions(StringRef macro) const {
  return StringRef(names).contains((" " + macro + " ").str());
}

bool PreludeIndex::isShadowedBy(StringRef folder) const {
  if (!llvm::sys::fs::is_directory(folder))
    return false;
  for (const std::string &header : headers) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, header);
    if (llvm::sys::fs::exists(path))
      return true;
  }
  return false;
}
