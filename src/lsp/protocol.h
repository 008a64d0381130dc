// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/positions.h"

// JSON-RPC and the few shapes of the protocol that several requests share.

namespace vramlint::lsp {

using Json = nlohmann::json;

/// Numbers of JSON-RPC and of the protocol.
enum class ErrorCode : int {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  server_not_initialized = -32002,
  request_cancelled = -32800,
};

/// Why a request gets no result.
struct Refusal {
  ErrorCode code{};
  std::string message;
};

/// The value that a message is; nothing for what is no JSON, and for what is so deep or has so many
/// parts that no client can mean it.
std::optional<Json> parse_message(std::string_view body);
/// One line of JSON. Bytes that are no UTF-8 are replaced: JSON has no other text.
std::string text_of(const Json& message);

Json response(const Json& id, Json result);
Json error_response(const Json& id, const Refusal& refusal);
Json notification(std::string_view method, Json params);
Json request(int64_t id, std::string_view method, Json params);

/// Whether it may stand as the `id` of a request.
bool is_id(const Json& value);

/// The member, or null when there is none or it is not inside of an object.
const Json& member(const Json& value, std::string_view name);
/// A path of members: `textDocument.uri`.
const Json& member_at(const Json& value, std::string_view path);
/// Empty for what is no text.
std::string string_at(const Json& value, std::string_view path);
bool flag_at(const Json& value, std::string_view path);

Json json_of(Position position);
Json json_of(Range range);
/// A whole number that is not below zero, or the largest there is.
std::optional<uint32_t> number_in(const Json& value);
std::optional<Range> range_in(const Json& value);
std::optional<Position> position_in(const Json& value);

}  // namespace vramlint::lsp
