#include "report/sinks.hpp"
#include "rtxbench/json.hpp"

namespace rtxbench {
namespace {
class JsonSink final : public Sink {
 public:
  [[nodiscard]] std::string_view name() const override { return "json"; }
  [[nodiscard]] std::string render(const Report& report, const SinkOptions&) const override {
    return dump_pretty(to_json(report));
  }
};
}  // namespace

std::unique_ptr<Sink> make_json_sink() { return std::make_unique<JsonSink>(); }

}  // namespace rtxbench
