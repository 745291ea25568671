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

struct Comparison {
  double tolerance;
  bool is_of_magnitudes;

  template <class T>
  double value(T element) const {
    const double wide = static_cast<double>(element);
    return is_of_magnitudes ? std::abs(wide) : wide;
  }
};

template <class T>
void require_same(const std::string& peer, const std::vector<T>& ours, const T* theirs,
                  const Comparison& comparison) {
  for (std::size_t index = 0; index < ours.size(); ++index) {
    const double wanted = comparison.value(ours[index]);
    const double found = comparison.value(theirs[index]);
    const double scale = std::max({1.0, std::abs(wanted), std::abs(found)});
    if (std::abs(wanted - found) <= comparison.tolerance * scale) continue;
    std::ostringstream text;
    text.precision(17);
    text << "ours and " << peer << " differ at element " << index << ": " << wanted << " and " << found;
    throw Mismatch(text.str());
  }
}

// Runs ours and then every peer into `out`, which holds NaNs before each.
template <class T>
void compare(const Sample& ours, const std::vector<Contender>& peers, const Array& out,
             const Comparison& comparison) {
  T* const elements = static_cast<T*>(out.data);
  const auto count = static_cast<std::size_t>(out.count());
  std::memset(elements, 0xff, count * sizeof(T));
  ours(1);
  const std::vector<T> result(elements, elements + count);
  for (const Contender& peer : peers) {
    std::memset(elements, 0xff, count * sizeof(T));
    peer.sample(1);
    require_same(peer.name, result, elements, comparison);
  }
}

}  // namespace

CaseBuilder& CaseBuilder::same(const Operand& out, double tolerance, Compared compared) {
  keep(out);
  const Comparison comparison{tolerance, compared == Compared::magnitudes};
  case_.verify = [before = std::move(case_.verify), ours = case_.ours, peers = case_.peers, array = out.array,
                  comparison] {
    if (before) before();
    if (array.element == Element::f32) {
      compare<float>(ours, peers, array, comparison);
    } else {
      compare<double>(ours, peers, array, comparison);
    }
  };
  return *this;
}

}  // namespace tenure::bench
