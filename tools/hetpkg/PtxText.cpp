// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins PTX line by line: LLVM writes a directive a line, and what belongs to the whole
// module at depth 0 of braces.

#include "PtxText.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>
#include <set>
#include <string_view>

using namespace het;

static bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

static bool isNameLetter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

static std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// The name that a line at depth 0 gives to something that only its own kernel means; "":
/// none. Entries keep their names, and what is external is the same for all.
static std::string_view declaredName(std::string_view line) {
  if (line.empty() || line[0] != '.' || startsWith(line, ".extern .func") ||
      line.find(".entry") != std::string_view::npos)
    return "";
  size_t end = line.size();
  if (line.find(".func") != std::string_view::npos) {
    const size_t result = line.find(')'); // of a function that returns something
    end = line.find('(', result == std::string_view::npos ? 0 : result);
    if (end == std::string_view::npos)
      end = line.size();
  } else {
    end = std::min({line.find('['), line.find('='), line.find(';'), end});
  }
  while (end && !isNameLetter(line[end - 1]))
    --end;
  size_t begin = end;
  while (begin && isNameLetter(line[begin - 1]))
    --begin;
  return begin && line[begin - 1] == '.' ? "" : line.substr(begin, end - begin);
}

static bool isLineNumber(std::string_view word) {
  const std::string_view directive = word.substr(0, word.find_first_of(" \t"));
  return directive == ".loc" || directive == ".file";
}

namespace {

/// A kernel's text without its head.
struct Body {
  std::vector<std::string_view> lines;
  std::set<std::string_view> names;
  std::string_view version, target;
};

} // namespace

/// Takes a text apart. Sections hold debug information.
static Body readBody(std::string_view text) {
  Body body;
  int depth = 0;
  bool inSection = false;
  for (std::string_view line : linesOf(text)) {
    const size_t first = line.find_first_not_of(" \t");
    const std::string_view word =
        first == std::string_view::npos ? std::string_view() : line.substr(first);
    const bool outermost = depth == 0;
    inSection |= outermost && startsWith(word, ".section");
    depth += static_cast<int>(std::count(line.begin(), line.end(), '{')) -
             static_cast<int>(std::count(line.begin(), line.end(), '}'));
    if (inSection) {
      inSection = depth != 0 || startsWith(word, ".section");
      continue;
    }
    if (outermost && startsWith(word, ".version"))
      body.version = line;
    else if (outermost && startsWith(word, ".target"))
      body.target = line;
    else if (!startsWith(word, ".address_size") && !isLineNumber(word) &&
             !(outermost && startsWith(word, "//")))
      body.lines.push_back(line);
    if (std::string_view name = outermost ? declaredName(line) : ""; !name.empty())
      body.names.insert(name);
  }
  return body;
}

/// The line with other names for those in the table.
static std::string renamed(std::string_view line,
                           const std::map<std::string_view, std::string> &names) {
  std::string text;
  for (size_t at = 0; at < line.size();) {
    size_t end = at;
    while (end < line.size() && isNameLetter(line[end]))
      ++end;
    if (end == at) {
      text += line[at++];
      continue;
    }
    const auto found = names.find(line.substr(at, end - at));
    text += found == names.end() ? line.substr(at, end - at) : found->second;
    at = end;
  }
  return text;
}

/// "8.0" before "8.3" before "10.0".
static double versionNumber(std::string_view line) {
  double number = 0;
  const std::string text(line);
  return std::sscanf(text.c_str(), ".version %lf", &number) == 1 ? number : 0;
}

std::string het::joinPtx(const std::vector<std::string> &texts) {
  std::vector<Body> bodies;
  std::map<std::string_view, unsigned> users;
  std::string_view version = ".version 8.0", target = ".target sm_70";
  for (const std::string &text : texts) {
    bodies.push_back(readBody(text));
    for (std::string_view name : bodies.back().names)
      ++users[name];
    if (versionNumber(bodies.back().version) > versionNumber(version))
      version = bodies.back().version;
    if (!bodies.back().target.empty())
      target = bodies.back().target;
  }
  std::string joined =
      std::string(version) + "\n" + std::string(target) + "\n.address_size 64\n";
  for (size_t i = 0; i < bodies.size(); ++i) {
    std::map<std::string_view, std::string> names;
    for (std::string_view name : bodies[i].names)
      if (users[name] > 1)
        names[name] = std::string(name) + "$" + std::to_string(i + 1);
    for (std::string_view line : bodies[i].lines)
      joined += renamed(line, names) + "\n";
  }
  return joined;
}
