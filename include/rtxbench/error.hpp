// Errors by cause. Everything that can go wrong in a run is one of these, so that the process exit code follows from the type.
#pragma once

#include <stdexcept>
#include <string>

namespace rtxbench {

// Exit codes of the process; README.md says which cause wins.
enum class ExitCode : int {
  ok = 0,
  failed = 1,         // an error row, or (compare) a regression
  usage = 2,          // bad arguments, unreadable or foreign file, nothing selected
  inconclusive = 3,   // compare only
  wrong = 4,          // a row failed verification; outranks `failed`
  no_device = 5,      // no usable device of the kind asked for
  hung_up = 129,      // SIGHUP: 128 + the signal, as shells have it
  interrupted = 130,  // SIGINT
  terminated = 143,   // SIGTERM
};

class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The request cannot be carried out as typed; the message names the flag or file, the cause and the remedy.
class UsageError : public Error {
  using Error::Error;
};

// No device of the kind asked for; the message carries the driver's or library's own reason.
class NoDeviceError : public Error {
  using Error::Error;
};

// A call of a device or vendor library failed. A sticky error leaves the process unusable: the worker reports it and exits.
class DeviceError : public Error {
 public:
  DeviceError(const std::string& message, bool sticky) : Error(message), sticky_(sticky) {}
  [[nodiscard]] bool sticky() const { return sticky_; }

 private:
  bool sticky_;
};

// An allocation did not fit. The row becomes `skipped: needs X, free Y`.
class OutOfMemoryError : public Error {
  using Error::Error;
};

}  // namespace rtxbench
