// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits command lines into words, and quotes words for them.

#include "Text.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

static std::vector<std::string> splitAt(StringRef text, StringRef quotes) {
  std::vector<std::string> words;
  std::string word;
  bool inWord = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      inWord = true;
    } else if (quote) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (quotes.contains(c)) {
      quote = c;
      inWord = true;
    } else if (llvm::isSpace(c)) {
      if (inWord)
        words.push_back(std::move(word));
      word.clear();
      inWord = false;
    } else {
      word += c;
      inWord = true;
    }
  }
  if (inWord)
    words.push_back(std::move(word));
  return words;
}

std::vector<std::string> het::driver::splitWords(StringRef text) {
  return splitAt(text, "\"'");
}

std::vector<std::string> het::driver::splitFile(StringRef text) {
  return splitAt(text, "\"");
}

std::vector<std::string> het::driver::splitVariable(StringRef text) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (char c : text) {
    quoted ^= c == '"';
    if (quoted || !llvm::isSpace(c))
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty())
    words.pop_back();
  return words;
}

llvm::Expected<std::vector<std::string>> het::driver::splitList(StringRef text,
                                                                ListStyle style) {
  std::vector<std::string> items(1);
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    bool escapes = c == '\\' && i + 1 < text.size() &&
                   (style != ListStyle::Paths || text[i + 1] == ',');
    if (escapes)
      items.back() += text[++i];
    else if (c == ',' && !quoted)
      items.emplace_back();
    else if (c != '"' || style == ListStyle::Macros)
      items.back() += c;
    quoted ^= !escapes && c == '"';
  }
  if (quoted)
    return llvm::createStringError(std::errc::invalid_argument,
                                   "Stray '\"' character in '%s'", text.str().c_str());
  return items;
}

std::string het::driver::pathItems(llvm::ArrayRef<std::string> items) {
  std::string list;
  for (const std::string &item : items) {
    if (!list.empty())
      list += ',';
    for (char c : item)
      list += c == ',' ? std::string("\\,") : std::string(1, c);
  }
  return list;
}

std::string het::driver::listItem(StringRef text) {
  std::string item;
  for (char c : text) {
    if (c == '\\' || c == ',' || c == '"')
      item += '\\';
    item += c;
  }
  return item;
}

std::string het::driver::quoted(StringRef argument) {
  auto plain = [](char c) {
    return llvm::isAlnum(c) || StringRef("-_=+./:,@%^[]{}").contains(c);
  };
  if (!argument.empty() && llvm::all_of(argument, plain))
    return argument.str();
  std::string text = "\"";
  for (char c : argument) {
    if (StringRef("\"\\$`").contains(c))
      text += '\\';
    text += c;
  }
  return text + '"';
}

std::string het::driver::joined(llvm::ArrayRef<std::string> arguments) {
  std::string text;
  for (const std::string &argument : arguments) {
    if (!text.empty())
      text += ' ';
    text += quoted(argument);
  }
  return text;
}
