#include "sim/network/reach.h"

#include <algorithm>
#include <utility>

namespace aftershock::sim::network {

bool PlaceSet::contains(NetPlace place) const {
  // Sets are made once a cut and asked for each pair of places, so they are sorted when they are
  // made.
  return std::ranges::binary_search(listed, place) != all_but;
}

bool Cut::blocks(NetPlace from, NetPlace to) const {
  return from != to && std::ranges::any_of(rules, [&](const CutRule& rule) {
           return rule.from.contains(from) && rule.to.contains(to);
         });
}

Cut cut_between(std::uint32_t id, std::vector<NetPlace> inside, std::vector<NetPlace> others,
                scenario::CutDirection direction) {
  std::ranges::sort(inside);
  std::ranges::sort(others);
  const PlaceSet here{std::move(inside), false};
  const PlaceSet there{std::move(others), false};
  Cut cut{id, {}};
  if (direction != scenario::CutDirection::kInwards) {
    cut.rules.push_back({here, there});
  }
  if (direction != scenario::CutDirection::kOutwards) {
    cut.rules.push_back({there, here});
  }
  return cut;
}

Cut cut_around(std::uint32_t id, std::vector<NetPlace> inside, scenario::CutDirection direction) {
  Cut cut = cut_between(id, inside, inside, direction);
  for (CutRule& rule : cut.rules) {
    const bool leaves = direction == scenario::CutDirection::kOutwards ||
                        (direction == scenario::CutDirection::kBoth && &rule == cut.rules.data());
    // The short list of places inside stands for the rest of the cluster, negated.
    (leaves ? rule.to : rule.from).all_but = true;
  }
  return cut;
}

bool passes(std::span<const Cut> cuts, NetPlace from, NetPlace to) {
  return std::ranges::none_of(cuts, [&](const Cut& cut) { return cut.blocks(from, to); });
}

bool connected(std::span<const Cut> cuts, NetPlace one, NetPlace other) {
  return passes(cuts, one, other) && passes(cuts, other, one);
}

bool all_connected(std::span<const Cut> cuts, std::span<const NetPlace> places) {
  const auto parts = [&](const CutRule& rule) {
    // Places are counted, not pairs tried: a gang of n nodes has n * n of them.
    std::size_t senders = 0;
    std::size_t receivers = 0;
    std::size_t both = 0;
    for (const NetPlace place : places) {
      const bool sends = rule.from.contains(place);
      const bool receives = rule.to.contains(place);
      senders += sends ? 1U : 0U;
      receivers += receives ? 1U : 0U;
      both += sends && receives ? 1U : 0U;
    }
    // Nobody is kept from talking to itself.
    return senders * receivers > both;
  };
  return std::ranges::none_of(
      cuts, [&](const Cut& cut) { return std::ranges::any_of(cut.rules, parts); });
}

}  // namespace aftershock::sim::network
