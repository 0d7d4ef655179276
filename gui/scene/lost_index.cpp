#include "gui/scene/lost_index.h"

namespace aftershock::gui {

void LostIndex::update(const Trace& trace, const Directory& directory) {
  for (; known_ < trace.rolled_back.size(); ++known_) {
    const RolledBack& lost = trace.rolled_back[known_];
    const auto key = key_of(directory, trace.entities[lost.entity]);
    if (!key) {
      continue;
    }
    const auto add = [&](const LaneKey& to) {
      const auto number =
          numbers_.emplace(to, static_cast<std::uint32_t>(numbers_.size())).first->second;
      work_.add(number, {lost.begin_us, lost.end_us});
    };
    add(*key);
    for (const LaneKey& group : groups_of(*key)) {
      add(group);
    }
  }
}

std::span<const Stretch> LostIndex::between(const LaneKey& whole, std::int64_t from_us,
                                            std::int64_t to_us) const {
  const auto number = numbers_.find(whole);
  return number == numbers_.end() ? std::span<const Stretch>()
                                  : work_.between(number->second, from_us, to_us);
}

}  // namespace aftershock::gui
