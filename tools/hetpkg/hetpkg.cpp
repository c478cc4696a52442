// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetpkg: looks into packages, checks them, takes kernels out, joins them, lowers them.
// One verb, then files. Exit status: 0, or 1 after an error.

#include "Extract.h"
#include "Precompile.h"
#include "Signing.h"
#include "Verbs.h"

#include "het/Base/File.h"
#include "het/Package/Trust.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

using namespace het;

Status het::writeOutput(const std::string &path, ByteView contents) {
  if (path != "-")
    return writeFileAtomically(path, contents);
  size_t written = std::fwrite(contents.data, 1, contents.size, stdout);
  if (written != contents.size || std::fflush(stdout) != 0)
    return invalid("cannot write to standard output");
  return Status::success();
}

static Status print(const std::string &text) {
  return writeOutput("-", ByteView(std::string_view(text)));
}

static Status print(const Result<std::string> &text) {
  return text.ok() ? print(*text) : text.status();
}

//===----------------------------------------------------------------------===//
// The verbs
//===----------------------------------------------------------------------===//

namespace {
/// Options of the command line. A verb reads the fields it has options for.
struct Options {
  std::vector<std::string> files;
  std::string output;
  bool json = false;
  ExtractOptions extract;
  PrecompileOptions precompile;
  bool stripsArtifacts = false;
  std::vector<std::string> shownTargets;
  bool require = false;
  std::string trustedKeys;
  SignOptions sign;
  std::string keyFolder;
};
} // namespace

static Status runShow(const Options &options) {
  Result<std::vector<Input>> inputs = loadInputs(options.files);
  if (!inputs.ok())
    return inputs.status();
  Result<std::vector<TrustedKey>> keys = trustedKeys(options.trustedKeys);
  if (!keys.ok())
    return keys.status();
  ShowOptions how{{}, keys.take()};
  for (const std::string &name : options.shownTargets) {
    Result<Explainer> explainer = Explainer::open(name);
    if (!explainer.ok())
      return explainer.status();
    how.explainers.push_back(explainer.take());
  }
  if (options.json)
    return print(showJson(*inputs, how));
  std::string text;
  for (const Input &input : *inputs) {
    Result<std::string> part = showText(input, how);
    if (!part.ok())
      return part.status();
    text += *part;
  }
  return print(text);
}

/// All that a file holds, if it is good down to the kernels' code.
static Result<Input> verifyInput(const std::string &path, const Package::Gate &gate,
                                 const std::vector<TrustedKey> &keys) {
  Result<Input> input = loadInput(path, gate);
  if (!input.ok())
    return input;
  for (const InputPackage &one : input->packages) {
    if (Status status = checkSignatures(one.package, keys); !status.ok())
      return status;
    if (Status status = verifyCode(one); !status.ok())
      return status;
  }
  return input;
}

static Status printGood(const InputPackage &one, const std::vector<TrustedKey> &keys) {
  Result<std::vector<SignatureInfo>> signatures = signaturesOf(one.package, keys);
  if (!signatures.ok())
    return signatures.status();
  return print(one.package.origin() + ": good, " +
               countText(one.kernels.size(), "kernel") + ", " +
               countText(one.package.sectionCount(), "section") + ", " +
               signaturesText(*signatures) + "\n");
}

/// Says of every file whether it is good; fails if one is not.
static Status runVerify(const Options &options) {
  Result<std::vector<TrustedKey>> keys = trustedKeys(options.trustedKeys);
  if (!keys.ok())
    return keys.status();
  Package::Gate gate;
  if (options.require) {
    Result<PackageTrust> trust = PackageTrust::required(options.trustedKeys);
    if (!trust.ok())
      return trust.status();
    gate = [trust = trust.take()](const PackageSections &package) {
      return trust.check(package);
    };
  }
  Status first = Status::success();
  for (const std::string &path : options.files) {
    Result<Input> input = verifyInput(path, gate, *keys);
    if (!input.ok()) {
      if (!first.ok())
        std::fprintf(stderr, "error: %s\n", first.text().c_str());
      first = input.status();
      continue;
    }
    for (const InputPackage &one : input->packages)
      if (Status status = printGood(one, *keys); !status.ok())
        return status;
  }
  return first;
}

