#include "sim/live/kept_facts.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json.h"
#include "policies/api/json_as_text.h"
#include "reports/recording/byte_source.h"
#include "reports/recording/line_reader.h"
#include "reports/recording/open_file.h"

namespace aftershock::sim::live {

namespace {

using Json = nlohmann::json;
using reports::LineReader;
using reports::TextSource;

/// Values in a message: one of a hostile file may be as long as a line.
constexpr std::size_t kMostValueBytes = 60;

std::string shown(const Json& value) {
  std::string text = policies::text_from_json(value);
  if (text.size() > kMostValueBytes) {
    text.resize(kMostValueBytes);
    text += "...";
  }
  return text;
}

std::string member_of(std::string_view pointer, std::string_view name) {
  return fmt::format("{}/{}", pointer, name);
}

std::string first_difference(const Json& kept, const Json& plan, const std::string& pointer) {
  if (kept.is_object() && plan.is_object()) {
    for (const auto& [name, value] : kept.items()) {
      if (pointer.empty() && name == "isolated") {
        continue;
      }
      const auto now = plan.find(name);
      if (now == plan.end()) {
        return fmt::format("{} is {} in the plan there, and the scenario's has none",
                           member_of(pointer, name), shown(value));
      }
      if (std::string found = first_difference(value, *now, member_of(pointer, name));
          !found.empty()) {
        return found;
      }
    }
    return {};
  }
  if (kept.is_array() && plan.is_array() && kept.size() == plan.size()) {
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (std::string found = first_difference(kept[i], plan[i], fmt::format("{}/{}", pointer, i));
          !found.empty()) {
        return found;
      }
    }
    return {};
  }
  return kept == plan ? std::string()
                      : fmt::format("{} is {} in the plan there, and {} in the scenario's",
                                    pointer.empty() ? "/" : pointer, shown(kept), shown(plan));
}

/// Why a file that ends here is not whole.
std::string wrong_end(const LineReader& reader) {
  switch (reader.source_status()) {
    case TextSource::Status::kMore:
    case TextSource::Status::kEnd:
      return {};
    case TextSource::Status::kCut:
      return "ends within compressed data";
    case TextSource::Status::kDamaged:
    case TextSource::Status::kUnreadable:
      return reader.problem();
  }
  return {};
}

}  // namespace

TakeLine keeping(reports::LineSink& kept, std::string_view plan, TakeLine take) {
  kept.line(plan);
  return [&kept, take = std::move(take)](std::string_view line) {
    kept.line(line);
    return take(line);
  };
}

std::string other_plan(std::string_view kept, std::string_view plan) {
  const auto read = policies::parse_json(kept);
  const auto* before = std::get_if<Json>(&read);
  if (before == nullptr || !before->is_object() || !before->contains("live")) {
    return "not the plan of a live run";
  }
  return first_difference(*before, policies::json_from_text(plan), "");
}

std::variant<std::vector<std::string>, std::string> read_kept(const std::string& path,
                                                              std::string_view plan) {
  auto opened = reports::open_to_read(path);
  if (const auto* problem = std::get_if<reports::FileProblem>(&opened)) {
    return fmt::format("{}: {}", path, problem->message);
  }
  LineReader reader(std::make_unique<reports::FileBytes>(std::get<int>(opened)));
  std::vector<std::string> facts;
  std::size_t bytes = 0;
  for (std::int64_t number = 1;; ++number) {
    std::string_view line;
    const LineReader::Status status = reader.next(line);
    if (status == LineReader::Status::kEnd) {
      std::string why = wrong_end(reader);
      if (why.empty() && number == 1) {
        why = "is empty";
      }
      return why.empty() ? std::variant<std::vector<std::string>, std::string>(std::move(facts))
                         : fmt::format("{}: {}", path, why);
    }
    bytes += line.size();
    std::string why;
    if (status == LineReader::Status::kTooLong || bytes > reports::kLineBytesMax) {
      why = "goes beyond 64 MiB";
    } else if (status == LineReader::Status::kUnfinished) {
      why = wrong_end(reader).empty() ? "has no end" : wrong_end(reader);
    } else if (number == 1) {
      why = other_plan(line, plan);
    } else {
      facts.emplace_back(line);
    }
    if (!why.empty()) {
      return fmt::format("{}: line {}: {}", path, number, why);
    }
  }
}

}  // namespace aftershock::sim::live
