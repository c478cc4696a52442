// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splitting and quoting of command lines.

#include "Text.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

std::vector<std::string> het::driver::splitWords(StringRef text) {
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
    } else if (c == '"' || c == '\'') {
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

std::vector<std::string> het::driver::splitList(StringRef text) {
  std::vector<std::string> items;
  std::string item;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\' && i + 1 < text.size() && text[i + 1] == ',') {
      item += text[++i];
    } else if (quote) {
      if (c == quote)
        quote = 0;
      else
        item += c;
    } else if ((c == '"' || c == '\'') && text.find(c, i + 1) != StringRef::npos) {
      quote = c;
    } else if (c == ',') {
      items.push_back(std::move(item));
      item.clear();
    } else {
      item += c;
    }
  }
  items.push_back(std::move(item));
  return items;
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
