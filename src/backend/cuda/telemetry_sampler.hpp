// Samples a board's sensors in a thread of its own while a window is open.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "backend/cuda/nvml_board.hpp"
#include "rtxbench/device.hpp"

namespace rtxbench::cuda {

class TelemetrySampler {
 public:
  // Without a board every window is empty and carries `reason`. `now_s` stamps the readings.
  TelemetrySampler(std::optional<nvml::Board> board, std::string reason, std::function<double()> now_s);
  ~TelemetrySampler();
  TelemetrySampler(const TelemetrySampler&) = delete;
  TelemetrySampler& operator=(const TelemetrySampler&) = delete;

  void begin();                         // a window that is open already starts anew
  [[nodiscard]] TelemetryWindow end();  // at least the readings at its two ends

 private:
  void sample();
  void run();
  void stop();

  std::optional<nvml::Board> board_;
  std::string reason_;
  std::function<double()> now_s_;
  TelemetryWindow window_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace rtxbench::cuda
