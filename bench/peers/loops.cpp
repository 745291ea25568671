// SPDX-License-Identifier: Apache-2.0
// loops: memcpy and loops written by hand, split between the threads of a team.
#include <algorithm>
#include <cstring>
#include <memory>

#include "../peer.hpp"
#include "../team.hpp"
#include "loop_kernels.hpp"

namespace tenure::bench {

namespace {

// Splits [0, count) evenly, at multiples of 64 elements.
template <class F>
void in_parts(Team& team, std::int64_t count, const F& part) {
  team.run([&](unsigned member) {
    const auto members = static_cast<std::int64_t>(team.size());
    const std::int64_t length = ((count + members - 1) / members + 63) / 64 * 64;
    const std::int64_t begin = std::min<std::int64_t>(count, member * length);
    const std::int64_t end = std::min(count, begin + length);
    if (begin < end) part(begin, end);
  });
}

// Peers whose loops run on a team.
class TeamPeer : public Peer {
 public:
  void set_threads(unsigned threads) override {
    if (team_->size() != threads) team_ = std::make_shared<Team>(threads);
  }

 protected:
  std::shared_ptr<Team> team_ = std::make_shared<Team>(1);
};

class MemcpyPeer final : public TeamPeer {
 public:
  std::string name() const override { return "memcpy"; }
  std::string description() const override { return "glibc"; }
  Work elementwise(const ElementwiseJob& job) const override {
    return job.operation == Operation::copy && !job.is_allocating ? copy(job.inputs[0], job.out) : Work();
  }
  // The bytes without their order: what a permutation cannot beat.
  Work permute(const PermuteJob& job) const override { return copy(job.source, job.out); }

 private:
  Work copy(const Array& source, const Array& out) const {
    const std::size_t bytes = element_bytes(out.element);
    return repeat([team = team_, from = static_cast<const char*>(source.data),
                   to = static_cast<char*>(out.data), bytes, count = out.count()] {
      in_parts(*team, count, [&](std::int64_t begin, std::int64_t end) {
        std::memcpy(to + static_cast<std::size_t>(begin) * bytes,
                    from + static_cast<std::size_t>(begin) * bytes,
                    static_cast<std::size_t>(end - begin) * bytes);
      });
    });
  }
};

// Copies elements [begin, end) of the destination, counted with the first axis fastest, one after the other.
template <class T>
void odometer(const Array& source, const Array& out, std::int64_t begin, std::int64_t end) {
  const std::size_t rank = out.extents.size();
  std::vector<std::int64_t> index(rank);
  std::int64_t rest = begin;
  std::int64_t from = 0;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    index[axis] = rest % out.extents[axis];
    rest /= out.extents[axis];
    from += index[axis] * source.strides[axis];
  }
  const T* const elements = static_cast<const T*>(source.data);
  T* const target = static_cast<T*>(out.data);
  for (std::int64_t at = begin; at < end; ++at) {
    target[at] = elements[from];
    for (std::size_t axis = 0; axis < rank; ++axis) {
      from += source.strides[axis];
      if (++index[axis] < out.extents[axis]) break;
      from -= source.strides[axis] * out.extents[axis];
      index[axis] = 0;
    }
  }
}

template <class T>
Work elementwise_loop(const std::shared_ptr<Team>& team, const ElementwiseJob& job, bool is_streaming) {
  if (job.is_allocating) return {};
  const LoopKernels<T>* const kernels = &loop_kernels<T>();
  const T* const a = static_cast<const T*>(job.inputs[0].data);
  T* const out = static_cast<T*>(job.out.data);
  const std::int64_t count = job.out.count();
  if (job.operation == Operation::add) {
    const T* const b = static_cast<const T*>(job.inputs[1].data);
    const auto add = is_streaming ? kernels->add_streaming : kernels->add;
    return repeat([=] {
      in_parts(*team, count, [=](std::int64_t begin, std::int64_t end) {
        add(a + begin, b + begin, out + begin, static_cast<std::size_t>(end - begin));
      });
    });
  }
  if (job.operation == Operation::copy && is_streaming) {
    return repeat([=] {
      in_parts(*team, count, [=](std::int64_t begin, std::int64_t end) {
        kernels->copy_streaming(a + begin, out + begin, static_cast<std::size_t>(end - begin));
      });
    });
  }
  return {};
}

template <class T>
Work reduce_loop(const std::shared_ptr<Team>& team, const ReduceJob& job) {
  const bool is_sum = job.operation == Operation::sum;
  const auto run = is_sum ? loop_kernels<T>().sum : loop_kernels<T>().max;
  const T* const values = static_cast<const T*>(job.input.data);
  T* const out = static_cast<T*>(job.out.data);
  const std::int64_t count = job.input.count();
  return repeat([=] {
    std::vector<T> parts(team->size(), is_sum ? T{0} : values[0]);
    in_parts(*team, count, [&](std::int64_t begin, std::int64_t end) {
      const auto members = static_cast<std::int64_t>(team->size());
      const std::int64_t length = ((count + members - 1) / members + 63) / 64 * 64;
      parts[static_cast<std::size_t>(begin / length)] =
          run(values + begin, static_cast<std::size_t>(end - begin));
    });
    T total = parts[0];
    for (std::size_t part = 1; part < parts.size(); ++part) {
      total = is_sum ? total + parts[part] : std::max(total, parts[part]);
    }
    *out = total;
  });
}

class LoopPeer final : public TeamPeer {
 public:
  explicit LoopPeer(bool is_streaming) : is_streaming_(is_streaming) {}
  std::string name() const override { return is_streaming_ ? "streaming_loop" : "loop"; }
  std::string description() const override {
    return std::string("written by hand, ") + loop_level() + (is_streaming_ ? ", non-temporal stores" : "");
  }
  Work elementwise(const ElementwiseJob& job) const override {
    return job.out.element == Element::f32 ? elementwise_loop<float>(team_, job, is_streaming_)
                                           : elementwise_loop<double>(team_, job, is_streaming_);
  }
  // Over all elements; over one axis it only reads them all, which is what the axis' sum cannot beat.
  Work reduce(const ReduceJob& job) const override {
    if (is_streaming_) return {};
    return job.input.element == Element::f32 ? reduce_loop<float>(team_, job)
                                             : reduce_loop<double>(team_, job);
  }
  Work permute(const PermuteJob& job) const override {
    if (is_streaming_) return {};
    return repeat([team = team_, job] {
      in_parts(*team, job.out.count(), [&job](std::int64_t begin, std::int64_t end) {
        if (job.out.element == Element::f32) {
          odometer<float>(job.source, job.out, begin, end);
        } else {
          odometer<double>(job.source, job.out, begin, end);
        }
      });
    });
  }

 private:
  bool is_streaming_;
};

}  // namespace

std::unique_ptr<Peer> make_memcpy_peer() { return std::make_unique<MemcpyPeer>(); }
std::unique_ptr<Peer> make_loop_peer() { return std::make_unique<LoopPeer>(false); }
std::unique_ptr<Peer> make_streaming_loop_peer() { return std::make_unique<LoopPeer>(true); }

}  // namespace tenure::bench
