// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the options, so that errors are reported before the program begins; what they
// mean is the runtime's.

#include "RunOptions.h"

#include "het/Base/Environment.h"
#include "het/Base/File.h"
#include "migration/control/Hop.h"
#include "migration/control/Policy.h"

#include <filesystem>

namespace het {

void RunOptions::addTo(CLI::App &app) {
  auto addText = [&](const char *name, std::string &text, const char *type,
                     const char *what) {
    app.add_option(name, text, what)->type_name(type)->take_last();
  };
  auto addFlag = [&](const char *name, bool &flag, const char *what) {
    app.add_flag(name, flag, what);
  };
  addText("--devices", devices, "DEVICE,DEVICE,...",
          "what the program sees as devices 0, 1, 2...: names as in HET_DEVICES\n"
          "(host, ptx:0, spirv:1); a name may stand twice");
  addText("--hop", hop, "TIME:DEVICE,DEVICE,...",
          "each TIME (20ms, 500us, 1s) suspend what runs and resume it, memory and "
          "all, on the next device of the list");
  addText("--checkpoint", file, "FILE",
          "write what the program's first device holds and does to a file");
  addText("--after", after, "TIME", "once, when that time has passed");
  addText("--every", every, "TIME",
          "each time that the time has passed; the file is always the last whole one");
  addFlag("--stop", stop, "end the program after the checkpoint");
  addText("--policy", policyFile, "FILE",
          "which devices the program's first device is to be on, the best one first, "
          "and what to do when one is lost; hetrun(1) has the form");
  addText("--prefer", prefer, "DEVICE,DEVICE,...", "the same, without a file");
  addText("--priority", priority, "NUMBER", "with --prefer: who leaves a busy device");
  addText("--profile", profile, "FILE",
          "write what its devices did and when, for chrome://tracing or Perfetto");
  addFlag("--control", control,
          "let hetrun ps, move, pause, resume, checkpoint and drain reach the program");
}

std::string RunOptions::applyCheckpoint() const {
  if (file.empty() && after.empty() && every.empty() && !stop)
    return "";
  if (!after.empty() && !every.empty())
    return "--after and --every: found both, expected one";
  const std::string &time = every.empty() ? after : every;
  if (file.empty() || time.empty())
    return "--checkpoint=FILE and --after=TIME or --every=TIME: found one, expected both";
  if (stop && !every.empty())
    return "--every and --stop: found both, expected one";
  if (core::parseDuration(time).count() == 0)
    return std::string(every.empty() ? "--after" : "--every") + ": found '" + time +
           "', expected a time as in 20ms, 500us or 1s";
  const char *word = !every.empty() ? ":every:" : stop ? ":stop:" : ":go:";
  const std::string path = std::filesystem::absolute(file).string();
  environment::set(Variable::Checkpoint, time + word + path);
  return "";
}

std::string RunOptions::applyPolicy() const {
  if (policyFile.empty() && prefer.empty() && priority.empty())
    return "";
  if (!policyFile.empty() && (!prefer.empty() || !priority.empty()))
    return "--policy: found --prefer or --priority beside it, expected one way";
  if (policyFile.empty() && prefer.empty())
    return "--priority: found no --prefer=DEVICE,... beside it";
  std::string thing = policyFile.empty() ? "--prefer" : policyFile;
  std::string text = "devices=" + prefer;
  if (!priority.empty())
    text += ";priority=" + priority;
  if (!policyFile.empty()) {
    Result<Bytes> bytes = readFile(policyFile);
    if (!bytes.ok())
      return bytes.status().text();
    text.assign(bytes->begin(), bytes->end());
  }
  Result<core::Policy> policy = core::Policy::parse(thing, text);
  if (!policy.ok())
    return policy.status().text();
  environment::set(Variable::Policy, policy->text());
  environment::set(Variable::Control, "1");
  return "";
}

std::string RunOptions::apply() const {
  if (!devices.empty())
    environment::set(Variable::Devices, devices);
  if (!hop.empty()) {
    Result<core::HopPlan> plan = core::HopPlan::parse("--hop", hop);
    if (!plan.ok())
      return plan.status().text();
    environment::set(Variable::Hop, hop);
  }
  if (!profile.empty())
    environment::set(Variable::Profile, std::filesystem::absolute(profile));
  if (control)
    environment::set(Variable::Control, "1");
  std::string wrong = applyCheckpoint();
  return wrong.empty() ? applyPolicy() : wrong;
}

} // namespace het
