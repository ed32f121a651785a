// Providers: implementations of operators. The one interface between the engine and every kernel or library.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "rtxbench/device.hpp"
#include "rtxbench/problem.hpp"

namespace rtxbench {

// A prepared call: tuned, bound to its operand sets, workspace allocated.
class Invocation {
 public:
  virtual ~Invocation() = default;
  // Enqueues one call on operand set `set`. Neither allocates nor synchronises; capturable into a graph.
  virtual void enqueue(Stream& stream, std::size_t set) = 0;
  // What the row should say about the implementation: "algorithm", "note", "library", "workspace_bytes", "threads", ...
  [[nodiscard]] virtual std::map<std::string, std::string> details() const { return {}; }
};

struct Unsupported {
  std::string reason;  // says what is supported instead where that helps
};
struct NeedsMemory {
  std::uint64_t bytes = 0;
};
using Prepared = std::variant<std::unique_ptr<Invocation>, Unsupported, NeedsMemory>;

// Static support: yes, or the reason why not.
struct Support {
  bool yes = true;
  std::string reason;
  static Support no(std::string why) { return {false, std::move(why)}; }
};

class Provider {
 public:
  virtual ~Provider() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;     // "cublas"
  [[nodiscard]] virtual std::string_view op() const = 0;       // "gemm"
  [[nodiscard]] virtual std::string_view backend() const = 0;  // "cuda" or "cpu"
  [[nodiscard]] virtual std::string_view summary() const = 0;  // one line for `list`
  // Pure: opens no library and no context.
  [[nodiscard]] virtual Support supports(const Problem& problem, const DeviceInfo& device) const = 0;
  // Heuristics, plans and workspaces happen here, once for all operand sets.
  [[nodiscard]] virtual Prepared prepare(const Problem& problem, std::span<const TensorSet> sets, Device& device) const = 0;
};

// Holds the only downcast from Problem to the operator's own type.
template <class P>
class TypedProvider : public Provider {
 public:
  [[nodiscard]] Support supports(const Problem& problem, const DeviceInfo& device) const final {
    return supports_typed(static_cast<const P&>(problem), device);
  }
  [[nodiscard]] Prepared prepare(const Problem& problem, std::span<const TensorSet> sets, Device& device) const final {
    return prepare_typed(static_cast<const P&>(problem), sets, device);
  }

 protected:
  [[nodiscard]] virtual Support supports_typed(const P& problem, const DeviceInfo& device) const = 0;
  [[nodiscard]] virtual Prepared prepare_typed(const P& problem, std::span<const TensorSet> sets, Device& device) const = 0;
};

}  // namespace rtxbench
