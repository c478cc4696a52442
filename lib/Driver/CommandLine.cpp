// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The four spellings of a value: --long value, --long=value, -short value, and
// -shortvalue (one-letter names) or -short=value.

#include "CommandLine.h"
#include "Text.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace het::driver;
using llvm::StringRef;

/// Options files may name options files; a cycle ends here.
static constexpr unsigned maxFileDepth = 16;

template <typename... Ts>
static llvm::Error fail(const char *format, const Ts &...values) {
  return llvm::createStringError(std::errc::invalid_argument, format, values...);
}

bool CommandLine::has(OptionId id) const {
  return llvm::any_of(arguments,
                      [&](const Argument &argument) { return argument.is(id); });
}

namespace {

/// One word, as it was spelled, before its value is looked for.
struct Spelling {
  const OptionInfo *option = nullptr;
  bool hasValue = false;
  StringRef value;
};

class Parser {
public:
  explicit Parser(CommandLine &line) : line(line) {}

  llvm::Error parse(llvm::ArrayRef<std::string> words, unsigned depth);

private:
  static Spelling spell(StringRef word);
  llvm::Error parseOption(const Spelling &spelling, llvm::ArrayRef<std::string> words,
                          size_t &index, unsigned depth);
  llvm::Error readFiles(llvm::ArrayRef<std::string> files, unsigned depth);
  llvm::Error parseUnknown(StringRef word);

  CommandLine &line;
};

} // namespace

Spelling Parser::spell(StringRef word) {
  Spelling spelling;
  if (word.starts_with("--")) {
    auto [name, value] = word.drop_front(2).split('=');
    spelling.option = findLongOption(name);
    spelling.hasValue = word.contains('=');
    spelling.value = value;
    return spelling;
  }
  StringRef body = word.drop_front(1);
  if ((spelling.option = findShortOption(body)))
    return spelling;
  auto [name, value] = body.split('=');
  spelling.hasValue = true;
  if (body.contains('=') && (spelling.option = findShortOption(name))) {
    spelling.value = value;
    return spelling;
  }
  const OptionInfo *letter = findShortOption(body.take_front(1));
  // -machine or -eabi are no values of -m and -e; -o and -x take none so in nvcc, either.
  bool joinable = letter && letter->takesValue() && letter->id != OptionId::Entries &&
                  letter->id != OptionId::Output && letter->id != OptionId::Language &&
                  letter->allows(body.drop_front(1));
  if (joinable && letter->id == OptionId::Threads &&
      body.drop_front(1).find_first_not_of("0123456789") != StringRef::npos)
    joinable = false;
  if (joinable) {
    spelling.option = letter;
    spelling.value = body.drop_front(1);
  }
  return spelling;
}

/// Macros, and words of the host compiler, are text; other lists hold names.
static ListStyle listStyle(const OptionInfo &option, bool inFile) {
  switch (option.id) {
  case OptionId::Define:
  case OptionId::Undefine:
  case OptionId::CompilerOptions:
    return inFile ? ListStyle::FileMacros : ListStyle::Macros;
  default:
    return ListStyle::Paths;
  }
}

llvm::Error Parser::parseOption(const Spelling &spelling,
                                llvm::ArrayRef<std::string> words, size_t &index,
                                unsigned depth) {
  const OptionInfo &option = *spelling.option;
  Argument argument;
  argument.kind = Argument::Kind::Option;
  argument.option = &option;
  argument.text = words[index];
  std::string typed = StringRef(words[index]).split('=').first.str();
  if (!option.takesValue()) {
    if (spelling.hasValue)
      return fail("option '%s' takes no value", typed.c_str());
    line.arguments.push_back(std::move(argument));
    return llvm::Error::success();
  }
  StringRef value = spelling.value;
  if (!spelling.hasValue) {
    if (index + 1 == words.size())
      return fail("argument expected after '%s'", typed.c_str());
    value = words[++index];
  }
  argument.values = {value.str()};
  if (option.form == OptionForm::List) {
    auto items = splitList(value, listStyle(option, /*inFile=*/depth != 0));
    if (!items)
      return items.takeError();
    argument.values = std::move(*items);
  }
  for (const std::string &item : argument.values)
    if (!option.allows(item) ||
        (option.form == OptionForm::Boolean && item != "true" && item != "false"))
      return fail("Value '%s' is not defined for option '%s'", item.c_str(),
                  option.longName.str().c_str());
  if (option.id == OptionId::OptionsFile)
    return readFiles(argument.values, depth);
  line.arguments.push_back(std::move(argument));
  return llvm::Error::success();
}

llvm::Error Parser::readFiles(llvm::ArrayRef<std::string> files, unsigned depth) {
  for (const std::string &file : files) {
    if (depth == maxFileDepth)
      return fail("options file '%s' is nested too deeply", file.c_str());
    auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
    if (!buffer)
      return fail("Could not open options file '%s': %s", file.c_str(),
                  buffer.getError().message().c_str());
    if (llvm::Error error = parse(splitFile((*buffer)->getBuffer()), depth + 1))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Parser::parseUnknown(StringRef word) {
  if (line.forwardToCompiler || line.forwardToLinker) {
    Argument argument;
    argument.kind = Argument::Kind::Unknown;
    argument.text = word.str();
    line.arguments.push_back(std::move(argument));
    return llvm::Error::success();
  }
  std::string nearest = nearestOption(word);
  if (nearest.empty())
    return fail("Unknown option '%s'", word.str().c_str());
  return fail("Unknown option '%s'; did you mean '%s'?", word.str().c_str(),
              nearest.c_str());
}

llvm::Error Parser::parse(llvm::ArrayRef<std::string> words, unsigned depth) {
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    if (word.size() > 1 && word[0] == '@') { // as g++ has it
      if (llvm::Error error = readFiles(word.drop_front(1).str(), depth))
        return error;
      continue;
    }
    if (word.size() < 2 || word[0] != '-') {
      Argument input;
      input.text = word.str();
      // CMake's modules may put an empty word ahead of everything.
      if (!word.empty())
        line.arguments.push_back(std::move(input));
      continue;
    }
    Spelling spelling = spell(word);
    llvm::Error error =
        spelling.option ? parseOption(spelling, words, i, depth) : parseUnknown(word);
    if (error)
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<CommandLine>
het::driver::parseCommandLine(llvm::ArrayRef<std::string> words) {
  CommandLine line;
  // These hold for words that stand before them, too.
  for (StringRef word : words) {
    StringRef name = word.ltrim('-');
    bool all = name == "forward-unknown-opts";
    line.forwardToCompiler |= all || name == "forward-unknown-to-host-compiler";
    line.forwardToLinker |= all || name == "forward-unknown-to-host-linker";
  }
  if (llvm::Error error = Parser(line).parse(words, 0))
    return std::move(error);
  return std::move(line);
}
