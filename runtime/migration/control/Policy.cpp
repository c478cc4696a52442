// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses policies, whose lines may be separated by semicolons, and writes them as text.

#include "migration/control/Policy.h"

#include <algorithm>
#include <map>

namespace het::core {

static std::string trim(const std::string &text) {
  const size_t first = text.find_first_not_of(" \t\r");
  return first == std::string::npos
             ? ""
             : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

static std::vector<std::string> split(const std::string &text, const char *separators) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find_first_of(separators, at), text.size());
    parts.push_back(trim(text.substr(at, end - at)));
    at = end + 1;
  }
  return parts;
}

namespace {

class PolicyReader {
public:
  explicit PolicyReader(const std::string &thing) : thing(thing) {}

  Status read(const std::string &line) {
    const size_t equals = line.find('=');
    const std::string name = trim(line.substr(0, equals));
    const std::string value =
        equals == std::string::npos ? "" : trim(line.substr(equals + 1));
    if (equals == std::string::npos ||
        (name != "devices" && name != "priority" && name != "lost"))
      return bad("'" + line + "'", "devices = NAME, ..., priority = NUMBER or lost = "
                                   "resume or fail");
    if (!seen.insert({name, true}).second)
      return bad("'" + name + "' twice", "it once");
    if (name == "devices")
      return readDevices(value);
    if (name == "priority")
      return readPriority(value);
    policy.resumesLost = value == "resume";
    return value == "resume" || value == "fail"
               ? Status::success()
               : bad("lost = '" + value + "'", "resume or fail");
  }

  Result<Policy> take() {
    if (policy.devices.empty())
      return bad("no devices", "devices = NAME, ...");
    return std::move(policy);
  }

private:
  Status bad(const std::string &found, const std::string &expected) {
    return invalid(foundExpected(thing, found, expected, "as in devices = ptx:0, host"));
  }

  Status readDevices(const std::string &value) {
    std::map<std::string, int> mentions;
    for (const std::string &name : split(value, ",")) {
      if (name.empty() ||
          name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789:") !=
              std::string::npos)
        return bad("the device '" + name + "'", "names of devices");
      const int mention = ++mentions[name];
      policy.devices.push_back(mention == 1 ? name
                                            : name + "#" + std::to_string(mention));
    }
    return Status::success();
  }

  Status readPriority(const std::string &value) {
    if (value.empty() || value.size() > 6 ||
        value.find_first_not_of("0123456789") != std::string::npos)
      return bad("priority = '" + value + "'", "a number from 0 to 999999");
    policy.priority = std::stoul(value);
    return Status::success();
  }

  const std::string &thing;
  std::map<std::string, bool> seen;
  Policy policy;
};

} // namespace

Result<Policy> Policy::parse(const std::string &thing, const std::string &text) {
  PolicyReader reader(thing);
  for (const std::string &line : split(text, ";\n"))
    if (!line.empty() && line[0] != '#')
      if (Status status = reader.read(line); !status.ok())
        return status;
  return reader.take();
}

std::string Policy::text() const {
  std::string list;
  for (const std::string &device : devices)
    list += (list.empty() ? "" : ",") + device.substr(0, device.find('#'));
  return "devices=" + list + ";priority=" + std::to_string(priority) +
         ";lost=" + (resumesLost ? "resume" : "fail");
}

} // namespace het::core
