// SPDX-License-Identifier: Apache-2.0
#include "case_builder.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <vector>

#include "mismatch.hpp"

namespace tenure::bench {

namespace {

template <class T>
void require_same(const std::string& peer, const std::vector<T>& ours, const T* theirs, double tolerance) {
  for (std::size_t index = 0; index < ours.size(); ++index) {
    const double wanted = static_cast<double>(ours[index]);
    const double found = static_cast<double>(theirs[index]);
    const double scale = std::max({1.0, std::abs(wanted), std::abs(found)});
    if (std::abs(wanted - found) <= tolerance * scale) continue;
    std::ostringstream text;
    text.precision(17);
    text << "ours and " << peer << " differ at element " << index << ": " << wanted << " and " << found;
    throw Mismatch(text.str());
  }
}

// Runs ours and then every peer into `out`, which holds NaNs before each.
template <class T>
void compare(const Sample& ours, const std::vector<Contender>& peers, const Array& out, double tolerance) {
  T* const elements = static_cast<T*>(out.data);
  const auto count = static_cast<std::size_t>(out.count());
  std::memset(elements, 0xff, count * sizeof(T));
  ours(1);
  const std::vector<T> result(elements, elements + count);
  for (const Contender& peer : peers) {
    std::memset(elements, 0xff, count * sizeof(T));
    peer.sample(1);
    require_same(peer.name, result, elements, tolerance);
  }
}

}  // namespace

CaseBuilder& CaseBuilder::same_output(const Operand& out, double tolerance) {
  keep(out);
  case_.verify = [ours = case_.ours, peers = case_.peers, array = out.array, tolerance] {
    if (array.element == Element::f32) {
      compare<float>(ours, peers, array, tolerance);
    } else {
      compare<double>(ours, peers, array, tolerance);
    }
  };
  return *this;
}

}  // namespace tenure::bench
