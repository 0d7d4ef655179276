#include "policies/mindcluster/chips.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include "policies/device_codes/ascend.h"
#include "policies/device_codes/ascend_anatomy.h"
#include "policies/device_codes/catalogue.h"
#include "policies/parts/strike_window.h"

namespace aftershock::policies::mindcluster {
namespace {

constexpr DurationUs kSpreadUs = 30 * kSecondUs;        // ClusterD's filter of software faults
constexpr DurationUs kCorrelationUs = 300 * kSecondUs;  // how long a link's fault is remembered

std::string_view bare(std::string_view code) {
  const auto colon = code.find(':');
  return colon == std::string_view::npos ? code : code.substr(colon + 1);
}

bool same_chip(const CodeHistory& history, const DeviceFault& fault) {
  return history.node == fault.node && history.accelerator == fault.accelerator;
}

auto key_of(const CodeHistory& history) {
  return std::tuple(history.node, history.accelerator, std::string_view(history.code));
}

CodeHistory& history_of(Histories& histories, const DeviceFault& fault) {
  const auto key = std::tuple(fault.node, fault.accelerator, bare(fault.code));
  const auto at = std::ranges::lower_bound(histories, key, {}, key_of);
  if (at != histories.end() && key_of(*at) == key) {
    return *at;
  }
  CodeHistory fresh{.node = fault.node, .accelerator = fault.accelerator};
  fresh.code = bare(fault.code);
  return *histories.insert(at, std::move(fresh));
}

/// Codes that mean more together with a port that is down.
struct Relation {
  std::string_view code;
  HandlingLevel level;
};
constexpr std::string_view kPortDown = "81078603";
constexpr std::array<Relation, 4> kRelations{{
    {"8C1F8609", HandlingLevel::kSubHealthFault},
    {"8C1F860B", HandlingLevel::kSeparateNpu},
    {"8C1F8608", HandlingLevel::kSeparateNpu},
    {"4C1F8608", HandlingLevel::kSeparateNpu},
}};

std::optional<HandlingLevel> related(const Histories& histories, const DeviceFault& fault,
                                     TimeUs at_us) {
  const auto lately = [&](std::string_view code) {
    return std::ranges::any_of(histories, [&](const CodeHistory& one) {
      return same_chip(one, fault) && one.code == code && at_us - one.last_us <= kCorrelationUs;
    });
  };
  for (const Relation& relation : kRelations) {
    const bool half = bare(fault.code) == relation.code && lately(kPortDown);
    const bool other_half = bare(fault.code) == kPortDown && lately(relation.code);
    if (half || other_half) {
      return relation.level;
    }
  }
  return std::nullopt;
}

// The device plugin drops what is older than its window, and fires with what is left; an age of
// exactly the window is kept. Once upgraded, a code stays so.
bool too_often(CodeHistory& history, const FrequencyRule& rule, TimeUs at_us) {
  if (history.latched) {
    return true;
  }
  std::erase_if(history.plugin,
                [&](TimeUs then_us) { return at_us - then_us > rule.window_s * kSecondUs; });
  history.plugin.push_back(at_us);
  history.latched = history.plugin.size() >= rule.times;
  return history.latched;
}

// Touches no job, or is not the chip's.
bool counts(const Judgement& judgement) { return judgement.level > HandlingLevel::kSubHealthFault; }

}  // namespace

bool is_software(const Histories& histories, const DeviceFault& fault, TimeUs at_us) {
  return std::ranges::any_of(histories, [&](const CodeHistory& one) {
    return !same_chip(one, fault) && one.code == bare(fault.code) &&
           at_us - one.last_us <= kSpreadUs;
  });
}

std::optional<DurationRule> duration_of(const DeviceFault& fault) {
  const DeviceCode* code = find_device_code(fault.code);
  return code != nullptr ? code->duration : std::nullopt;
}

Judgement judge(const Config& config, Histories& histories, const DeviceFault& fault,
                TimeUs at_us) {
  const DeviceCode* code = find_device_code(fault.code);
  Judgement judgement;
  if (code != nullptr && code->level) {
    judgement.level = *code->level;
  } else if (!fault.code.starts_with("xid:")) {
    judgement.level = judge_unknown(ascend_subject(bare(fault.code)), fault.severity);
    judgement.why = Why::kUnlisted;
  }
  const auto raise = [&judgement](HandlingLevel level, Why why,
                                  std::optional<DurationUs> released_after_us = {}) {
    if (level > judgement.level) {
      judgement = {level, why, released_after_us};
    }
  };
  if (const auto level = related(histories, fault, at_us)) {
    raise(*level, Why::kRelation);
  }
  // A fault that separates by itself does so as long as it lasts, whatever its count does.
  const bool until_repair = judgement.level >= HandlingLevel::kPreSeparateNpu;
  const bool software = is_software(histories, fault, at_us);
  if (software) {
    // Nor does the report that it is like: both are decided on when the 30 s are over.
    for (CodeHistory& one : histories) {
      const bool alike = one.code == bare(fault.code) && at_us - one.last_us <= kSpreadUs;
      if (alike && !one.clusterd.empty() && one.clusterd.back() == one.last_us) {
        one.clusterd.pop_back();
      }
    }
  }
  CodeHistory& history = history_of(histories, fault);
  history.last_us = at_us;
  if (code != nullptr && code->frequency && too_often(history, *code->frequency, at_us)) {
    const DurationUs release_us = code->frequency->release_s * kSecondUs;
    raise(code->frequency->level, Why::kFrequency,
          until_repair || release_us == 0 ? std::nullopt : std::optional(release_us));
  }
  if (config.separates_manually && counts(judgement) && !software) {
    StrikeWindow window{std::move(history.clusterd)};
    const bool fires = window.strike(at_us, config.fault_threshold, config.fault_window_us);
    history.clusterd = fires ? std::vector<TimeUs>() : std::move(window.times);
    if (fires) {
      raise(HandlingLevel::kManuallySeparateNpu, Why::kManual,
            until_repair ? std::nullopt : config.fault_free_us);
    }
  }
  return judgement;
}

}  // namespace aftershock::policies::mindcluster
