// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens the lowerings that --for names and asks them.

#include "NamedTarget.h"

#include "het/Base/File.h"

#include <filesystem>

namespace fs = std::filesystem;

namespace het {

std::string libraryFolder() {
  const fs::path self = programPath();
  return self.empty() ? "." : (self.parent_path().parent_path() / "lib").string();
}

std::string devicelibPath() { return libraryFolder() + "/het/devicelib.bc"; }

Result<NamedTarget> NamedTarget::open(const std::string &name) {
  const size_t colon = name.find(':');
  const std::string target = name.substr(0, colon);
  Result<std::shared_ptr<core::Target>> opened =
      core::Target::openForLowering(target, libraryFolder());
  if (!opened.ok())
    return opened.status();
  Result<core::NamedArch> arch =
      (*opened)->findArch(colon == std::string::npos ? "" : name.substr(colon + 1));
  if (!arch.ok())
    return Status{arch.status().code, arch.status().text(), "--for=" + name};
  return NamedTarget{*opened, name, arch.take()};
}

Result<std::vector<NamedTarget>>
NamedTarget::openAll(const std::vector<std::string> &names) {
  std::vector<NamedTarget> targets;
  for (const std::string &name : names) {
    Result<NamedTarget> target = open(name);
    if (!target.ok())
      return target.status();
    targets.push_back(target.take());
  }
  return targets;
}

Result<Bytes> NamedTarget::lower(ByteView code, const std::string &kernel,
                                 const std::string &options) const {
  const std::string devicelib = devicelibPath();
  const HetLowerRequest request = {code.data,         code.size,       kernel.c_str(),
                                   arch.arch.c_str(), options.c_str(), devicelib.c_str()};
  Result<Bytes> artifact = lowering->lower(request);
  if (artifact.ok())
    return artifact;
  return Status{artifact.status().code,
                "kernel '" + kernel + "' for " + kind(options).text() + ": " +
                    artifact.status().message,
                ""};
}

} // namespace het