static void note(const std::string &output, const char *text) {
  std::fprintf(stderr, "note: %s: %s\n", output.c_str(), text);
}

/// Signatures of what a package was made from are not its own.
static void noteUnsigned(const std::string &output) {
  note(output, "is not signed, since it is another package than those that were; sign "
               "it by 'hetpkg sign'");
}

/// The kernel of an input that has one, else empty.
static std::string onlyKernel(const Input &input) {
  std::string name;
  size_t count = 0;
  for (const InputPackage &one : input.packages)
    for (const KernelInfo &kernel : one.kernels)
      if (++count == 1)
        name = kernel.name;
  return count == 1 ? name : "";
}

static Status runExtract(const Options &options) {
  ExtractOptions how = options.extract;
  Result<Input> input = loadInput(options.files.front());
  if (!input.ok())
    return input.status();
  how.all |= how.withPackage;
  if (how.kernel.empty() && !how.all) {
    if (!how.target.empty())
      how.kernel = onlyKernel(*input);
    if (!how.hetir && how.kernel.empty())
      return invalid("extract: found neither --kernel nor --all, expected one; "
                     "say --kernel=NAME, or --all with a folder");
    how.all = how.kernel.empty();
  }
  how.output = options.output;
  Status status = how.withPackage      ? extractText(*input, how)
                  : how.target.empty() ? extract(*input, how)
                                       : extractCode(*input, how);
  if (status.ok() && holdsSignatures(*input))
    note(how.output, "has no signatures: they are of the whole package");
  return status;
}

static Status runPrecompile(const Options &options) {
  Result<Input> input = loadInput(options.files.front());
  if (!input.ok())
    return input.status();
  PrecompileOptions how = options.precompile;
  how.output = options.output;
  Status status = precompile(*input, how);
  if (status.ok() && holdsSignatures(*input))
    noteUnsigned(how.output);
  return status;
}

static Status runMerge(const Options &options) {
  Result<std::vector<Input>> inputs = loadInputs(options.files);
  if (!inputs.ok())
    return inputs.status();
  Result<Bytes> merged = merge(*inputs, options.stripsArtifacts);
  Status status = merged.ok() ? writeOutput(options.output, *merged) : merged.status();
  if (status.ok() && std::any_of(inputs->begin(), inputs->end(), holdsSignatures))
    noteUnsigned(options.output);
  return status;
}

//===----------------------------------------------------------------------===//
// The command line
//===----------------------------------------------------------------------===//

/// Message about a wrong command line, and where help is.
static std::string usageProblem(const CLI::App &app, int argc, char **argv,
                                const CLI::ParseError &error) {
  std::string verb = argc > 1 ? argv[1] : "";
  if (verb.empty())
    return "no verb";
  bool known = false;
  for (const CLI::App *one : app.get_subcommands([](const CLI::App *) { return true; }))
    known = known || one->get_name() == verb;
  return known || verb[0] == '-' ? error.what() : "unknown verb '" + verb + "'";
}

static CLI::App *addVerb(CLI::App &app, const char *name, const char *what,
                         Options &options, int most = -1) {
  CLI::App *verb = app.add_subcommand(name, what);
  CLI::Option *files = verb->add_option("FILE", options.files,
                                        "a .hetpkg, or a program, object or library with "
                                        "packages inside")
                           ->required();
  if (most == 1)
    files->expected(1);
  return verb;
}

static void addExtract(CLI::App &app, Options &options) {
  CLI::App *extract =
      addVerb(app, "extract", "write the hetIR or the code of kernels", options, 1);
  auto *name = extract->add_option("--kernel", options.extract.kernel,
                                   "the kernel of this (mangled) name");
  extract->add_flag("--all", options.extract.all, "every kernel; OUT is a folder")
      ->excludes(name);
  auto *hetir = extract->add_flag("--hetir", options.extract.hetir,
                                  "as text, by het-opt, instead of bytecode");
  auto *target = extract
                     ->add_option("--for", options.extract.target,
                                  "the code for a TARGET[:ARCH], precompiled or lowered "
                                  "now")
                     ->excludes(hetir);
  extract
      ->add_flag("--movable", options.extract.movable,
                 "the form of that code that can be suspended")
      ->needs(target);
  extract
      ->add_flag("--with-package", options.extract.withPackage,
                 "one PTX text of all kernels, which can be loaded as the package can: "
                 "what hetcc -ptx writes")
      ->needs(target)
      ->excludes(name);
  extract->add_option("-o,--output", options.output, "where to; - is standard output")
      ->required();
}

