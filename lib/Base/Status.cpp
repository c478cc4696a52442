// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Status: names of codes, makers of failures, the form of a mismatch.

#include "het/Base/Status.h"

using namespace het;

const char *het::codeName(Code code) {
  switch (code) {
  case Code::Ok:
    return "ok";
  case Code::Unavailable:
    return "unavailable";
  case Code::Unsupported:
    return "unsupported";
  case Code::Invalid:
    return "invalid";
  case Code::Internal:
    return "internal";
  }
  return "unknown";
}

std::string Status::text() const {
  return origin.empty() ? message : origin + ": " + message;
}

Status Status::from(std::string where) && {
  if (!ok() && origin.empty())
    origin = std::move(where);
  return std::move(*this);
}

Status het::invalid(std::string message, std::string origin) {
  return {Code::Invalid, std::move(message), std::move(origin)};
}

Status het::unsupported(std::string message, std::string origin) {
  return {Code::Unsupported, std::move(message), std::move(origin)};
}

Status het::unavailable(std::string message, std::string origin) {
  return {Code::Unavailable, std::move(message), std::move(origin)};
}

Status het::internal(std::string message, std::string origin) {
  return {Code::Internal, std::move(message), std::move(origin)};
}

std::string het::foundExpected(const std::string &thing, const std::string &found,
                               const std::string &expected, const std::string &remedy) {
  return thing + ": found " + found + ", expected " + expected + "; " + remedy;
}
