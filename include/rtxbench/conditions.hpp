// Conditions of a measurement that are axes of every benchmark (engine_axes()); the third one is the Distribution of the data.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rtxbench {

enum class Regime : std::uint8_t {
  burst,      // what one call costs on a cool chip
  sustained,  // back to back until steady: what a long run gets
};
[[nodiscard]] std::string_view name(Regime regime);
[[nodiscard]] std::optional<Regime> parse_regime(std::string_view text);

enum class CacheState : std::uint8_t {
  cold,   // operands not in the last-level cache: flushed or rotated, as the timing allows
  warm,   // the same operands each call
  flush,  // flushed between all calls
};
[[nodiscard]] std::string_view name(CacheState cache);
[[nodiscard]] std::optional<CacheState> parse_cache_state(std::string_view text);

}  // namespace rtxbench
