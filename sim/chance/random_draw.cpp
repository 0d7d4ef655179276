#include "sim/chance/random_draw.h"

#include <cstddef>
#include <utility>

namespace aftershock::sim::chance {

namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t word) {
  h += 0x9e3779b97f4a7c15U + word;
  h = (h ^ (h >> 30U)) * 0xbf58476d1ce4e5b9U;
  h = (h ^ (h >> 27U)) * 0x94d049bb133111ebU;
  return h ^ (h >> 31U);
}

// Half of mix(), which is enough for what passes through that afterwards.
std::uint64_t add_to(std::uint64_t h, std::uint64_t word) {
  h = (h ^ word) * 0x9fb21c651e98df25U;
  return h ^ (h >> 32U);
}

// Some bytes of a text as a number, the first lowest on every machine; written out, so that a
// compiler makes one load of them.
template <std::size_t... kAt>
std::uint64_t word_at(const char* text, std::index_sequence<kAt...>) {
  return ((std::uint64_t{static_cast<unsigned char>(text[kAt])} << (8 * kAt)) | ...);
}

constexpr std::make_index_sequence<8> kEight;
constexpr std::make_index_sequence<4> kFour;
constexpr std::make_index_sequence<1> kOne;

}  // namespace

// Words of 8 bytes, of which the last may overlap the one before: a loop over the bytes that are
// left would take longer than all else. With the length in it, no two texts have the same words.
std::uint64_t named(std::string_view name, std::uint64_t part) {
  std::uint64_t h = add_to(name.size() + 1, part);
  const char* const end = name.data() + name.size();
  if (name.size() >= 8) {
    for (const char* at = name.data(); end - at > 8; at += 8) {
      h = add_to(h, word_at(at, kEight));
    }
    return add_to(h, word_at(end - 8, kEight));
  }
  if (name.size() >= 4) {
    return add_to(h, word_at(name.data(), kFour) | word_at(end - 4, kFour) << 32U);
  }
  if (!name.empty()) {
    return add_to(h, word_at(name.data(), kOne) |
                         word_at(name.data() + name.size() / 2, kOne) << 8U |
                         word_at(end - 1, kOne) << 16U);
  }
  return h;
}

RandomDraw::RandomDraw(const RandomKey& key, std::uint64_t n, Purpose purpose) {
  const std::uint64_t h = mix(mix(mix(0, key.seed), key.branch), key.entity);
  key_[0] = static_cast<std::uint32_t>(h);
  key_[1] = static_cast<std::uint32_t>(h >> 32U);
  counter_[0] = static_cast<std::uint32_t>(n);
  counter_[1] = static_cast<std::uint32_t>(n >> 32U);
  counter_[2] = static_cast<std::uint32_t>(key.source) << 16U | static_cast<std::uint32_t>(purpose);
  counter_[3] = 0;
}

void RandomDraw::make_block() {
  r123::Philox4x32 philox;
  block_ = philox(counter_, key_);
  ++counter_[3];
  used_ = 0;
}

}  // namespace aftershock::sim::chance
