// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks hetrun's options about moving, so that errors are reported before the program
// begins; what they mean is the runtime's.

#include "MovingOptions.h"

#include "het/Base/Environment.h"
#include "het/Base/File.h"
#include "migration/control/Hop.h"
#include "migration/control/Policy.h"

#include <filesystem>
#include <utility>

namespace het {

bool MovingOptions::read(const std::string &name, const std::string &value) {
  if (name == "--stop" && value.empty()) {
    stop = true;
    return true;
  }
  for (auto [option, text] :
       {std::pair<const char *, std::string *>{"--checkpoint", &file},
        {"--after", &after},
        {"--every", &every},
        {"--policy", &policyFile},
        {"--prefer", &prefer},
        {"--priority", &priority}})
    if (name == option && !value.empty()) {
      *text = value;
      return true;
    }
  return false;
}

std::string MovingOptions::applyCheckpoint() const {
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

std::string MovingOptions::applyPolicy() const {
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

std::string MovingOptions::apply() const {
  std::string wrong = applyCheckpoint();
  return wrong.empty() ? applyPolicy() : wrong;
}

} // namespace het
