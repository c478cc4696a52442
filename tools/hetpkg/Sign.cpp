// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetpkg keygen and sign. A package inside a program keeps its size, so that the program
// stays as it is around it.

#include "Signing.h"
#include "Verbs.h"

#include "het/Base/File.h"
#include "het/Package/ProgramPackages.h"
#include "het/Package/Signatures.h"
#include "het/Package/Trust.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <sys/stat.h>

using namespace het;

Result<std::string> het::keygen(const std::string &folder) {
  Result<PublicKey> key = createKeys(folder);
  if (!key.ok())
    return key.status();
  return "key " + keyId(*key) + "\n" + folder + "/" + privateKeyName +
         ": signs; keep it secret\n" + folder + "/" + publicKeyName +
         ": give it to those who are to trust what is signed\n";
}

namespace {

/// Signs the packages of one input and writes the files that they lie in.
class Signer {
public:
  Signer(const Input &input, const PrivateKey &key) : input(input), key(key) {}

  Status signAll();
  Status write(const std::string &output) const;
  const std::string &text() const { return said; }

private:
  Status sign(const InputPackage &one);
  bool isInside(const InputPackage &one) const;
  Status checkSigned(ByteView bytes, const std::string &origin) const;

  const Input &input;
  const PrivateKey &key;
  std::map<std::string, Bytes> files; ///< By path: what they are to hold.
  std::string said;
};

} // namespace

/// Whether the package lies in the file that was named, rather than beside it.
bool Signer::isInside(const InputPackage &one) const {
  const Bytes &file = *input.storage.front();
  const uint8_t *data = one.package.view().data;
  return data >= file.data() && data < file.data() + file.size();
}

/// Holds the result against what a reader will ask of it.
Status Signer::checkSigned(ByteView bytes, const std::string &origin) const {
  const PackageTrust trust({{SignatureLevel::Require,
                             {{key.publicKey(), ""}},
                             "--key",
                             "report this fault of hetpkg"}});
  Result<Package> package =
      Package::open(bytes, origin, [&](const PackageSections &sections) {
        return trust.check(sections);
      });
  return package.status();
}

Status Signer::sign(const InputPackage &one) {
  const std::string &origin = one.package.origin();
  const bool isPart = input.embedded && isInside(one);
  Result<SignedPackage> made = signPackage(one.package.table(), key, !isPart);
  if (!made.ok())
    return made.status();
  if (Status status = checkSigned(made->bytes, origin); !status.ok())
    return status;
  said += origin + ": signed by " + keyId(key.publicKey()) +
          (made->replaced ? ", whose older signature is replaced" : "") + "\n";
  for (const PublicKey &dropped : made->dropped)
    said += origin + ": dropped the signature by " + keyId(dropped) +
            ", which was of other contents\n";
  if (!isPart) {
    files[input.embedded ? origin : input.path] = std::move(made->bytes);
    return Status::success();
  }
  Bytes &file = files.try_emplace(input.path, *input.storage.front()).first->second;
  std::copy(made->bytes.begin(), made->bytes.end(),
            file.begin() + static_cast<ptrdiff_t>(one.offset));
  replaceSectionReferences(file, one.package.view(), made->bytes);
  return Status::success();
}

Status Signer::signAll() {
  for (const InputPackage &one : input.packages)
    if (Status status = sign(one); !status.ok())
      return status;
  return Status::success();
}

/// Replaces what a link leads to, not the link.
static std::string behindLinks(const std::string &path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

/// A program stays one under another name.
static Status copyMode(const std::string &from, const std::string &to) {
  struct stat about;
  if (::stat(from.c_str(), &about) == 0 && ::chmod(to.c_str(), about.st_mode & 0777) == 0)
    return Status::success();
  return invalid(std::string("cannot set its mode: ") + std::strerror(errno), to);
}

Status Signer::write(const std::string &output) const {
  if (output.empty()) {
    for (const auto &[path, bytes] : files)
      if (Status status = writeFileAtomically(behindLinks(path), bytes); !status.ok())
        return status;
    return Status::success();
  }
  if (files.size() != 1 || files.begin()->first != input.path)
    return invalid(foundExpected("-o", "a program with a package beside it",
                                 "a file with all of its packages inside",
                                 "sign without -o, or name the package itself"),
                   input.path);
  Status status = writeOutput(output, files.begin()->second);
  return status.ok() && output != "-" ? copyMode(input.path, output) : status;
}

Result<std::string> het::sign(const SignOptions &options) {
  Result<PrivateKey> key = readPrivateKey(options.key);
  if (!key.ok())
    return key.status();
  Result<Input> input = loadInput(options.file);
  if (!input.ok())
    return input.status();
  Signer signer(*input, *key);
  if (Status status = signer.signAll(); !status.ok())
    return status;
  if (Status status = signer.write(options.output); !status.ok())
    return status;
  return options.output == "-" ? std::string() : signer.text();
}
