// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CLI11 knows the options and the verbs; errors are told in the words of the project's
// other messages. An option's value stands behind '=', so that what comes first without a
// '-' is the program, whatever options it has itself.

#include "CommandLine.h"

#include "Diff.h"
#include "Draining.h"
#include "ProcessCheckpoint.h"
#include "Running.h"

#include "../hetpkg/NamedTarget.h"
#include "het/Base/Environment.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <unistd.h>

namespace het {

static int fail(const std::string &message, int status = 1) {
  std::fprintf(stderr, "hetrun: error: %s\n", message.c_str());
  return status;
}

//===----------------------------------------------------------------------===//
// Usage
//===----------------------------------------------------------------------===//

static bool takesValue(const CLI::Option &option) {
  return option.get_items_expected_max() > 0;
}

/// "--device=DEVICE", "[--json]", "[PROGRAM...]".
static std::string usageOf(const CLI::Option &option) {
  std::string text = option.get_name();
  if (option.get_positional())
    text += option.get_items_expected_max() > 1 ? "..." : "";
  else if (takesValue(option))
    text += "=" + option.get_type_name();
  return option.get_required() ? text : "[" + text + "]";
}

/// What may stand behind a verb.
static std::string usageOf(const CLI::App &verb) {
  std::string text;
  for (const bool positional : {true, false})
    for (const CLI::Option *option : verb.get_options())
      if (option->get_positional() == positional && option != verb.get_help_ptr())
        text += (text.empty() ? "" : " ") + usageOf(*option);
  return text;
}

/// With line ends, so that no line is longer than `width`.
static std::string wrap(const std::string &text, size_t width) {
  std::istringstream words(text);
  std::string wrapped, line;
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > width)
      wrapped += std::exchange(line, "") + "\n";
    line += (line.empty() ? "" : " ") + word;
  }
  return wrapped + line;
}

namespace {
/// CLI11's help in 80 columns, with hetrun's way of writing options:
/// "--hop=TIME:DEVICE,...".
class Help : public CLI::Formatter {
public:
  static constexpr size_t firstColumn = 26, secondColumn = 54;

  Help() { column_width(firstColumn); }

