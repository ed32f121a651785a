// Times calls that run on the host, by steady_clock.
#pragma once

#include <deque>
#include <functional>

#include "rtxbench/device.hpp"

namespace rtxbench::cpu {

[[nodiscard]] double steady_now_s();

// Calls are synchronous, so submit() does the work and collect() hands it out. `flush` passes the caches outside every timed
// window when the request asks for it.
class CpuTimer final : public Timer {
 public:
  CpuTimer(const TimerRequest& request, Stream& stream, std::function<void()> flush);
  void submit(int samples, bool gated) override;
  [[nodiscard]] GroupResult collect() override;
  [[nodiscard]] std::string_view method() const override;
  [[nodiscard]] int max_samples_per_group() const override { return 256; }

 private:
  [[nodiscard]] double sample();

  TimerRequest request_;
  Stream& stream_;
  std::function<void()> flush_;
  std::size_t next_set_ = 0;  // rotation goes on across samples and groups
  std::deque<GroupResult> done_;
};

// Back-to-back readings of the clock around an empty call.
[[nodiscard]] TimerFloor measure_floor(Stream& stream);

}  // namespace rtxbench::cpu
