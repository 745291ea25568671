// SPDX-License-Identifier: Apache-2.0
#include "loader/module_loading.hpp"

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "loader/file_inspection.hpp"
#include "loader/host_services.hpp"
#include "loader/load_trail.hpp"
#include "loader/module.hpp"
#include "loader/module_image.hpp"
#include "loader/module_table.hpp"
#include "loader/provider_note.hpp"
#include "loader/provider_table.hpp"
#include "loader/shared_object.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/base/log.hpp"
#include "tenure/base/provider_error.hpp"

namespace tenure::inline TENURE_BUILD {

namespace {

// Gives the claim up unless the module was published.
class Claim {
 public:
  explicit Claim(const FileIdentity& identity) : identity_(identity) {}
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;
  ~Claim() {
    if (!published_) ModuleTable::of_process().give_up(identity_);
  }

  const Module& publish(std::unique_ptr<const Module> module) noexcept {
    published_ = true;
    return ModuleTable::of_process().publish(std::move(module));
  }

 private:
  FileIdentity identity_;
  bool published_ = false;
};

std::string or_none(const std::string& text) { return text.empty() ? "none" : text; }

std::string described(const Module& module) {
  const Module::Facts& facts = module.facts();
  return facts.card.id + " " + facts.card.version + " from " + facts.path + " (build id " +
         or_none(facts.build_id) + ")";
}

std::string hint_for_words(const std::string& words) {
  if (words.find("static TLS") != std::string::npos) {
    return "A library that asks for thread-local memory at program start, such as an allocator, cannot be "
           "loaded "
           "later: link it to the program, or do without it.";
  }
  if (words.find("failed to map segment") != std::string::npos) {
    return "The file system may be mounted noexec, or a security policy may forbid it.";
  }
  return "The words are the dynamic linker's; LD_DEBUG=libs,symbols in the environment of the program shows "
         "more.";
}

class Load {
 public:
  Load(const std::filesystem::path& path, const LoadOptions& options)
      : options_(options), inspection_(inspect_and_keep_open(path, options)) {
    FileReport& file = inspection_.report;
    report_.path_given = file.path_given;
    report_.path_real = file.path_real;
    for (LoadStep& step : file.steps) add(std::move(step));
    for (const Problem& problem : file.problems) {
      if (problem.severity == Severity::warning) report_.warnings.push_back(problem);
    }
  }

  LoadReport run() && {
    if (const Problem* error = inspection_.report.first_error()) {
      report_.failure = *error;  // its step is there already
    } else if (check_alias()) {
      claim_and_load();
    }
    return std::move(report_);
  }

 private:
  void add(LoadStep step) {
    trail_.add(step);
    report_.steps.push_back(std::move(step));
  }
  void step(LoadStage stage, std::string decision) { add({stage, std::move(decision)}); }

  void log_warnings() const {
    for (const Problem& warning : report_.warnings) {
      log(LogLevel::warning, report_.path_real + ": " + warning.message + ". " + warning.hint);
    }
  }

  void fail(Problem problem) {
    step(problem.stage, "refused, " + problem.id + ": " + problem.message);
    report_.failure = std::move(problem);
  }
  void fail(LoadStage stage, std::string_view id, std::int32_t code, std::string wanted, std::string found,
            std::string message, std::string hint) {
    fail({.id = std::string(id),
          .stage = stage,
          .code = code,
          .culprit = report_.path_real,
          .wanted = std::move(wanted),
          .found = std::move(found),
          .searched = {},
          .message = std::move(message),
          .hint = std::move(hint)});
  }

  const FileReport& file() const { return inspection_.report; }
  const IdentityCard& card() const { return *file().card; }
  std::string registered_id() const { return options_.alias.empty() ? card().id : options_.alias; }

  bool check_alias() {
    if (options_.alias.empty() || is_provider_id(options_.alias)) return true;
    fail(LoadStage::identity, "load.alias", TENURE_INVALID_ARGUMENT, "an alias of [a-z0-9.-]", options_.alias,
         "the alias '" + options_.alias + "' is not a provider id, which is made of [a-z0-9.-]",
         "Choose another alias.");
    return false;
  }

  void claim_and_load() {
    const FileIdentity identity = inspection_.file->identity();
    const auto answer = ModuleTable::of_process().claim(identity, report_.path_real, registered_id());
    switch (answer.outcome) {
      case ModuleTable::Outcome::claimed: {
        Claim claim(identity);
        step(LoadStage::identity, "a new file, to be registered as " + registered_id());
        log_warnings();
        load_claimed(claim);
        return;
      }
      case ModuleTable::Outcome::loaded:
        use_loaded(*answer.module);
        return;
      case ModuleTable::Outcome::replaced:
        fail_replaced(*answer.module);
        return;
      case ModuleTable::Outcome::id_taken:
        fail_id_taken(*answer.module);
        return;
      case ModuleTable::Outcome::loading_here:
        fail(LoadStage::identity, "load.recursive", TENURE_FAILED_PRECONDITION, {}, {},
             "this thread is already loading this file or its provider id: something that runs while the "
             "file is "
             "mapped asks for it again",
             "Do not load providers from static initialisers or log sinks.");
        return;
    }
  }

