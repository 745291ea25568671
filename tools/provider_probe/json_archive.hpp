// SPDX-License-Identifier: Apache-2.0
// json_archive: structs as JSON objects and back, by one list of members for both directions.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

namespace tenure::probe {

// A member of T and the key it stands under.
template <class T, class M>
struct JsonMember {
  const char* key;
  M T::*member;
};
template <class T, class M>
JsonMember(const char*, M T::*) -> JsonMember<T, M>;

// A struct that has `json_members(std::type_identity<T>)`, a tuple of its JsonMembers in their order.
template <class T>
concept JsonStruct = requires {
  json_members(std::type_identity<T>{});
};

template <class T>
nlohmann::ordered_json json_from(const T& value) {
  if constexpr (JsonStruct<T>) {
    auto object = nlohmann::ordered_json::object();
    std::apply([&](const auto&... field) { ((object[field.key] = json_from(value.*field.member)), ...); },
               json_members(std::type_identity<T>{}));
    return object;
  } else {
    return value;
  }
}
template <class T>
nlohmann::ordered_json json_from(const std::vector<T>& values) {
  auto list = nlohmann::ordered_json::array();
  for (const T& value : values) list.push_back(json_from(value));
  return list;
}
template <class T>
nlohmann::ordered_json json_from(const std::optional<T>& value) {
  return value ? json_from(*value) : nlohmann::ordered_json(nullptr);
}

// Fills `value` from what json_from gave. Throws nlohmann's exceptions for anything else.
template <class T>
void read_json(const nlohmann::ordered_json& document, T& value) {
  if constexpr (JsonStruct<T>) {
    std::apply([&](const auto&... field) { (read_json(document.at(field.key), value.*field.member), ...); },
               json_members(std::type_identity<T>{}));
  } else {
    document.get_to(value);
  }
}
template <class T>
void read_json(const nlohmann::ordered_json& document, std::vector<T>& values) {
  values.clear();
  for (const auto& element : document) read_json(element, values.emplace_back());
}
template <class T>
void read_json(const nlohmann::ordered_json& document, std::optional<T>& value) {
  value.reset();
  if (!document.is_null()) read_json(document, value.emplace());
}

}  // namespace tenure::probe
