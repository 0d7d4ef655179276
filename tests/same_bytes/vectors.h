#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "sim/chance/draws.h"
#include "sim/chance/gamma_function.h"
#include "sim/chance/laws.h"

// 10,000 draws of each law as bytes, hashed. Shared by the test in this build and by the program
// that other compilers and processors run (vectors.cpp): it needs nothing but the C++ library.
namespace aftershock::testing {

/// A law by its name; `draw` gives the 64 bits of the nth draw.
struct VectorRow {
  const char* name;
  std::uint64_t (*draw)(sim::chance::RandomDraw random);
};

inline std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

inline std::uint64_t length_of(decltype(sim::scenario::Distribution::shape) shape,
                               sim::chance::RandomDraw random) {
  const sim::scenario::Distribution law{.shape = std::move(shape), .min_us = {}, .max_us = {}};
  return static_cast<std::uint64_t>(sim::chance::draw_us(law, random));
}

inline std::vector<VectorRow> vector_rows() {
  using sim::chance::RandomDraw;
  using sim::scenario::Distribution;
  return {
      {"bits", [](RandomDraw r) { return r.bits64(); }},
      {"unit", [](RandomDraw r) { return bits_of(sim::chance::unit(r)); }},
      {"positive_unit", [](RandomDraw r) { return bits_of(sim::chance::positive_unit(r)); }},
      {"below_7", [](RandomDraw r) { return sim::chance::below(7, r); }},
      {"below_3e18",
       [](RandomDraw r) { return sim::chance::below(3'000'000'000'000'000'000U, r); }},
      {"exponential", [](RandomDraw r) { return bits_of(sim::chance::standard_exponential(r)); }},
      {"normal", [](RandomDraw r) { return bits_of(sim::chance::standard_normal(r)); }},
      {"lognormal_0.5",
       [](RandomDraw r) { return bits_of(sim::chance::standard_lognormal(0.5, r)); }},
      {"lognormal_3", [](RandomDraw r) { return bits_of(sim::chance::standard_lognormal(3, r)); }},
      {"weibull_0.4", [](RandomDraw r) { return bits_of(sim::chance::standard_weibull(0.4, r)); }},
      {"weibull_1.7", [](RandomDraw r) { return bits_of(sim::chance::standard_weibull(1.7, r)); }},
      {"gamma_0.05", [](RandomDraw r) { return bits_of(sim::chance::standard_gamma(0.05, r)); }},
      {"gamma_0.8", [](RandomDraw r) { return bits_of(sim::chance::standard_gamma(0.8, r)); }},
      {"gamma_1", [](RandomDraw r) { return bits_of(sim::chance::standard_gamma(1, r)); }},
      {"gamma_2.5", [](RandomDraw r) { return bits_of(sim::chance::standard_gamma(2.5, r)); }},
      {"gamma_1000", [](RandomDraw r) { return bits_of(sim::chance::standard_gamma(1000, r)); }},
      {"gamma_function",
       [](RandomDraw r) {
         return bits_of(sim::chance::gamma_function(0.5 + 180 * sim::chance::unit(r)));
       }},
      {"us_exponential", [](RandomDraw r) { return length_of(Distribution::Exponential{7}, r); }},
      {"us_uniform", [](RandomDraw r) { return length_of(Distribution::Uniform{1, 6}, r); }},
      {"us_lognormal",
       [](RandomDraw r) { return length_of(Distribution::Lognormal{9e8, 1.2}, r); }},
      {"us_weibull", [](RandomDraw r) { return length_of(Distribution::Weibull{3e13, 0.7}, r); }},
      {"us_gamma", [](RandomDraw r) { return length_of(Distribution::Gamma{5e9, 1.9}, r); }},
      {"us_empirical",
       [](RandomDraw r) { return length_of(Distribution::Empirical{{3, 1, 4, 1, 5}}, r); }},
  };
}

/// "LAW HASH FIRST SECOND": FNV-1a of the bytes of all draws, lowest first, and the first two.
inline std::string vector_line(const VectorRow& row) {
  constexpr std::uint64_t kDraws = 10'000;
  const sim::chance::RandomKey key{.seed = 20'261'127, .entity = sim::chance::named(row.name)};
  std::uint64_t hash = 0xcbf29ce484222325U;
  std::array<std::uint64_t, 2> first{};
  for (std::uint64_t n = 0; n < kDraws; ++n) {
    const std::uint64_t value =
        row.draw(sim::chance::RandomDraw(key, n, sim::chance::Purpose::kLasts));
    if (n < first.size()) {
      first[n] = value;
    }
    for (unsigned byte = 0; byte < 8; ++byte) {
      hash = (hash ^ ((value >> (8 * byte)) & 0xffU)) * 0x100000001b3U;
    }
  }
  std::array<char, 80> text{};
  std::snprintf(text.data(), text.size(), " %016llx %016llx %016llx",
                static_cast<unsigned long long>(hash), static_cast<unsigned long long>(first[0]),
                static_cast<unsigned long long>(first[1]));
  return row.name + std::string(text.data());
}

}  // namespace aftershock::testing
