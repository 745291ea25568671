// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

namespace tenure::bench {

namespace {

nlohmann::ordered_json to_json(const Quartiles& quartiles) {
  return {{"median", quartiles.median}, {"p25", quartiles.p25}, {"p75", quartiles.p75}};
}

// Four digits and a unit that fits: "12.34 us". Anything but nanoseconds is written as it is.
std::string quantity_text(double value, const std::string& unit) {
  std::ostringstream text;
  const char* scaled = unit.c_str();
  if (unit == "ns") {
    for (const char* larger : {"us", "ms", "s"}) {
      if (value < 1000) break;
      value /= 1000;
      scaled = larger;
    }
  }
  text << std::setprecision(value < 1000 ? 3 : 4) << value << ' ' << scaled;
  return text.str();
}

}  // namespace

void print_row(const CaseResult& result, std::ostream& out) {
  std::ostringstream line;
  line << std::left << std::setw(44) << result.name << ' ' << std::right << std::setw(11)
       << quantity_text(result.ours.median, result.unit);
  line << std::setprecision(3);
  for (const PeerResult& peer : result.peers) line << "  " << peer.name << ' ' << peer.ratio << 'x';
  for (const std::string& name : result.absent) line << "  " << name << " not built";
  if (!result.shape.empty()) line << "  [" << result.shape << ']';
  out << line.str() << '\n';
  out.flush();
}

void print_machine(const nlohmann::ordered_json& facts, std::ostream& out) {
  for (const auto& [key, value] : facts.items()) {
    if (value.is_object()) {
      for (const auto& [name, text] : value.items()) out << key << ' ' << name << ": " << text << '\n';
    } else {
      out << key << ": " << value << '\n';
    }
  }
  out << "\nEach row: ours, and how many times better it is than each peer.\n";
  out.flush();
}

nlohmann::ordered_json to_json(const CaseResult& result) {
  nlohmann::ordered_json peers = nlohmann::ordered_json::object();
  nlohmann::ordered_json ratios = nlohmann::ordered_json::object();
  for (const PeerResult& peer : result.peers) {
    peers[peer.name] = to_json(peer.cost);
    ratios[peer.name] = peer.ratio;
  }
  return {{"name", result.name},
          {"shape", result.shape},
          {"threads", result.threads},
          {"unit", result.unit},
          {"better", result.better == Better::lower ? "lower" : "higher"},
          {"ours", to_json(result.ours)},
          {"peers", std::move(peers)},
          {"ratio", std::move(ratios)},
          {"not_built", result.absent}};
}

}  // namespace tenure::bench