static void addPrecompile(CLI::App &app, Options &options) {
  CLI::App *verb = addVerb(
      app, "precompile", "lower all kernels ahead of time; needs no device", options, 1);
  verb->add_option("--for", options.precompile.targets,
                   "TARGET[:ARCH],...; may be repeated")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_flag("--movable", options.precompile.movable,
                 "also the forms that can be suspended, for programs that move");
  verb->add_flag("--keep-going", options.precompile.keepGoing,
                 "leave out kernels that can not be lowered, with a warning");
  verb->add_option("-o,--output", options.output,
                   "the new package or program; may be FILE")
      ->required();
}

static Status dispatch(const CLI::App &app, const Options &options) {
  const std::string &verb = app.get_subcommands().front()->get_name();
  if (verb == "show")
    return runShow(options);
  if (verb == "verify")
    return runVerify(options);
  if (verb == "extract")
    return runExtract(options);
  if (verb == "merge")
    return runMerge(options);
  if (verb == "precompile")
    return runPrecompile(options);
  if (verb == "sign")
    return print(sign(options.sign));
  return print(keygen(options.keyFolder));
}

static void addKeyVerbs(CLI::App &app, Options &options) {
  CLI::App *sign = app.add_subcommand("sign", "sign all packages of a file");
  sign->add_option("FILE", options.sign.file,
                   "a .hetpkg, or a program, object or library with packages inside")
      ->required();
  sign->add_option("--key", options.sign.key, "the private key, a file hetpkg.key")
      ->required();
  sign->add_option("-o,--output", options.sign.output,
                   "where to, instead of FILE itself; - is standard output");

  CLI::App *keygen = app.add_subcommand("keygen", "make a pair of keys");
  keygen
      ->add_option("FOLDER", options.keyFolder,
                   "gets hetpkg.key, which signs, and hetpkg.pub")
      ->required();
}

static void addTrustedKeys(CLI::App *verb, Options &options) {
  verb->add_option("--keys", options.trustedKeys,
                   "public keys, files and folders between colons; otherwise "
                   "HET_TRUSTED_KEYS names them");
}

int main(int argc, char **argv) {
  CLI::App app("Looks into packages of GPU kernels (.hetpkg).", "hetpkg");
  app.set_version_flag("--version", "hetpkg " HET_VERSION);
  app.require_subcommand(1);
  Options options;

  CLI::App *show = addVerb(app, "show", "print what a package holds", options);
  show->add_flag("--json", options.json, "for programs");
  show->add_option("--for", options.shownTargets,
                   "also how a TARGET[:ARCH] lowers each kernel, and why; may be "
                   "repeated")
      ->allow_extra_args(false);

  addTrustedKeys(show, options);

  CLI::App *verify = addVerb(app, "verify", "check every byte", options);
  verify->add_flag("--require", options.require,
                   "also that a trusted key has signed it, before anything else of it "
                   "is read");
  addTrustedKeys(verify, options);

  addExtract(app, options);

  CLI::App *merge = addVerb(app, "merge", "make one package of several", options);
  merge->add_flag("--strip-artifacts", options.stripsArtifacts,
                  "leave out what precompile has added");
  merge->add_option("-o,--output", options.output, "the new package")->required();

  addPrecompile(app, options);
  addKeyVerbs(app, options);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0)
      return app.exit(error);
    std::fprintf(stderr, "error: %s; see 'hetpkg --help'\n",
                 usageProblem(app, argc, argv, error).c_str());
    return 1;
  }
  Status status = dispatch(app, options);
  if (status.ok())
    return 0;
  std::fprintf(stderr, "error: %s\n", status.text().c_str());
  return 1;
}
