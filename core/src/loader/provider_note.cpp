// SPDX-License-Identifier: Apache-2.0
#include "loader/provider_note.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "tenure/provider_note.h"

namespace tenure::inline TENURE_BUILD {

namespace {

constexpr std::size_t description_begin = offsetof(tenure_note, magic);
constexpr std::size_t description_bytes = sizeof(tenure_note) - description_begin;

Problem note_problem(std::string_view rule, std::int32_t code, std::string wanted, std::string found,
                     std::string hint) {
  return {.id = std::string(rule),
          .stage = LoadStage::note,
          .code = code,
          .culprit = TENURE_NOTE_SECTION,
          .wanted = wanted,
          .found = found,
          .searched = {},
          .message = "the identity card is not right: expected " + wanted + ", found " + found,
          .hint = std::move(hint)};
}

Problem absent(const ElfFile& file) {
  Problem problem = note_problem("file.note.present", TENURE_NOT_FOUND, "an identity card", "none", {});
  if (file.defines(TENURE_ENTRY_SYMBOL)) {
    problem.message = "the file exports " TENURE_ENTRY_SYMBOL " but carries no identity card";
    problem.hint =
        "Write TENURE_NOTE(id, version, flags) once in a source of the provider, and keep the section " +
        std::string(TENURE_NOTE_SECTION) + " when stripping or linking.";
  } else {
    problem.message = "the file has no identity card and does not export " TENURE_ENTRY_SYMBOL
                      ": this is a plain library, not a provider";
    problem.hint = "Give the path of a provider; tenure_add_provider builds one.";
  }
  return problem;
}

Problem damaged(std::string wanted, std::string found) {
  return note_problem("file.note.present", TENURE_DATA_LOSS, std::move(wanted), std::move(found),
                      "Write the card with TENURE_NOTE and build the provider again.");
}

// The text of a field of fixed size; empty when it has no end or holds anything but printable ASCII.
template <std::size_t Size>
std::optional<std::string> text_of(const char (&field)[Size]) {
  const std::size_t length = ::strnlen(field, Size);
  if (length == Size) return std::nullopt;
  std::string text(field, length);
  const bool printable = std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
  return printable ? std::optional(std::move(text)) : std::nullopt;
}

std::optional<Problem> damage_of(const ElfNote& note) {
  if (note.segment_alignment_bytes != 4 && note.segment_alignment_bytes != 8) {
    return note_problem("file.note.aligned", TENURE_DATA_LOSS, "a segment aligned to 4 bytes",
                        "one aligned to " + std::to_string(note.segment_alignment_bytes),
                        "Put aligned(4) on the variable that holds the card, as TENURE_NOTE does.");
  }
  if (note.type != TENURE_NOTE_TYPE) return damaged("a note of type 1", "type " + std::to_string(note.type));
  if (note.description.size() < description_bytes) {
    return damaged("at least " + std::to_string(description_bytes) + " bytes",
                   std::to_string(note.description.size()));
  }
  return std::nullopt;
}

}  // namespace

bool is_provider_id(std::string_view text) noexcept {
  if (text.empty() || text.front() == '.' || text.back() == '.') return false;
  if (text.find("..") != std::string_view::npos) return false;
  return std::ranges::all_of(
      text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-'; });
}

bool is_semantic_version(std::string_view text) noexcept {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::string_view numbers = text.substr(0, text.find_first_of("-+"));
  int dots = 0;
  bool after_digit = false;
  for (const char c : numbers) {
    if (c == '.' && after_digit) {
      ++dots;
      after_digit = false;
    } else if (is_digit(c)) {
      after_digit = true;
    } else {
      return false;
    }
  }
  return dots == 2 && after_digit;
}

std::variant<IdentityCard, Problem> read_identity_card(const ElfFile& file) {
  const auto at = std::ranges::find(file.notes, TENURE_NOTE_OWNER, &ElfNote::owner);
  if (at == file.notes.end()) return absent(file);
  if (auto problem = damage_of(*at)) return *problem;

  tenure_note note{};
  std::memcpy(reinterpret_cast<char*>(&note) + description_begin, at->description.data(), description_bytes);
  if (note.magic != TENURE_NOTE_MAGIC) return damaged("the magic number", std::to_string(note.magic));
  if (note.bytes < description_bytes || note.bytes > at->description.size()) {
    return damaged("a size of " + std::to_string(at->description.size()), std::to_string(note.bytes));
  }
  const auto id = text_of(note.id);
  const auto version = text_of(note.version);
  const auto sdk = text_of(note.sdk);
  const auto compiler = text_of(note.compiler);
  if (!id || !version || !sdk || !compiler) {
    return damaged("texts of printable characters that end within their field", "other bytes");
  }
  if (!is_provider_id(*id)) return damaged("an id such as org.example.gpu, of [a-z0-9.-]", "'" + *id + "'");
  if (!is_semantic_version(*version)) return damaged("a version such as 1.2.3", "'" + *version + "'");
  return IdentityCard{.abi_major = note.abi_major,
                      .abi_minor = note.abi_minor,
                      .host_minor_min = note.host_minor_min,
                      .isa_level = note.isa_level,
                      .flags = note.flags,
                      .sanitizers = note.sanitizers,
                      .id = *id,
                      .version = *version,
                      .sdk = *sdk,
                      .compiler = *compiler};
}

}  // namespace tenure::inline TENURE_BUILD
