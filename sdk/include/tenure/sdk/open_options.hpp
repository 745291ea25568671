// SPDX-License-Identifier: Apache-2.0
// open_options: the key and value pairs that a user gave to open.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tenure/sdk/argument.hpp"
#include "tenure/sdk/error.hpp"
#include "tenure/sdk/text.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

// Options that a provider's constructor asks for by key. Every key that is asked for becomes a known one;
// after the constructor the glue refuses the open when a given key is not known, so ask for all keys,
// whatever the others say. All errors are INVALID_ARGUMENT. Used by one thread.
class OpenOptions {
 public:
  // Copies the pairs. `args` may be null. Throws on an empty or repeated key.
  explicit OpenOptions(const tenure_open_args* args) {
    if (args == nullptr) return;
    const auto given = read_argument(args, "open: args");
    if (given.count != 0 && (given.keys == nullptr || given.values == nullptr)) {
      throw Error(TENURE_INVALID_ARGUMENT, "the open options have a count but no keys or no values");
    }
    for (std::uint64_t i = 0; i < given.count; ++i) {
      add(to_view(given.keys[i]), to_view(given.values[i]));
    }
  }

  // The value of a key, or nothing when it was not given.
  std::optional<std::string> text(std::string_view key) {
    const Pair* pair = find(key);
    return pair == nullptr ? std::nullopt : std::optional(pair->value);
  }
  std::string text(std::string_view key, std::string_view otherwise) {
    return text(key).value_or(std::string(otherwise));
  }

  // A decimal number within [least, most].
  std::int64_t integer(std::string_view key, std::int64_t otherwise, std::int64_t least = INT64_MIN,
                       std::int64_t most = INT64_MAX) {
    const Pair* pair = find(key);
    if (pair == nullptr) return otherwise;
    std::int64_t number = 0;
    const char* end = pair->value.data() + pair->value.size();
    const auto [stop, error] = std::from_chars(pair->value.data(), end, number);
    if (error != std::errc{} || stop != end || number < least || number > most) {
      refuse(*pair, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return number;
  }

  // "true" or "false".
  bool boolean(std::string_view key, bool otherwise) {
    const Pair* pair = find(key);
    if (pair == nullptr) return otherwise;
    if (pair->value != "true" && pair->value != "false") refuse(*pair, "true or false");
    return pair->value == "true";
  }

  // Throws when a key was given that nobody has asked for; the message names the known ones.
  void require_all_known() const {
    for (const Pair& pair : pairs_) {
      if (!pair.is_known) {
        throw Error(TENURE_INVALID_ARGUMENT,
                    "there is no option \"" + pair.key + "\"; " +
                        (known_.empty() ? "this provider takes none" : "this provider takes " + known_));
      }
    }
  }

 private:
  struct Pair {
    std::string key;
    std::string value;
    bool is_known = false;
  };

  void add(std::string_view key, std::string_view value) {
    if (key.empty()) throw Error(TENURE_INVALID_ARGUMENT, "an open option has an empty key");
    for (const Pair& pair : pairs_) {
      if (pair.key == key) {
        throw Error(TENURE_INVALID_ARGUMENT, "the option \"" + pair.key + "\" is given twice");
      }
    }
    pairs_.push_back({std::string(key), std::string(value)});
  }

  const Pair* find(std::string_view key) {
    if (!known_.empty()) known_ += ", ";
    known_ += key;
    for (Pair& pair : pairs_) {
      if (pair.key == key) {
        pair.is_known = true;
        return &pair;
      }
    }
    return nullptr;
  }

  [[noreturn]] static void refuse(const Pair& pair, const std::string& wanted) {
    throw Error(TENURE_INVALID_ARGUMENT,
                "the option \"" + pair.key + "\" is \"" + pair.value + "\"; expected " + wanted);
  }

  std::vector<Pair> pairs_;
  std::string known_;  // the keys asked for, for the message
};

}  // namespace tenure::sdk
#pragma GCC visibility pop
