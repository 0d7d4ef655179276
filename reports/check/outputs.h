#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "reports/check/report.h"
#include "reports/render/style.h"

// A check for those who read it: a terminal, a CI system, a program.
namespace aftershock::reports {

/// For people: what is red first and whole, then what else has changed a line each, then the sum.
std::string check_text(const CheckReport& report, const Style& style);

/// The first that is red, and the sum, in one line without its end.
std::string check_line(const CheckReport& report);

/// JUnit's XML as Jenkins and GitLab read it (tests/data/check/junit.xsd): a suite a scenario file,
/// a case a seed. A red run is a failure, a file or run that could not be made an error, a run that
/// is missing is skipped unless that is red.
std::string check_junit(const CheckReport& report);

/// A table of what is not as it was, for the summary of a job.
std::string check_markdown(const CheckReport& report);

/// GitHub's workflow commands, a line each: errors for what is red, notices for what has changed.
std::string check_annotations(const CheckReport& report);

/// {schema, verdict, exit_code, counts, runs[], unusable[], fresh[]}: everything.
nlohmann::ordered_json check_json(const CheckReport& report);

/// Its runs, without what is told of each line by line.
nlohmann::ordered_json check_rows(const CheckReport& report);

/// The text behind the :: of a workflow command; `property`: before it, where , and : part.
std::string annotation_text(std::string_view text, bool property);

}  // namespace aftershock::reports
