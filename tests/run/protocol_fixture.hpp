// A fake device, a counting call and a measurement of it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rtxbench/error.hpp"
#include "run/protocol.hpp"
#include "support/fake_device.hpp"

namespace rtxbench::fake {

struct Bench {
  explicit Bench(Script script = {}) : device(std::move(script)) {}
  Measured measure(Regime regime, CacheState cache, double estimate_s, std::size_t sets = 1) {
    return rtxbench::measure(device, invocation, sets, regime, cache, estimate_s, parameters, state, progress);
  }
  Log& log() { return device.log(); }

  FakeDevice device;
  CountingInvocation invocation;
  Parameters parameters;
  ProtocolState state;
  std::function<void(const Progress&)> progress;
};

inline Script constant(double call_s) {
  Script script;
  script.call_s = [call_s](const Moment&) { return call_s; };
  return script;
}

inline std::vector<std::string> flag_names(const std::vector<Flag>& flags) {
  std::vector<std::string> names;
  for (const Flag& flag : flags) names.push_back(flag.name);
  return names;
}

inline const Flag& flag(const std::vector<Flag>& flags, const std::string& name) {
  for (const Flag& one : flags) {
    if (one.name == name) return one;
  }
  throw std::out_of_range("no flag " + name);
}

}  // namespace rtxbench::fake
