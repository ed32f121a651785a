// The program of these tests is also the worker that the supervisor under test starts: /proc/self/exe is this file.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "run/supervisor.hpp"
#include "run/worker.hpp"
#include "support/fake_parts.hpp"

namespace {

// Runs the default cases and writes a line for each finished one: a supervisor that a test can end from outside.
int supervise() {
  using namespace rtxbench;
  const Registry registry = fake::make_fake_registry();
  Supervisor supervisor;
  const Discovery found = supervisor.discover();
  const Plan plan = make_plan({.benchmark = "fake"}, registry, {found.devices.front()});
  RunEvents events{.started =
                       [](const Case& test) {
                         std::printf("started %s\n", test.id.c_str());
                         std::fflush(stdout);
                       },
                   .finished = [](const Record& record) { std::printf("%s\n", std::string(name(record.status)).c_str()); }};
  SignalWatch signals;
  const int signal = supervisor.run(plan, found.devices, {}, registry, {}, signals, events);
  std::printf("signal %d\n", signal);
  return signal == 0 ? 0 : 128 + signal;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string command = argc > 1 ? argv[1] : "";
  rtxbench::fake::misbehave_at_start(command);
  if (command == "worker") return rtxbench::worker_main(rtxbench::fake::make_fake_registry());
  if (command == "supervise") return supervise();
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
