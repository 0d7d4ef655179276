#include "gui/export/perfetto.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gui/export/causes.h"
#include "gui/export/words.h"
#include "gui/trace/find.h"
#include "reports/render/depths.h"
#include "reports/render/perfetto_writer.h"

namespace aftershock::gui {

namespace {

class Writer {
 public:
  Writer(const Scene& scene, const DecisionTitles& titles, const Choice& choice,
         const ByteSink& sink)
      : scene_(scene),
        trace_(scene.trace()),
        titles_(titles),
        choice_(choice),
        writer_(sink),
        causes_(trace_, choice.lanes) {}

  bool write() {
    for (const std::uint32_t lane : choice_.lanes) {
      if (!write_lane(lane)) {
        return false;
      }
    }
    for (const std::uint32_t counter : choice_.counters) {
      if (!write_counter(counter)) {
        return false;
      }
    }
    return writer_.finish();
  }

 private:
  bool write_lane(std::uint32_t lane) {
    const Lane& of = trace_.lanes[lane];
    const LaneSpans spans = of.columns.spans();
    reports::Depths depths;
    std::vector<std::uint64_t> tracks;
    return for_chosen_spans(trace_, choice_, lane, [&](std::uint32_t span) {
      const std::int64_t begin_us = spans.begin_us[span];
      const bool is_open = spans.end_us[span] == kOpen;
      const std::int64_t end_us =
          is_open ? std::max(trace_.last_us, begin_us) : std::max(begin_us, spans.end_us[span]);
      // An instant is within whatever is there.
      const bool is_instant = !is_open && end_us == begin_us;
      const std::size_t depth = is_instant ? 0 : depths.place(begin_us, is_open ? kOpen : end_us);
      while (tracks.size() <= depth) {
        const std::string name(name_of(of.sub));
        tracks.push_back(writer_.add_track(
            tracks.empty() ? name : name + " " + std::to_string(tracks.size() + 1),
            entity_track(of.entity)));
      }
      const reports::TraceEvent event = describe(lane, span, is_open, tracks[depth]);
      return is_instant ? writer_.instant(event)
                        : writer_.begin(event) && writer_.end(end_us, tracks[depth]);
    });
  }

  bool write_counter(std::uint32_t index) {
    const Counter& counter = scene_.counter(index);
    const Curve* curve = scene_.curve(index);
    const std::string name = curve != nullptr
                                 ? curve->name + (curve->unit.empty() ? "" : " ") + curve->unit
                                 : exported_text(trace_.texts[counter.name]);
    const std::uint64_t track = writer_.add_counter(name, entity_track(counter.entity));
    double one = 1;
    for (int i = 0; curve != nullptr && i < curve->decimals; ++i) {
      one *= 10;
    }
    auto at = static_cast<std::size_t>(
        std::ranges::upper_bound(counter.t_us, choice_.range.begin_us) - counter.t_us.begin());
    for (at -= at > 0 ? 1U : 0U; at < counter.t_us.size(); ++at) {
      if (counter.t_us[at] >= choice_.range.end_us) {
        break;
      }
      const std::int64_t t_us = std::max(counter.t_us[at], choice_.range.begin_us);
      const bool taken =
          one > 1 ? writer_.count(t_us, track, static_cast<double>(counter.value[at]) / one)
                  : writer_.count(t_us, track, counter.value[at]);
      if (!taken) {
        return false;
      }
    }
    return true;
  }

  /// Above the tracks of one entity.
  std::uint64_t entity_track(std::uint32_t entity) {
    const auto [found, is_new] = entities_.try_emplace(entity, 0);
    if (is_new) {
      found->second = writer_.add_track(exported_text(trace_.entities[entity]), 0);
    }
    return found->second;
  }

  reports::TraceEvent describe(std::uint32_t lane, std::uint32_t span, bool is_open,
                               std::uint64_t track) {
    const Lane& of = trace_.lanes[lane];
    const std::string number = exported_number(trace_, lane, span);
    const std::string what = exported_what(trace_, lane, span);
    const std::uint32_t line = of.columns.lines()[span];
    reports::TraceEvent event;
    event.t_us = of.columns.spans().begin_us[span];
    event.track = track;
    event.category = name_of(of.columns.spans().kind[span]);
    event.name = of.sub == SubLane::kCheckpoints ? what + " " + number : what;
    event.notes = {{"fault", exported_text(trace_.texts[causes_.fault_id_of(lane, span)])},
                   {"detail", exported_detail(trace_, titles_, lane, span)},
                   {"line", line != 0 ? std::to_string(line) : ""},
                   {"ended", is_open ? "no: until the last record" : ""}};
    if (of.sub == SubLane::kFaults) {
      const auto [first, last] = effects_of(trace_, of.columns.numbers()[span]);
      for (std::size_t i = first; i < last; ++i) {
        if (is_chosen(trace_.effects[i])) {
          event.flows.push_back(i + 1);
        }
      }
    }
    if (const auto effect = causes_.effect_of(lane, span); effect && fault_is_chosen(*effect)) {
      event.flow_end = *effect + std::uint64_t{1};
    }
    return event;
  }

  [[nodiscard]] bool is_chosen(const Effect& effect) const {
    return std::ranges::binary_search(choice_.lanes, effect.lane) &&
           choice_.takes(trace_.lanes[effect.lane].columns.spans(), effect.span);
  }

  /// Whether the fault behind it is written, too.
  [[nodiscard]] bool fault_is_chosen(std::uint32_t effect) const {
    const Fault& fault = trace_.faults[trace_.effects[effect].fault];
    const std::uint32_t lane =
        fault.entity < trace_.lane_of.size()
            ? trace_.lane_of[fault.entity][static_cast<std::size_t>(SubLane::kFaults)]
            : kNone;
    return std::ranges::binary_search(choice_.lanes, lane) &&
           fault.t_us >= choice_.range.begin_us && fault.t_us < choice_.range.end_us;
  }

  const Scene& scene_;
  const Trace& trace_;
  const DecisionTitles& titles_;
  const Choice& choice_;
  reports::PerfettoWriter writer_;
  Causes causes_;
  std::map<std::uint32_t, std::uint64_t> entities_;
};

}  // namespace

bool write_perfetto(const Scene& scene, const DecisionTitles& titles, const Choice& choice,
                    const ByteSink& sink) {
  return Writer(scene, titles, choice, sink).write();
}

}  // namespace aftershock::gui
