// SPDX-License-Identifier: Apache-2.0
#include "loader/provider_note.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <variant>

#include "fixtures.hpp"
#include "provider_bytes.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace tenure;
using namespace tenure_test;

std::variant<IdentityCard, Problem> card_in(const std::filesystem::path& path) {
  const auto file = OpenedFile::open(path.string());
  REQUIRE(file);
  auto read = read_elf(*file);
  REQUIRE(std::holds_alternative<ElfFile>(read));
  return read_identity_card(std::get<ElfFile>(read));
}

// What is found in a good provider after `change` was made to its bytes.
Problem after(auto change) {
  const TemporaryFolder folder;
  ProviderBytes bytes(fixture("good"));
  change(bytes);
  auto card = card_in(bytes.write(folder / "bent.so"));
  REQUIRE(std::holds_alternative<Problem>(card));
  return std::get<Problem>(card);
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("read_identity_card: a good card is copied field by field") {
  const auto read = card_in(fixture("good"));
  REQUIRE(std::holds_alternative<IdentityCard>(read));
  const auto& card = std::get<IdentityCard>(read);

  CHECK(card.abi_major == TENURE_ABI_MAJOR);
  CHECK(card.abi_minor == TENURE_ABI_MINOR);
  CHECK(card.flags == TENURE_NOTE_DRAFT);
  CHECK(card.sanitizers == TENURE_SANITIZERS_HERE);
  CHECK(card.id == "org.tenure.fixture");
  CHECK(card.version == "1.0.0");
  CHECK(card.sdk == TENURE_SDK_VERSION);
  CHECK_FALSE(card.compiler.empty());
}

TEST_CASE("read_identity_card: a plain library is told apart from a provider without a card") {
  const auto plain = card_in(fixture("plain"));
  REQUIRE(std::holds_alternative<Problem>(plain));
  CHECK(std::get<Problem>(plain).id == "file.note.present");
  CHECK(contains(std::get<Problem>(plain).message, "this is a plain library, not a provider"));

  const auto entry_only = card_in(fixture("no_note"));
  REQUIRE(std::holds_alternative<Problem>(entry_only));
  CHECK(contains(std::get<Problem>(entry_only).message,
                 "exports tenure_provider_entry_v1_draft but carries no identity card"));
  CHECK(contains(std::get<Problem>(entry_only).hint, "TENURE_NOTE"));
}

TEST_CASE("read_identity_card: notes padded to 4 and to 8 bytes may share a segment, as mold links them") {
  const TemporaryFolder folder;
  ProviderBytes bytes(fixture("good"));
  auto* segments = reinterpret_cast<Elf64_Phdr*>(bytes.bytes().data() + bytes.header().e_phoff);
  // The build id is 36 bytes long, so what follows it is not where padding to 8 would have it.
  const auto notes = std::find_if(segments, segments + bytes.header().e_phnum, [](const Elf64_Phdr& segment) {
    return segment.p_type == PT_NOTE && segment.p_align == 4;
  });
  REQUIRE(notes != segments + bytes.header().e_phnum);
  notes->p_align = 8;

  const auto read = card_in(bytes.write(folder / "merged.so"));
  REQUIRE(std::holds_alternative<IdentityCard>(read));
  CHECK(std::get<IdentityCard>(read).id == "org.tenure.fixture");
}

TEST_CASE("read_identity_card: a segment of another alignment is named as GCC's trap") {
  const Problem problem = after([](ProviderBytes& bytes) {
    for (std::uint16_t i = 0; i < bytes.header().e_phnum; ++i) {
      auto* segments = reinterpret_cast<Elf64_Phdr*>(bytes.bytes().data() + bytes.header().e_phoff);
      if (segments[i].p_type == PT_NOTE && segments[i].p_align == 4) segments[i].p_align = 32;
    }
  });
  CHECK(problem.id == "file.note.aligned");
  CHECK(contains(problem.message, "found one aligned to 32"));
  CHECK(contains(problem.hint, "aligned(4)"));
}

TEST_CASE("read_identity_card: each damaged field is refused with what was expected") {
  CHECK(contains(after([](ProviderBytes& b) { b.note().type = 7; }).message,
                 "expected a note of type 1, found type 7"));
  CHECK(contains(after([](ProviderBytes& b) { b.note().bytes = 4; }).message, "found 4"));
  CHECK(contains(after([](ProviderBytes& b) { b.note().bytes = 4000; }).message, "found 4000"));
  CHECK(contains(after([](ProviderBytes& b) { std::memset(b.note().id, 'a', sizeof b.note().id); }).message,
                 "end within their field"));
  CHECK(contains(after([](ProviderBytes& b) { b.note().version[0] = '\x01'; }).message, "printable"));
  CHECK(contains(after([](ProviderBytes& b) { b.note().id[0] = 'O'; }).message, "'Org.tenure.fixture'"));
  CHECK(contains(after([](ProviderBytes& b) { b.note().id[0] = '\0'; }).message, "found ''"));
  CHECK(contains(after([](ProviderBytes& b) { b.note().version[1] = '\0'; }).message, "found '1'"));
}

TEST_CASE("read_identity_card: a wrong magic number is damage") {
  ProviderBytes bytes(fixture("good"));
  auto& note = bytes.note();
  note.magic = 5;
  const TemporaryFolder folder;
  const auto read = card_in(bytes.write(folder / "bent.so"));
  REQUIRE(std::holds_alternative<Problem>(read));
  CHECK(contains(std::get<Problem>(read).message, "the magic number"));
}

TEST_CASE("is_provider_id: parts of lower case, digits and dashes, none of them empty") {
  for (const char* good : {"org.tenure.cpu", "a", "x-1.y2", "0"}) CHECK(is_provider_id(good));
  for (const char* bad : {"", ".", "a.", ".a", "a..b", "A", "a_b", "a b", "\xc3\xa4"})
    CHECK_FALSE(is_provider_id(bad));
}

TEST_CASE("is_semantic_version: three numbers and perhaps more after a dash or plus") {
  for (const char* good : {"0.1.0", "1.2.3", "10.20.30", "1.0.0-rc.1", "1.0.0+build.5"})
    CHECK(is_semantic_version(good));
  for (const char* bad : {"", "1", "1.2", "1.2.", ".1.2", "1..2", "1.2.3.4", "a.b.c", "1.2.x"}) {
    CHECK_FALSE(is_semantic_version(bad));
  }
}
