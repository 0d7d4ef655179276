#include "gui/app/arguments.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <numeric>
#include <string_view>

#include <CLI/CLI.hpp>

#include "aftershock_version.h"
#include "gui/app/typed_time.h"

namespace aftershock::gui {

namespace {

/// A picture is held in memory as a whole.
constexpr int kLongestSide_px = 16384;

std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t k = 0; k < b.size(); ++k) {
      const std::size_t change = diagonal + (a[i] == b[k] ? 0 : 1);
      diagonal = row[k + 1];
      row[k + 1] = std::min({change, row[k] + 1, row[k + 1] + 1});
    }
  }
  return row.back();
}

/// The option that an unknown one was probably meant to be; empty where nothing is near.
std::string nearest_option(const CLI::App& app, int count, const char* const* arguments) {
  for (int i = 1; i < count; ++i) {
    const std::string_view word = arguments[i];
    const std::string_view flag = word.substr(0, word.find('='));
    if (!flag.starts_with("--") || flag.size() > 40) {
      continue;
    }
    std::string best;
    std::size_t best_edits = 3;
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) {
        const std::size_t edits = edits_between(flag.substr(2), name);
        if (edits == 0) {
          best_edits = 0;
          best.clear();
        } else if (edits < best_edits) {
          best_edits = edits;
          best = "--" + name;
        }
      }
    }
    if (!best.empty()) {
      return best;
    }
  }
  return {};
}

/// Options that go to `aftershock run`, or `aftershock live`, as they are.
struct Forwarded {
  std::string seed;
  std::vector<std::string> sets;
  std::string policy;
  std::string policy_config;
  std::string backend;
  std::string speed;
  std::string facts;
  std::string python;

  [[nodiscard]] std::vector<std::string> words() const {
    std::vector<std::string> out;
    const auto add = [&](const char* name, const std::string& value) {
      if (!value.empty()) {
        out.insert(out.end(), {name, value});
      }
    };
    add("--seed", seed);
    for (const std::string& set : sets) {
      add("--set", set);
    }
    add("--policy", policy);
    add("--policy-config", policy_config);
    add("--backend", backend);
    add("--speed", speed);
    add("--facts", facts);
    add("--python", python);
    return out;
  }
};

/// An option that is a time of the run.
void add_time_option(CLI::App& app, const std::string& name, std::optional<std::int64_t>& to,
                     const char* what) {
  app.add_option_function<std::string>(
      name,
      [name, &to](const std::string& text) {
        to = name == "--at" ? typed_time_us(text) : signed_time_us(text);
        if (!to) {
          const bool early = text.starts_with('-') && signed_time_us(text);
          throw CLI::ValidationError(
              name, early ? text + ": before the run begins; its times are from 0s on"
                          : text + ": not a time; write it as 2d4h, 30min, 90s or 1d 06:47:52");
        }
      },
      what);
}

/// "FROM..TO" as a range of time.
TimeRange range_from(const std::string& text) {
  constexpr std::string_view kBetween = "..";
  const std::size_t at = text.find(kBetween);
  if (at == std::string::npos) {
    throw CLI::ValidationError(
        "--range", text + ": not a range of time; write it as FROM..TO, such as 2d..2d4h");
  }
  const auto time = [&](const std::string& part) {
    const auto us = typed_time_us(part);
    if (!us) {
      throw CLI::ValidationError(
          "--range", text + ": \"" + part + "\" is not a time; write it as 2d4h, 30min or 90s");
    }
    return *us;
  };
  const TimeRange range{time(text.substr(0, at)), time(text.substr(at + kBetween.size()))};
  if (range.begin_us >= range.end_us) {
    throw CLI::ValidationError("--range", text + ": the first time is not before the second");
  }
  return range;
}

/// Throws where the text is not a size that a picture can have.
void read_size(const std::string& text, Arguments& arguments) {
  char behind = 0;
  const int found =
      std::sscanf(text.c_str(), "%9dx%9d%c", &arguments.width, &arguments.height, &behind);
  if (found != 2) {
    throw CLI::ValidationError("--size", text + ": not a size; write it as 1600x900");
  }
  if (std::min(arguments.width, arguments.height) < 1 ||
      std::max(arguments.width, arguments.height) > kLongestSide_px) {
    throw CLI::ValidationError("--size", text + ": width and height are each from 1 to " +
                                             std::to_string(kLongestSide_px) + " pixels");
  }
}

/// A range with words about what is wrong, instead of CLI11's.
CLI::Validator scale_in_words() {
  return {[](std::string& text) {
            int percent = 0;
            const char* end = text.data() + text.size();
            const auto [stopped, problem] = std::from_chars(text.data(), end, percent);
            const bool good = problem == std::errc{} && stopped == end && percent >= kScaleMin &&
                              percent <= kScaleMax;
            return good ? std::string()
                        : text + ": text is from " + std::to_string(kScaleMin) + " to " +
                              std::to_string(kScaleMax) + " percent of its size";
          },
          "PERCENT", "scale"};
}

