// Names of enumerations, as they stand in ids, reports and on the command line.
#include "core/enum_names.hpp"

namespace rtxbench {

std::string_view name(DType type) { return enum_name(type); }
std::optional<DType> parse_dtype(std::string_view text) { return parse_enum<DType>(text); }

std::string_view name(Regime regime) { return enum_name(regime); }
std::optional<Regime> parse_regime(std::string_view text) { return parse_enum<Regime>(text); }

std::string_view name(CacheState cache) { return enum_name(cache); }
std::optional<CacheState> parse_cache_state(std::string_view text) { return parse_enum<CacheState>(text); }

std::string_view name(Distribution distribution) { return enum_name(distribution); }
std::optional<Distribution> parse_distribution(std::string_view text) { return parse_enum<Distribution>(text); }

std::string_view name(Coverage coverage) { return enum_name(coverage); }
std::optional<Coverage> parse_coverage(std::string_view text) { return parse_enum<Coverage>(text); }

std::string_view name(Status status) { return enum_name(status); }
std::optional<Status> parse_status(std::string_view text) { return parse_enum<Status>(text); }

std::string_view name(StopReason reason) { return enum_name(reason); }
std::optional<StopReason> parse_stop_reason(std::string_view text) { return parse_enum<StopReason>(text); }

std::string_view name(GemmLayout layout) { return enum_name(layout); }
std::vector<std::string> gemm_layout_names() { return enum_names<GemmLayout>(); }
std::optional<GemmLayout> parse_gemm_layout(std::string_view text) { return parse_enum<GemmLayout>(text); }

}  // namespace rtxbench
