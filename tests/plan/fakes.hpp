// A benchmark, providers and devices that exist only for tests of the planner.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "plan/plan.hpp"
#include "rtxbench/error.hpp"

namespace rtxbench::fakes {

inline constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

// m x m operands of which there are three.
class SquareProblem final : public Problem {
 public:
  SquareProblem(DType dtype, std::int64_t m, std::int64_t n) : dtype_(dtype), m_(m), n_(n) {}
  [[nodiscard]] std::string_view op() const override { return "square"; }
  [[nodiscard]] std::vector<TensorSpec> tensors() const override {
    return {{"A", dtype_, {m_, n_}}, {"B", dtype_, {m_, n_}}, {"D", dtype_, {m_, n_}, TensorRole::output}};
  }
  [[nodiscard]] Work work() const override {
    const auto m = static_cast<std::uint64_t>(m_);
    return {.flop = 2 * m * m * m};
  }
  [[nodiscard]] MathMode math() const override { return {dtype_, dtype_}; }
  [[nodiscard]] Verification verify(const ResultView&, std::uint64_t) const override { return {}; }
  [[nodiscard]] DType dtype() const { return dtype_; }

 private:
  DType dtype_;
  std::int64_t m_, n_;
};

class SquareBenchmark final : public Benchmark {
 public:
  [[nodiscard]] std::string_view name() const override { return "square"; }
  [[nodiscard]] std::string_view op() const override { return "square"; }
  [[nodiscard]] std::string_view summary() const override { return "for tests"; }
  [[nodiscard]] const std::vector<AxisSpec>& axes() const override {
    static const std::vector<AxisSpec> axes{
        {.name = "dtype", .kind = AxisKind::choice, .choices = {"fp64", "fp32", "fp16"}},
        {.name = "m"},
        {.name = "n", .follows = "m"},
        {.name = "layout", .kind = AxisKind::choice, .choices = {"nn", "nt"}, .default_value = "nn"},
        {.name = "alpha", .kind = AxisKind::real, .default_value = "1"},
    };
    return axes;
  }
  [[nodiscard]] Defaults defaults(const DeviceInfo& device, Effort effort) const override {
    Defaults defaults;
    defaults.axes = {{"dtype", {"fp32", "fp16"}}, {"m", {"64", "128", "256"}}};
    defaults.providers = {{"fast"}, {"slow", 2.0 * 64 * 64 * 64}};
    defaults.sustained_largest = device.backend == "cpu" ? 0 : effort == Effort::quick ? 1 : 2;
    return defaults;
  }
  [[nodiscard]] std::unique_ptr<Problem> problem(const AxisValues& values) const override {
    return std::make_unique<SquareProblem>(parse_dtype(values.at("dtype")).value(), integer_at(values, "m"),
                                           integer_at(values, "n"));
  }
};

class SquareProvider final : public Provider {
 public:
  SquareProvider(std::string name, std::string backend, bool fp64)
      : name_(std::move(name)), backend_(std::move(backend)), fp64_(fp64) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::string_view op() const override { return "square"; }
  [[nodiscard]] std::string_view backend() const override { return backend_; }
  [[nodiscard]] std::string_view summary() const override { return "for tests"; }
  [[nodiscard]] Support supports(const Problem& problem, const DeviceInfo&) const override {
    if (!fp64_ && static_cast<const SquareProblem&>(problem).dtype() == DType::fp64)
      return Support::no("fp64 is not offered; use slow");
    return {};
  }
  [[nodiscard]] Prepared prepare(const Problem&, std::span<const TensorSet>, Device&) const override {
    return Unsupported{"a test"};
  }

 private:
  std::string name_, backend_;
  bool fp64_;
};

inline Registry make_registry() {
  Registry registry;
  registry.benchmarks.push_back(std::make_unique<SquareBenchmark>());
  registry.providers.push_back(std::make_unique<SquareProvider>("fast", "cuda", false));
  registry.providers.push_back(std::make_unique<SquareProvider>("slow", "cuda", true));
  registry.providers.push_back(std::make_unique<SquareProvider>("slow", "cpu", true));
  return registry;
}

inline DeviceInfo gpu(int index = 0) {
  DeviceInfo device;
  device.backend = "cuda";
  device.index = index;
  device.id = index == 0 ? "GPU-11111111-aaaa" : "GPU-12222222-bbbb";
  device.pci = index == 0 ? "00000000:0a:00.0" : "00000001:0a:00.0";
  device.name = "Test GPU";
  device.cache_bytes = kMiB;
  device.free_bytes = 80 * kGiB;
  return device;
}

inline DeviceInfo cpu() {
  DeviceInfo device;
  device.backend = "cpu";
  device.id = "cpu";
  device.name = "Test CPU";
  device.cache_bytes = kMiB;
  return device;
}

inline Request request() {
  Request wanted;
  wanted.benchmark = "square";
  return wanted;
}

inline std::vector<std::string> ids(const Plan& plan) {
  std::vector<std::string> all;
  for (const PlannedCase& planned : plan.cases) all.push_back(planned.test.id);
  return all;
}

// Message of the UsageError that `call` throws; "" when it throws none.
template <class Call>
std::string usage_error(Call call) {
  try {
    (void)call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace rtxbench::fakes