  std::string make_usage(const CLI::App *app, std::string name) const override {
    if (app->get_parent())
      return "usage: " + name + " " + usageOf(*app) + "\n";
    return "usage: hetrun [OPTION...] [--] PROGRAM [ARGUMENT...]\n"
           "       hetrun VERB [ARGUMENT...]\n";
  }
  std::string make_option_opts(const CLI::Option *option) const override {
    const bool valued = takesValue(*option) && !option->get_positional();
    return valued ? "=" + option->get_type_name() : "";
  }
  std::string make_option_desc(const CLI::Option *option) const override {
    return wrap(option->get_description(), secondColumn);
  }
  std::string make_subcommand(const CLI::App *verb) const override {
    std::stringstream out;
    CLI::detail::format_help(out, verb->get_name(),
                             wrap(verb->get_description(), secondColumn), firstColumn);
    return out.str();
  }
  std::string make_description(const CLI::App *app) const override {
    return wrap(app->get_description(), firstColumn + secondColumn) + "\n";
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// The verbs
//===----------------------------------------------------------------------===//

static CLI::Option *addPositional(CLI::App *verb, const char *name, std::string &value,
                                  const char *what) {
  return verb->add_option(name, value, what)->type_name("")->required();
}

CommandLine::Verb &CommandLine::addVerb(const char *name, const char *what,
                                        std::function<int()> run) {
  CLI::App *verb = app.add_subcommand(name, what)->group("Verbs")->allow_extras(false);
  return verbs.emplace_back(Verb{verb, std::move(run)});
}

void CommandLine::addFileVerbs() {
  CLI::App *list = addVerb("devices", "list this machine's devices", [this] {
                     return runDevices(devices);
                   }).app;
  list->add_flag("--json", devices.json, "for programs");
  list->add_flag("-v,--verbose", devices.verbose, "all that is known of each device");
  list->add_option("PROGRAM", devices.programs,
                   "how each device would lower its kernels, and why so")
      ->type_name("");

  Verb &diff =
      addVerb("diff",
              "say what differs between two checkpoints; the exit status is 0 if "
              "nothing does, 1 if something does, and 2 after an error",
              [this] { return runDiff(first, second); });
  diff.usageStatus = 2;
  addPositional(diff.app, "CHECKPOINT", first, "the first checkpoint");
  addPositional(diff.app, "OTHER", second, "the other one");

  CLI::App *restore =
      addVerb("restore", "resume a program that 'checkpoint PID FOLDER/' saved", [this] {
        return runRestore(first, restoreDevice);
      }).app;
  addPositional(restore, "FOLDER", first, "where it was saved");
  restore->add_option("--device", restoreDevice, "move it there at once")
      ->type_name("DEVICE");

  CLI::App *resumed =
      addVerb("resume",
              "go on with a paused program, or finish the kernels of a checkpoint "
              "without their program",
              [this] {
                return isProcess(resume.file) ? runResumeProcess(resume)
                                              : runResume(resume);
              })
          .app;
  addPositional(resumed, "CHECKPOINT|PID", resume.file, "a file or a process");
  resumed->add_option("--device", resume.device, "where to run a checkpoint's kernels")
      ->type_name("DEVICE");
  resumed->add_option("--to", resume.to, "write the final memory as a checkpoint")
      ->type_name("CHECKPOINT");
}

void CommandLine::addProgramVerbs() {
  addVerb("ps",
          "list the programs that run under --control: where each is, why, and "
          "since when",
          listPrograms);
  auto addRequest = [this](const char *name, const char *what) {
    CLI::App *verb = addVerb(name, what, [this, name] {
                       return sendRequest(name, first, second);
                     }).app;
    addPositional(verb, "PID", first, "the program's process; 'hetrun ps' lists them");
    return verb;
  };
  addPositional(addRequest("move", "resume what a program runs on another device"),
                "DEVICE", second, "the name of the other device");
  addRequest("pause", "suspend what a program runs until 'resume'");
  addPositional(
      addRequest("checkpoint",
                 "write what a program's device holds and does to a file, or, with "
                 "a folder, the program too, where CRIU works"),
      "FILE|FOLDER/", second, "where to");

  for (const auto &[name, what] :
       {std::pair("drain", "have all programs leave a device, and keep others from it"),
        std::pair("undrain", "let programs use a drained device again")}) {
    const bool drains = !std::strcmp(name, "drain");
    CLI::App *verb =
        addVerb(name, what, [this, drains] { return runDraining(first, drains); }).app;
    addPositional(verb, "DEVICE", first, "its name; 'hetrun devices' lists them");
  }
}

CommandLine::CommandLine()
    : app("Runs a program that hetcc built, unmodified, on chosen devices.", "hetrun") {
  app.formatter(std::make_shared<Help>());
  app.set_help_flag("-h,--help", "print this text, or that of a verb");
  app.set_version_flag("--version", "hetrun " HET_VERSION, "print the version");
  app.footer("'hetrun VERB --help' says more of a verb, hetrun(1) of everything.");
  app.allow_extras();           // they are told of in our own words
  app.require_subcommand(0, 1); // a verb's arguments may be spelled like a verb
  options.addTo(app);
  addFileVerbs();
  addProgramVerbs();
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// What is wrong with the value of an option of `app`: that there is none, or that there
/// is one. Empty: nothing.
static std::string checkValues(const CLI::App &app,
                               const std::vector<std::string> &arguments) {
  for (const std::string &argument : arguments) {
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    if (argument == "--")
      break;
    const CLI::Option *option =
        argument.compare(0, 2, "--") ? nullptr : app.get_option_no_throw(name);
    if (!option)
      continue;
    if (takesValue(*option) && argument.size() <= name.size() + 1)
      return name + ": found nothing, expected " + name + "=" + option->get_type_name();
    if (!takesValue(*option) && equals != std::string::npos)
      return name + ": found '" + argument.substr(equals + 1) + "', expected no value";
  }
  return "";
}

static std::string describe(const CLI::App &app, const CLI::ParseError &error) {
  if (dynamic_cast<const CLI::RequiredError *>(&error))
    for (const CLI::Option *option : app.get_options())
      if (option->get_required() && option->empty())
        return "found no " + option->get_name();
  if (dynamic_cast<const CLI::ExtrasError *>(&error))
    for (const std::string &argument : app.remaining())
      if (argument != "--")
        return "found '" + argument + "'";
  return error.what();
}

int CommandLine::parse(const CLI::App &parsed, std::vector<std::string> arguments,
                       int usageStatus) {
  const bool isVerb = &parsed != &app;
  const std::string where = isVerb ? parsed.get_name() + ": " : "";
  if (std::string wrong = checkValues(parsed, arguments); !wrong.empty())
    return fail(where + wrong, usageStatus);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0)
      return app.exit(error);
    const std::string usage = isVerb ? usageOf(parsed) : "";
    return fail(where + describe(parsed, error) +
                    (isVerb ? ", expected " + (usage.empty() ? "nothing" : usage) : ""),
                usageStatus);
  }
  const std::vector<std::string> unknown = app.remaining();
  if (unknown.empty())
    return -1;
  return fail("option: found '" + unknown.front() +
              "', expected one of hetrun's; 'hetrun --help' lists the options");
}

int CommandLine::runVerb(const Verb &verb, const std::vector<std::string> &arguments) {
  const int status = parse(*verb.app, arguments, verb.usageStatus);
  return status < 0 ? verb.run() : status;
}

/// Lets the program find the runtime beside hetrun where it was built with one that has
/// been moved since, and the same runtime where it opens NVIDIA's libraries by their
/// names.
static void offerRuntime() {
  const std::string folder = libraryFolder();
  if (access((folder + "/" HET_RUNTIME_SONAME).c_str(), R_OK) != 0)
    return;
  const std::string path = environment::textOrDefault(Variable::LibraryPath);
  environment::set(Variable::LibraryPath,
                   folder + "/het/compat:" + (path.empty() ? "" : path + ":") + folder);
}

/// Lets a profile have the ranges that the program marks by NVTX, unless another tool is
/// to have them.
static void offerRanges() {
  const std::string library = libraryFolder() + "/" HET_NVTX_SONAME;
  if (environment::text(Variable::Profile) &&
      !environment::text(Variable::NvtxInjection) && access(library.c_str(), R_OK) == 0)
    environment::set(Variable::NvtxInjection, library);
}

/// Becomes the program; returns only if that fails.
static int execute(char **command) {
  offerRuntime();
  offerRanges();
  execvp(command[0], command);
  const int reason = errno;
  return fail(std::string(command[0]) + ": " + std::strerror(reason),
              reason == ENOENT ? 127 : 126);
}

int CommandLine::run(char **arguments, int count) {
  for (const Verb &verb : verbs)
    if (count && verb.app->check_name(arguments[0]))
      return runVerb(verb, {arguments, arguments + count});
  int program = 0;
  while (program < count && arguments[program][0] == '-' &&
         std::strcmp(arguments[program], "--") != 0)
    ++program;
  if (int status = parse(app, {arguments, arguments + program}, 1); status >= 0)
    return status;
  if (std::string wrong = options.apply(); !wrong.empty())
    return fail(wrong);
  const bool isMarked = program < count && !std::strcmp(arguments[program], "--");
  program += isMarked;
  if (program < count)
    return execute(arguments + program);
  return fail(isMarked ? "program: found nothing behind '--'"
                       : "program: found none; 'hetrun --help' shows how to call it");
}

} // namespace het
