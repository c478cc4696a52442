// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses durations and plans of the form TIME:DEV,DEV,...

#include "migration/control/Hop.h"

#include <algorithm>
#include <map>

namespace het::core {

std::chrono::nanoseconds parseDuration(const std::string &text) {
  static const std::map<std::string, uint64_t> units = {
      {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
  constexpr uint64_t longest = uint64_t(86400) * 1000000000;
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  auto unit = units.find(text.substr(digits));
  if (digits == 0 || digits > 9 || unit == units.end())
    return {};
  const uint64_t time = std::stoull(text.substr(0, digits)) * unit->second;
  return std::chrono::nanoseconds(time <= longest ? time : 0);
}

Result<HopPlan> HopPlan::parse(const std::string &thing, const std::string &text) {
  auto bad = [&](const std::string &what) {
    return invalid(foundExpected(thing, what, "TIME:DEVICE,DEVICE,...",
                                 "as in 20ms:host,ptx:0; a time is in us, ms or s"));
  };
  const size_t colon = text.find(':');
  HopPlan plan;
  plan.interval = parseDuration(text.substr(0, colon));
  if (plan.interval.count() == 0)
    return bad("the time '" + text.substr(0, colon) + "'");
  if (colon == std::string::npos)
    return bad("no devices in '" + text + "'");
  std::map<std::string, int> mentions;
  for (size_t at = colon + 1; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const std::string name = text.substr(at, end - at);
    if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789:") !=
                            std::string::npos)
      return bad("the device '" + name + "'");
    const int mention = ++mentions[name];
    plan.places.push_back(mention == 1 ? name : name + "#" + std::to_string(mention));
    at = end + 1;
  }
  if (plan.places.size() < 2)
    return bad("one device in '" + text + "'");
  return plan;
}

} // namespace het::core
