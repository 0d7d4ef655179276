#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "reports/recording/reader.h"
#include "reports/render/style.h"

namespace aftershock::reports {

/// The subject of `why`, and its form.
struct WhyOptions {
  Style style;
  std::string job;  ///< only this one, or this experiment; empty: all
};

/// The story, or why there is none.
struct WhyResult {
  std::string text;     ///< empty when there is a problem
  std::string problem;  ///< the reason why the recording cannot be read, or the job cannot be found
  ReadState state = ReadState::kComplete;  ///< kPartial goes with a text that says so
};

/// Tells from a recording why its jobs ended as they did: for one that failed every charge of the
/// budget that it died of, for others every charge of every budget, and the recoveries.
WhyResult why(const std::string& path, const WhyOptions& options);

/// The same from bytes at hand; `name` stands for the path in messages.
WhyResult why(std::unique_ptr<RawBytes> bytes, std::string_view name, const WhyOptions& options);

}  // namespace aftershock::reports
