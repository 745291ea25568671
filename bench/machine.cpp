// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <sys/utsname.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

namespace tenure::bench {

namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

nlohmann::ordered_json caches() {
  nlohmann::ordered_json found = nlohmann::ordered_json::array();
  for (int index = 0; index < 8; ++index) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    const std::string size = first_line(folder + "size");
    if (size.empty()) break;
    found.push_back("L" + first_line(folder + "level") + " " + first_line(folder + "type") + " " + size);
  }
  return found;
}

const char* isa_level() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
    return "x86-64-v4";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "x86-64-v3";
  return "x86-64";
#else
  return "baseline";
#endif
}

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&seconds));
  return text;
}

}  // namespace

double load_average() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : -1;
}

nlohmann::ordered_json machine_facts(const Setup& setup) {
  utsname system{};
  ::uname(&system);
  const std::string governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  nlohmann::ordered_json facts = {
      {"date", now()},
      {"processor", processor_model()},
      {"processors", std::thread::hardware_concurrency()},
      {"caches", caches()},
      {"isa_level", isa_level()},
      {"governor", governor.empty() ? "not readable" : governor},
      {"kernel", std::string(system.sysname) + " " + system.release},
      {"huge_pages", first_line("/sys/kernel/mm/transparent_hugepage/enabled")},
      {"load_average_before", load_average()},
      {"compiler", __VERSION__},
      {"tenure", TENURE_VERSION},
      {"provider", std::string(setup.provider().id()) + " " + std::string(setup.provider().version())},
      {"threads", setup.threads()},
      {"seed", setup.seed()}};
  nlohmann::ordered_json peers = nlohmann::ordered_json::object();
  for (const std::string& name : all_peer_names()) {
    const Peer* peer = setup.peer(name);
    peers[name] = peer == nullptr ? "not built" : peer->description();
  }
  facts["peers"] = std::move(peers);
  return facts;
}

}  // namespace tenure::bench