/// Options whose texts say more than they are; what is wrong with one is said where it is read.
void add_place_options(CLI::App& app, Arguments& arguments) {
  app.add_option("--screenshot", arguments.screenshot,
                 "write a picture to OUT.png and end; needs no screen");
  add_time_option(app, "--at", arguments.at_us, "time of the run to go to, such as 2d4h");
  add_time_option(app, "--from", arguments.from_us, "show the run from this time on");
  add_time_option(app, "--to", arguments.to_us, "show the run up to this time");
  app.add_option("--select", arguments.lane, "lane to go to, such as node:gpu-3 or job:llm");
  app.add_option_function<std::string>(
         "--range", [&arguments](const std::string& text) { arguments.range = range_from(text); },
         "time of the run to select, such as 2d..2d4h")
      ->type_name("FROM..TO");
  app.add_option_function<std::string>(
         "--size", [&arguments](const std::string& text) { read_size(text, arguments); },
         "of the picture in pixels, 1600x900 where it is not said")
      ->type_name("WIDTHxHEIGHT");
}

/// Options of a run, which the command that runs it knows better.
void add_run_options(CLI::App& app, Arguments& arguments, Forwarded& forwarded) {
  const char* group = "Where a file is a scenario, as of `aftershock run`";
  app.add_option("--seed", forwarded.seed, "random seed, instead of the scenario's")->group(group);
  app.add_option("--set", forwarded.sets, "/json/pointer=value (may be repeated)")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--policy", forwarded.policy, "NAME[@PROFILE] for every job")->group(group);
  app.add_option("--policy-config", forwarded.policy_config, "JSON file of its configuration")
      ->group(group);
  app.add_option("--record", arguments.record, "keep the recording in FILE.aftershock")
      ->group(group);
  app.add_flag("--verdict", arguments.verdict,
               "end with the exit code of the run: 0 where all expectations hold, 8 where the "
               "window was closed before its end")
      ->group(group);
  const char* live = "Where real processes run it, as of `aftershock live`";
  CLI::Option* backend =
      app.add_option("--backend", forwarded.backend, "torchrun, ray or nvrx")->group(live);
  app.add_option("--speed", forwarded.speed, "divide the scenario's durations by N")
      ->group(live)
      ->needs(backend);
  app.add_option("--facts", forwarded.facts, "take what processes did from a FILE; runs nothing")
      ->group(live)
      ->needs(backend);
  app.add_option("--python", forwarded.python, "an environment with the backend of your own")
      ->group(live)
      ->needs(backend);
}

void add_options(CLI::App& app, Arguments& arguments, Forwarded& forwarded, std::string& theme) {
  app.add_option("FILE", arguments.files,
                 "a recording, or a scenario, which is run first; two are compared")
      ->expected(0, 2);
  app.add_option("--theme", theme, "dark or light, instead of what was chosen last")
      ->check(CLI::IsMember({"dark", "light"}));
  app.add_option("--scale", arguments.scale_percent, "size of text in percent")
      ->check(scale_in_words());
  add_place_options(app, arguments);
  add_run_options(app, arguments, forwarded);
}

}  // namespace

ParsedArguments parse_arguments(int count, const char* const* arguments) {
  ParsedArguments out;
  CLI::App app{"The viewer of Aftershock: replay a fault timeline and see why",
               "aftershock-viewer"};
  app.set_version_flag("--version", "aftershock-viewer " + std::string(kVersion) + " (" +
                                        std::string(kCommit) + ")");
  app.failure_message(CLI::FailureMessage::simple);
  Forwarded forwarded;
  std::string theme;
  add_options(app, out.arguments, forwarded, theme);
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    std::ostringstream said;
    const bool asked = app.exit(error, said, said) == 0;
    out.exit = {.code = asked ? 0 : kUnusable, .text = said.str()};
    if (const std::string near = nearest_option(app, count, arguments); !asked && !near.empty()) {
      out.exit->text += "did you mean " + near + "?\n";
    }
    return out;
  }
  if (!out.arguments.screenshot.empty() && out.arguments.files.empty()) {
    out.exit = {.code = kUnusable, .text = "--screenshot: there is no FILE to show\n"};
  }
  const Arguments& read = out.arguments;
  if (read.from_us && read.to_us && *read.from_us >= *read.to_us) {
    out.exit = {.code = kUnusable,
                .text = "--from " + typed_text(*read.from_us) + ": is not before --to " +
                        typed_text(*read.to_us) + "\n"};
  }
  out.arguments.theme = theme_of(theme);
  out.arguments.run_options = forwarded.words();
  return out;
}

}  // namespace aftershock::gui