  void use_loaded(const Module& module) {
    if (module.facts().build_id != file().elf->build_id || module.facts().file_bytes != file().file_bytes) {
      fail_replaced(module);
      return;
    }
    step(LoadStage::identity, "the same file is loaded already, as " + module.facts().registered_id);
    report_.was_loaded = true;
    report_.provider = Provider(&module);
  }

  void fail_replaced(const Module& module) {
    const std::string found = "build id " + or_none(file().elf->build_id);
    fail(LoadStage::identity, "load.file-replaced", TENURE_FAILED_PRECONDITION,
         "build id " + or_none(module.facts().build_id), found,
         "the file was rebuilt or replaced after it had been loaded: this process has " + described(module) +
             ", the file now is " + card().id + " " + card().version + " with " + found,
         "Restart the process to use the new file; a loaded one cannot be exchanged.");
  }

  void fail_id_taken(const Module& module) {
    fail(LoadStage::identity, "load.id-taken", TENURE_ALREADY_EXISTS, "an id that is free", registered_id(),
         "the id " + registered_id() + " is taken: " + described(module) + " is loaded, and this file is " +
             card().id + " " + card().version + " (build id " + or_none(file().elf->build_id) + ")",
         "Load one of the two, or give this one an alias in LoadOptions.");
  }

  void load_claimed(Claim& claim) {
    auto mapped = map_shared_object(report_.path_real);
    if (const std::string* words = std::get_if<std::string>(&mapped)) {
      fail(LoadStage::open, "load.now", TENURE_FAILED_PRECONDITION, {}, *words,
           "the dynamic linker refused the file: " + *words, hint_for_words(*words));
      return;
    }
    report_.stays_mapped = true;
    step(LoadStage::open, "mapped for the rest of the process");
    const auto entry = std::get<SharedObject>(mapped).entry;
    if (!recheck(entry)) return;
    const tenure_host& host = host_services_of(card().id);
    const tenure_provider* table = nullptr;
    if (!call_entry(entry, host, &table)) return;
    auto checked =
        check_provider_table(table, ModuleImage::around(reinterpret_cast<const void*>(entry)), card());
    if (Problem* problem = std::get_if<Problem>(&checked)) {
      fail(std::move(*problem));
      return;
    }
    step(LoadStage::table, "the tables are complete and say what the identity card says");
    auto module =
        std::make_unique<const Module>(Module::Facts{.path = report_.path_real,
                                                     .identity = inspection_.file->identity(),
                                                     .file_bytes = file().file_bytes,
                                                     .build_id = file().elf->build_id,
                                                     .registered_id = registered_id(),
                                                     .card = card(),
                                                     .table = std::get<ProviderTable>(std::move(checked)),
                                                     .host = &host});
    step(LoadStage::publish, "registered as " + registered_id());
    report_.stays_mapped = false;  // that is said of failures
    report_.provider = Provider(&claim.publish(std::move(module)));
  }

  bool recheck(tenure_provider_entry_function entry) {
    if (entry == nullptr) {
      fail(LoadStage::recheck, "load.recheck", TENURE_DATA_LOSS, TENURE_ENTRY_SYMBOL, "no such symbol",
           "what was mapped has no entry function, although the file has one: the file was replaced while it "
           "was "
           "being loaded",
           "Load it again in a new process.");
      return false;
    }
    const auto same = is_mapping_of(reinterpret_cast<const void*>(entry), *inspection_.file);
    if (same.has_value() && !*same) {
      fail(LoadStage::recheck, "load.recheck", TENURE_FAILED_PRECONDITION,
           "a mapping of the file that was read", "a mapping of another file",
           "what is mapped under this path is not the file that was read: the file was replaced while it was "
           "being loaded, or after an earlier attempt to load it",
           "Restart the process, and replace files only while nobody loads them.");
      return false;
    }
    step(LoadStage::recheck, same.has_value() ? "what was mapped is the file that was read"
                                              : "not possible here, /proc/self/maps is missing");
    return true;
  }

  // False, and the failure recorded, when the provider refuses. What it gave is not looked at here.
  bool call_entry(tenure_provider_entry_function entry, const tenure_host& host,
                  const tenure_provider** table) {
    auto status = abi::make_struct<tenure_status>();
    const std::int32_t code = entry(&host, table, &status);
    if (code == TENURE_OK) {
      step(LoadStage::entry, "the provider answered OK");
      return true;
    }
    const auto answer =
        ProviderError::answered("Registry::load", card().id, "calling the entry function", code, status);
    fail(LoadStage::entry, "load.entry", answer.status_code(), "code 0", "code " + std::to_string(code),
         std::string(answer.message()), "Ask the provider's author what it means.");
    return false;
  }

  const LoadOptions& options_;
  LoadTrail trail_;
  LoadReport report_;
  FileInspection inspection_;
};

}  // namespace

LoadReport load_module(const std::filesystem::path& path, const LoadOptions& options) {
  return Load(path, options).run();
}

}  // namespace tenure::inline TENURE_BUILD
