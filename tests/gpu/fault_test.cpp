// A bad access, in a process of its own: it leaves the context of whichever process it happens in unusable.
#include "gpu/gpu_fixture.hpp"
#include "gpu/test_kernels.hpp"
#include "rtxbench/error.hpp"

namespace rtxbench {
namespace {

constexpr int kStickyAtItsOwnCall = 17, kNotSticky = 18, kNoError = 19, kElsewhere = 20;

// Runs in the child: which call reports the fault, and whether a later call still works.
[[noreturn]] void run_faulty_call() {
  std::string reason;
  Device* device = test::first_device(reason);
  if (device == nullptr) std::_Exit(kNoError);
  const auto call = test::faulty_call();
  try {
    call->enqueue(device->stream(), 0);
    device->stream().synchronize();
  } catch (const DeviceError& error) {
    if (!error.sticky()) std::_Exit(kNotSticky);
    try {
      static_cast<void>(device->allocate(1024));
    } catch (const DeviceError& again) {
      std::_Exit(again.sticky() ? kStickyAtItsOwnCall : kElsewhere);
    }
    std::_Exit(kElsewhere);
  }
  std::_Exit(kNoError);
}

TEST(FaultDeathTest, Fault43_ABadAccessSurfacesAtItsOwnCallAndIsSticky) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";  // a fresh process: never fork after CUDA has started
  std::string reason;
  Registry registry;
  register_backend_cuda(registry);
  if (registry.backends.front()->enumerate(reason).empty()) GTEST_SKIP() << reason;
  EXPECT_EXIT(run_faulty_call(), ::testing::ExitedWithCode(kStickyAtItsOwnCall), "");
}

}  // namespace
}  // namespace rtxbench
