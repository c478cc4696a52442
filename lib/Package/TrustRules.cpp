// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules for signatures. There are two, and a package must satisfy both, so that the
// environment can only add to what the administrator wants.

#include "het/Package/Trust.h"

#include "het/Base/Environment.h"

#include <algorithm>
#include <optional>

using namespace het;

static constexpr const char *levelFile = "/signatures";
static constexpr const char *keyFolder = "/trusted-keys.d";

/// Text without comments and white space.
static std::string wordOf(const std::string &text) {
  std::string word;
  bool isComment = false;
  for (char c : text) {
    isComment = c == '\n' ? false : isComment || c == '#';
    if (!isComment && c != ' ' && c != '\t' && c != '\n')
      word += c;
  }
  return word;
}

static Result<std::optional<SignatureLevel>> readLevel(const TrustFiles &files) {
  if (Status status = checkGuardedFolder(files.folder, files.owner); !status.ok())
    return status;
  const std::string path = files.folder + levelFile;
  Result<std::string> text = readGuardedText(path, files.owner);
  if (!text.ok() && text.status().code == Code::Unavailable)
    return std::optional<SignatureLevel>();
  if (!text.ok())
    return text.status();
  const std::string word = wordOf(*text);
  if (word == "off")
    return std::optional(SignatureLevel::Off);
  if (word == "warn")
    return std::optional(SignatureLevel::Warn);
  if (word == "require")
    return std::optional(SignatureLevel::Require);
  return invalid(foundExpected("signatures", "'" + word.substr(0, 40) + "'",
                               "off, warn or require", "correct this file"),
                 path);
}

/// Keys that are not there are none: who requires them gets messages about packages.
static Result<std::vector<TrustedKey>> readSystemKeys(const TrustFiles &files) {
  Result<std::vector<TrustedKey>> keys =
      readPublicKeys(files.folder + keyFolder, files.owner);
  if (!keys.ok() && keys.status().code == Code::Unavailable)
    return std::vector<TrustedKey>();
  return keys;
}

/// A failure of `what`, a variable or option.
static Status named(const std::string &what, const Status &status) {
  return {status.code, what + ": " + status.text(), ""};
}

/// The keys of files and folders, of which there must be some.
static Result<std::vector<TrustedKey>> readList(const std::string &what,
                                                const std::vector<std::string> &paths) {
  std::vector<TrustedKey> all;
  for (const std::string &path : paths) {
    Result<std::vector<TrustedKey>> keys = readPublicKeys(path);
    if (!keys.ok())
      return named(what, keys.status());
    if (keys->empty())
      return invalid(foundExpected(what, "no file NAME.pub in '" + path + "'",
                                   "at least one", "put keys there, or do not name it"));
    all.insert(all.end(), keys->begin(), keys->end());
  }
  if (all.empty())
    return invalid(foundExpected(what, "no file or folder", "at least one",
                                 "name some, or leave it out"));
  return all;
}

static std::vector<std::string> split(const std::string &list) {
  std::vector<std::string> parts;
  for (size_t start = 0; start < list.size();) {
    const size_t end = std::min(list.find(':', start), list.size());
    if (end > start)
      parts.push_back(list.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

Result<std::vector<TrustedKey>> het::trustedKeys(const std::string &list,
                                                 const TrustFiles &files) {
  if (!list.empty())
    return readList("--keys", split(list));
  if (environment::text(Variable::TrustedKeys))
    return readList(environment::name(Variable::TrustedKeys),
                    environment::list(Variable::TrustedKeys, ':'));
  return readSystemKeys(files);
}

static TrustRule administratorRule(SignatureLevel level, std::vector<TrustedKey> keys,
                                   const TrustFiles &files) {
  const std::string folder = files.folder + keyFolder;
  return {level, std::move(keys), folder,
          "have it signed by 'hetpkg sign', or the administrator trust its key there (" +
              files.folder + levelFile + " asks for signatures)"};
}

static TrustRule userRule(SignatureLevel level, std::vector<TrustedKey> keys,
                          std::string keysFrom) {
  return {level, std::move(keys), std::move(keysFrom),
          "have it signed by 'hetpkg sign', trust its key by HET_TRUSTED_KEYS, or set "
          "HET_SIGNATURES=off"};
}

/// The level of the environment. Who names keys wants those and no others. A folder of
/// keys by itself may be some software's doing, and must not stop every program.
static Result<SignatureLevel> readUserLevel(bool namesKeys, bool hasSystemLevel,
                                            bool hasSystemKeys) {
  SignatureLevel otherwise = SignatureLevel::Off;
  if (namesKeys)
    otherwise = SignatureLevel::Require;
  else if (hasSystemKeys && !hasSystemLevel)
    otherwise = SignatureLevel::Warn;
  Result<size_t> choice =
      environment::choice(Variable::Signatures, static_cast<size_t>(otherwise));
  if (!choice.ok())
    return choice.status();
  return static_cast<SignatureLevel>(*choice);
}

Result<PackageTrust> PackageTrust::configured(const TrustFiles &files) {
  Result<std::optional<SignatureLevel>> systemLevel = readLevel(files);
  if (!systemLevel.ok())
    return systemLevel.status();
  Result<std::vector<TrustedKey>> systemKeys = readSystemKeys(files);
  if (!systemKeys.ok())
    return systemKeys.status();
  const bool namesKeys = environment::text(Variable::TrustedKeys).has_value();
  Result<SignatureLevel> level =
      readUserLevel(namesKeys, systemLevel->has_value(), !systemKeys->empty());
  if (!level.ok())
    return level.status();
  Result<std::vector<TrustedKey>> keys = namesKeys ? trustedKeys("", files) : systemKeys;
  if (!keys.ok())
    return keys.status();
  std::vector<TrustRule> rules;
  if (*systemLevel)
    rules.push_back(administratorRule(**systemLevel, systemKeys.take(), files));
  rules.push_back(userRule(*level, keys.take(),
                           namesKeys ? environment::name(Variable::TrustedKeys)
                                     : files.folder + keyFolder));
  return PackageTrust(std::move(rules));
}

Result<PackageTrust> PackageTrust::required(const std::string &list,
                                            const TrustFiles &files) {
  Result<std::vector<TrustedKey>> keys = trustedKeys(list, files);
  if (!keys.ok())
    return keys.status();
  if (keys->empty())
    return invalid(foundExpected("trusted keys", "none", "at least one",
                                 "name them by --keys or HET_TRUSTED_KEYS, or put them "
                                 "into " +
                                     files.folder + keyFolder));
  std::vector<TrustRule> rules;
  rules.push_back({SignatureLevel::Require, keys.take(),
                   !list.empty() ? "--keys"
                   : environment::text(Variable::TrustedKeys)
                       ? environment::name(Variable::TrustedKeys)
                       : files.folder + keyFolder,
                   "have it signed by 'hetpkg sign', or name the key that has signed it "
                   "if you trust that"});
  if (!list.empty())
    return PackageTrust(std::move(rules));
  Result<std::optional<SignatureLevel>> level = readLevel(files);
  if (!level.ok())
    return level.status();
  if (*level) {
    Result<std::vector<TrustedKey>> systemKeys = readSystemKeys(files);
    if (!systemKeys.ok())
      return systemKeys.status();
    rules.push_back(administratorRule(SignatureLevel::Require, systemKeys.take(), files));
  }
  return PackageTrust(std::move(rules));
}
