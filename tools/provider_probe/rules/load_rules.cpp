// SPDX-License-Identifier: Apache-2.0
// load_rules: what a provider may do to a process while it is loaded, and what it then says of itself.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

#include "child_setup.hpp"
#include "file_descriptor.hpp"
#include "rules/open_instance.hpp"
#include "rules/process_manners.hpp"
#include "rules/trial.hpp"
#include "sentence.hpp"
#include "tenure/loader/file_report.hpp"

namespace tenure::probe {

namespace {

void load_now(Trial& trial) { trial.image(); }

void load_entry(Trial& trial) { trial.provider(); }

// What this process writes to one of its standard streams while it lives.
class StreamCapture {
 public:
  explicit StreamCapture(int stream)
      : stream_(stream),
        former_(::fcntl(stream, F_DUPFD_CLOEXEC, 3)),
        memory_(::memfd_create("captured stream", MFD_CLOEXEC)) {
    ::dup2(memory_.number(), stream_);
  }
  StreamCapture(const StreamCapture&) = delete;
  StreamCapture& operator=(const StreamCapture&) = delete;
  ~StreamCapture() { ::dup2(former_.number(), stream_); }

  // The first bytes written so far.
  std::string text() const {
    std::array<char, 80> buffer;
    const ssize_t count = ::pread(memory_.number(), buffer.data(), buffer.size(), 0);
    return {buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
  }

 private:
  int stream_;
  FileDescriptor former_;
  FileDescriptor memory_;
};

// Opens and closes when the provider can; a rule about loading also holds for one that cannot.
void open_and_close(Trial& trial) {
  const tenure_provider& provider = trial.provider();
  if (provider.open == nullptr || provider.close == nullptr) return;
  tenure_instance* instance = nullptr;
  const std::int32_t code = trial.call(
      abi::CallSlot::open, [&] { return provider.open(trial.host().table(), nullptr, &instance, nullptr); });
  if (code != TENURE_OK) return;
  trial.call(abi::CallSlot::close, [&] { provider.close(instance); });
}

void load_silent(Trial& trial) {
  const StreamCapture output(STDOUT_FILENO);
  const StreamCapture error(STDERR_FILENO);
  open_and_close(trial);
  std::fflush(nullptr);
  for (const auto& [capture, name] : {std::pair(&output, "stdout"), std::pair(&error, "stderr")}) {
    const std::string text = capture->text();
    if (!text.empty())
      trial.fail(sentence("loading, opening and closing wrote to ", name, ": \"", text, '"'));
  }
}

void load_no_threads(Trial& trial) {
  const auto before = thread_numbers();
  trial.provider();
  const auto after = thread_numbers();
  trial.expect(
      after.size() <= before.size(),
      sentence("there were ", before.size(), " threads before loading and ", after.size(), " after"));
}

void load_no_fds(Trial& trial) {
  const auto before = open_descriptors();
  trial.provider();
  for (const auto& [number, target] : open_descriptors()) {
    trial.expect(before.contains(number),
                 sentence("loading left descriptor ", number, " open, which leads to ", target));
  }
}

void load_twice(Trial& trial) {
  const tenure_provider* first = &trial.provider();
  std::string error;
  const auto again = ProviderImage::open(trial.file(), error);
  trial.expect(again != nullptr, sentence("mapping the file again failed: ", error));
  for (int call = 2; call <= 3; ++call) {
    const tenure_provider* table = first;
    Answer answer;
    answer.code = trial.call(abi::CallSlot::entry,
                             [&] { return again->entry()(trial.host().table(), &table, answer.status()); });
    trial.expect(answer.ok(), sentence("call ", call, " of the entry answered ", answer.text()));
  }
}

void load_copy_distinct(Trial& trial) {
  const tenure_provider* first = &trial.provider();
  const std::string copy = std::filesystem::absolute(std::filesystem::path(trial.file()).filename());
  std::error_code refused;
  const std::uintmax_t bytes = std::filesystem::file_size(trial.file(), refused);
  if (!refused && bytes > child_file_bytes_max) trial.skip("the file is larger than a copy may be");
  std::filesystem::copy_file(trial.file(), copy, refused);
  if (refused) trial.skip("the file cannot be copied to the temporary folder");
  std::string error;
  const auto image = trial.call(abi::CallSlot::map_image, [&] { return ProviderImage::open(copy, error); });
  trial.expect(image != nullptr, sentence("a copy of the file in another folder was not mapped: ", error));
  const tenure_provider* table = nullptr;
  Answer answer;
  answer.code = trial.call(abi::CallSlot::entry,
                           [&] { return image->entry()(trial.host().table(), &table, answer.status()); });
  trial.expect(answer.ok(), sentence("the entry of a copy of the file answered ", answer.text()));
  trial.expect(table != first, "the entry of a copy of the file gave the first file's table");
}

void load_manners(Trial& trial) {
  const auto before = ProcessManners::now();
  const auto judge = [&](const char* what) {
    for (const std::string& difference : before.differences(ProcessManners::now())) {
      trial.fail(sentence(what, " changed ", difference));
    }
  };
  trial.provider();
  judge("loading");
  open_and_close(trial);
  judge("opening and closing");
}

void note_matches_table(Trial& trial) {
  const FileReport report = inspect_file(trial.file());
  if (!report.card) trial.skip_needs("file.note.present", "the file has no identity card");
  const tenure_provider& provider = trial.provider();
  const auto judge = [&](const char* field, std::string_view in_note, tenure_string in_table) {
    const std::string_view text = view_of(in_table);
    trial.expect(in_note == text, sentence("the ", field, " is \"", in_note, "\" in the note and \"", text,
                                           "\" in the table"));
  };
  judge("id", report.card->id, provider.id);
  judge("version", report.card->version, provider.version);
}

constexpr std::array rules{
    Rule{
        .name = map_rule,
        .sentence = "The file can be mapped with every symbol resolved.",
        .if_ignored = "The provider cannot be used; with lazy binding the process would end at a later call.",
        .advice = "Read the words of the dynamic linker, and what provider-probe inspect --why says.",
        .reach = RuleReach::image,
        .exit_code = ExitCode::not_loadable,
        .needs = {"file.abi-version", "file.isa-level", "file.sanitizer", "file.symbols-resolved",
                  "file.execstack"},
        .check = load_now},
    Rule{.name = entry_rule,
         .sentence = "The entry answers OK and gives a table.",
         .if_ignored = "The provider cannot be used.",
         .advice = "Let the entry do nothing but hand out a constant table.",
         .reach = RuleReach::image,
         .exit_code = ExitCode::not_loadable,
         .needs = {map_rule},
         .check = load_entry},
    Rule{.name = "load.silent",
         .sentence = "Loading, opening and closing write nothing to stdout or stderr.",
         .if_ignored = "Output of the programs that use the provider cannot be parsed.",
         .advice = "Send text to the host's log function.",
         .reach = RuleReach::image,
         .check = load_silent},
    Rule{.name = "load.no-threads",
         .sentence = "No thread runs before an instance is opened.",
         .if_ignored = "A program that only lists providers can no longer fork safely.",
         .advice = "Start threads in open and join them in close.",
         .reach = RuleReach::image,
         .check = load_no_threads},
    Rule{.name = "load.no-fds",
         .sentence = "Loading leaves no file descriptor open.",
         .if_ignored = "Descriptors leak into children of programs that only list providers.",
         .advice = "Open files and devices in open.",
         .reach = RuleReach::image,
         .check = load_no_fds},
    Rule{.name = "load.twice",
         .sentence = "The entry answers OK every time it is called.",
         .if_ignored = "The second registry of a process cannot use the provider.",
         .advice = "Let the entry hand out a constant table and keep no record of being called.",
         .reach = RuleReach::image,
         .check = load_twice},
    Rule{.name = "load.copy-distinct",
         .sentence = "A copy of the file under another path loads beside it as a provider of its own.",
         .if_ignored = "Two versions cannot be compared in one process.",
         .advice = "Hide all symbols and keep nothing under a name that the whole process shares.",
         .reach = RuleReach::image,
         .check = load_copy_distinct},
    Rule{.name = "load.manners",
         .sentence =
             "Signal handlers, locale, floating-point state, folder, environment, umask and limits stay "
             "as they were through load, open and close.",
         .if_ignored = "The program around the provider computes or behaves differently.",
         .advice = "Restore what a library underneath has changed.",
         .reach = RuleReach::image,
         .check = load_manners},
    Rule{.name = "file.note.matches-table",
         .sentence = "The identity card and the provider's table name the same id and version.",
         .if_ignored = "What was checked before loading is not what was loaded.",
         .advice = "Write id and version once, and use them for both.",
         .reach = RuleReach::image,
         .needs = {"file.note.present"},
         .check = note_matches_table},
};

}  // namespace

std::span<const Rule> load_rules() noexcept { return rules; }

}  // namespace tenure::probe
