// SPDX-License-Identifier: Apache-2.0
// child_result: the one message that a child sends to its parent.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace tenure::probe {

// A fresh value that the parent gives to a child and expects back with the message, so that nothing that
// provider code writes passes for one.
std::string make_result_token();

// Sends `content` and never a second one: the first caller wins, later ones block. Called by the child.
void send_result(std::string_view token, const nlohmann::ordered_json& content);

// The content of what a child sent; nothing unless it is exactly one whole message with this token.
std::optional<nlohmann::ordered_json> read_result(std::string_view token, std::string_view bytes);

}  // namespace tenure::probe
