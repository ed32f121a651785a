// Whole arrays between the 16-bit formats and fp32, rounding to nearest even exactly as rtxbench/dtype.hpp does for one
// element. Branch-free bodies, so that any compiler vectorises them for any instruction set.
#pragma once

#include <cstddef>

#include "rtxbench/dtype.hpp"

namespace rtxbench::cpu {

// `type` is fp16 or bf16; anything else throws std::invalid_argument.
void widen(DType type, const void* from, float* to, std::size_t count);
void narrow(DType type, const float* from, void* to, std::size_t count);

}  // namespace rtxbench::cpu
