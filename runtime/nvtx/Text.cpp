// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads texts and attributes of events.

#include "Text.h"

#include "het/Base/Json.h"

#include <cstdio>
#include <type_traits>

namespace het::nvtx {

std::string textOf(const char *text) { return text ? text : ""; }

std::string textOf(const wchar_t *text) {
  std::string bytes;
  for (; text && *text; ++text) {
    const auto code = uint32_t{static_cast<std::make_unsigned_t<wchar_t>>(*text)};
    if (code < 0x80) {
      bytes += static_cast<char>(code);
      continue;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    const unsigned head = more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0;
    bytes += static_cast<char>(head | code >> (6 * more));
    for (int at = more - 1; at >= 0; --at)
      bytes += static_cast<char>(0x80 | (code >> (6 * at) & 0x3f));
  }
  return bytes;
}

static std::string messageOf(const nvtxEventAttributes_t &attributes) {
  switch (attributes.messageType) {
  case NVTX_MESSAGE_TYPE_ASCII:
    return textOf(attributes.message.ascii);
  case NVTX_MESSAGE_TYPE_UNICODE:
    return textOf(attributes.message.unicode);
  case NVTX_MESSAGE_TYPE_REGISTERED:
    return attributes.message.registered ? attributes.message.registered->text : "";
  default:
    return "";
  }
}

static void addNumber(JsonWriter &json, const nvtxEventAttributes_t &attributes) {
  const auto &payload = attributes.payload;
  auto addReal = [&](double value) { json.field("payload", std::to_string(value)); };
  switch (attributes.payloadType) {
  case NVTX_PAYLOAD_TYPE_UNSIGNED_INT64:
    return json.field("payload", uint64_t(payload.ullValue));
  case NVTX_PAYLOAD_TYPE_INT64:
    return json.field("payload", int64_t(payload.llValue));
  case NVTX_PAYLOAD_TYPE_UNSIGNED_INT32:
    return json.field("payload", uint64_t(payload.uiValue));
  case NVTX_PAYLOAD_TYPE_INT32:
    return json.field("payload", int64_t(payload.iValue));
  case NVTX_PAYLOAD_TYPE_DOUBLE:
    return addReal(payload.dValue);
  case NVTX_PAYLOAD_TYPE_FLOAT:
    return addReal(payload.fValue);
  default:
    return;
  }
}

Described describe(nvtxDomainRegistration_st &domain,
                   const nvtxEventAttributes_t *attributes) {
  JsonWriter json(/*brokenLevels=*/0);
  json.beginObject();
  if (!domain.name.empty())
    json.field("domain", domain.name);
  if (!attributes) {
    json.endObject();
    return {"range", json.take()};
  }
  if (attributes->category) {
    std::lock_guard lock(domain.mutex);
    auto known = domain.categories.find(attributes->category);
    json.field("category", known == domain.categories.end()
                               ? std::to_string(attributes->category)
                               : known->second);
  }
  if (attributes->colorType == NVTX_COLOR_ARGB) {
    char color[16];
    (void)std::snprintf(color, sizeof(color), "#%06x", attributes->color & 0xffffff);
    json.field("color", std::string(color));
  }
  addNumber(json, *attributes);
  json.endObject();
  std::string name = messageOf(*attributes);
  return {name.empty() ? "range" : std::move(name), json.take()};
}

Described describe(std::string name) { return {std::move(name), "{}"}; }

} // namespace het::nvtx
