// SPDX-License-Identifier: Apache-2.0
// case_builder: puts the contenders of one row together.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "case.hpp"
#include "operand.hpp"
#include "setup.hpp"

namespace tenure::bench {

using PeerNames = std::vector<const char*>;

class CaseBuilder {
 public:
  explicit CaseBuilder(const Setup& setup) : setup_(setup) {}

  CaseBuilder& shape(std::string text) {
    case_.shape = std::move(text);
    return *this;
  }
  CaseBuilder& ours(Work work) { return ours_sampled(timed(std::move(work))); }
  CaseBuilder& ours_sampled(Sample sample) {
    case_.ours = std::move(sample);
    return *this;
  }
  // A contender that is not a peer's: another way to do the same with Tenure, or a plain piece of C++.
  CaseBuilder& against(std::string name, Work work) {
    case_.peers.push_back({std::move(name), timed(std::move(work))});
    return *this;
  }
  // What `work_of` makes of each peer; one that was not built is noted, an empty Work is left out.
  template <class WorkOf>
  CaseBuilder& against(const PeerNames& names, const WorkOf& work_of) {
    for (const char* name : names) {
      const Peer* peer = setup_.peer(name);
      if (peer == nullptr) {
        case_.absent.emplace_back(name);
      } else if (Work work = work_of(*peer)) {
        against(name, std::move(work));
      }
    }
    return *this;
  }
  // Before measuring, ours and every peer so far must write the same to `out`, to within `tolerance` of the
  // larger of 1 and the value. Called once for each output.
  CaseBuilder& same_output(const Operand& out, double tolerance) {
    return same(out, tolerance, Compared::values);
  }
  // The same where signs are free, as those of eigenvectors.
  CaseBuilder& same_magnitudes(const Operand& out, double tolerance) {
    return same(out, tolerance, Compared::magnitudes);
  }
  // `memory` lives as long as the case.
  template <class T>
  CaseBuilder& keep(std::shared_ptr<T> memory) {
    case_.keeps.push_back(std::move(memory));
    return *this;
  }
  CaseBuilder& keep(const Operand& operand) { return keep(operand.tensor); }

  Case build() { return std::move(case_); }

 private:
  enum class Compared {
    values,
    magnitudes
  };
  CaseBuilder& same(const Operand& out, double tolerance, Compared compared);

  const Setup& setup_;
  Case case_;
};

}  // namespace tenure::bench
