#include "backend/cpu/cpu_timer.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <vector>

#include "rtxbench/provider.hpp"

namespace rtxbench::cpu {
namespace {

using Clock = std::chrono::steady_clock;
double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

class EmptyInvocation final : public Invocation {
 public:
  void enqueue(Stream& /*stream*/, std::size_t /*set*/) override {}
};

}  // namespace

double steady_now_s() { return seconds(Clock::now().time_since_epoch()); }

CpuTimer::CpuTimer(const TimerRequest& request, Stream& stream, std::function<void()> flush)
    : request_(request), stream_(stream), flush_(std::move(flush)) {
  if (request_.invocation == nullptr || request_.sets == 0 || request_.calls_per_sample < 1) {
    throw std::invalid_argument("a timer needs an invocation, at least one operand set and at least one call a sample");
  }
  if (request_.flush && request_.calls_per_sample > 1) {
    throw std::invalid_argument("a flush before each call excludes several calls a sample");
  }
}

double CpuTimer::sample() {
  if (request_.flush) flush_();
  const auto begin = Clock::now();
  for (int call = 0; call < request_.calls_per_sample; ++call) {
    request_.invocation->enqueue(stream_, next_set_);
    next_set_ = next_set_ + 1 == request_.sets ? 0 : next_set_ + 1;
  }
  return seconds(Clock::now() - begin) / request_.calls_per_sample;
}

void CpuTimer::submit(int samples, bool /*gated*/) {
  GroupResult group;
  group.elapsed_s.reserve(static_cast<std::size_t>(std::max(samples, 0)));
  const auto begin = Clock::now();
  for (int i = 0; i < samples; ++i) group.elapsed_s.push_back(sample());
  group.span_s = seconds(Clock::now() - begin);
  done_.push_back(std::move(group));
}

GroupResult CpuTimer::collect() {
  if (done_.empty()) throw std::logic_error("collect() without a submitted group");
  GroupResult group = std::move(done_.front());
  done_.pop_front();
  return group;
}

std::string_view CpuTimer::method() const { return request_.calls_per_sample == 1 ? "host" : "host-loop"; }

TimerFloor measure_floor(Stream& stream) {
  constexpr int kReadings = 2001;
  EmptyInvocation empty;
  Invocation* volatile call = &empty;  // volatile: the call stays virtual, as a real one is
  std::vector<double> readings;
  readings.reserve(kReadings);
  for (int i = 0; i < kReadings; ++i) {
    const auto begin = Clock::now();
    call->enqueue(stream, 0);
    readings.push_back(seconds(Clock::now() - begin));
  }
  double step = 1;  // s; any clock is finer
  for (int i = 0; i < kReadings; ++i) {
    const auto begin = Clock::now();
    auto end = Clock::now();
    while (end == begin) end = Clock::now();
    step = std::min(step, seconds(end - begin));
  }
  std::ranges::nth_element(readings, readings.begin() + kReadings / 2);
  return {.resolution_s = step, .floor_s = readings[kReadings / 2]};
}

}  // namespace rtxbench::cpu
