// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One link: inputs of all kinds become parts of a device link.

#include "het/Frontend/DeviceLink.h"
#include "het/Frontend/PtxText.h"
#include "het/Package/PackageText.h"
#include "het/RuntimeCompilation/RuntimeCompilation.h"

#include "llvm/Support/raw_ostream.h"

using namespace het;
using namespace het::rtc;
using llvm::StringRef;

static llvm::Error addText(const LinkRequest::Input &input,
                           std::vector<DevicePart> &parts) {
  const std::string_view text(reinterpret_cast<const char *>(input.data.data()),
                              input.data.size());
  if (holdsPackage(text)) {
    Result<Bytes> package = readPackageText(text, input.name);
    if (!package.ok())
      return llvm::createStringError(package.status().text());
    parts.push_back({input.name, package.take(), /*mayBeWhole=*/true});
    return llvm::Error::success();
  }
  llvm::Expected<Bytes> package = compilePtxText(text);
  if (!package)
    return llvm::createStringError(input.name + ": " +
                                   llvm::toString(package.takeError()));
  parts.push_back({input.name, std::move(*package), /*mayBeWhole=*/true});
  return llvm::Error::success();
}

static llvm::Error add(LinkRequest::Input &input, std::vector<DevicePart> &parts) {
  switch (input.kind) {
  case LinkRequest::Kind::Package:
    parts.push_back({input.name, std::move(input.data), /*mayBeWhole=*/true});
    return llvm::Error::success();
  case LinkRequest::Kind::Text:
    return addText(input, parts);
  case LinkRequest::Kind::Object:
    return readDeviceParts(input.data, input.name, parts);
  }
  llvm_unreachable("all kinds are read");
}

/// The architecture that the text names: "-arch=sm_80".
static std::string archOf(const std::vector<std::string> &options) {
  for (StringRef option : options)
    if (option.consume_front("-arch=") &&
        (option.consume_front("sm_") || option.consume_front("compute_")))
      return ("sm_" + option.take_while(llvm::isDigit)).str();
  return "sm_52";
}

Reply rtc::link(const LinkRequest &request) {
  Reply reply;
  llvm::raw_string_ostream log(reply.log);
  std::vector<DevicePart> parts;
  for (LinkRequest::Input input : request.inputs)
    if (llvm::Error error = add(input, parts)) {
      log << "error: " << llvm::toString(std::move(error)) << '\n';
      return reply;
    }
  CompileOptions options;
  options.diagnostics = &log;
  llvm::Expected<LinkedDevice> linked = linkDevice(parts, options);
  if (!linked) {
    llvm::handleAllErrors(
        linked.takeError(), [](const Reported &) {},
        [&](const llvm::ErrorInfoBase &error) {
          log << "error: " << error.message() << '\n';
        });
    return reply;
  }
  reply.outcome = Outcome::Made;
  reply.text = writeText(linked->package, archOf(request.options));
  reply.package = std::move(linked->package);
  return reply;
}
