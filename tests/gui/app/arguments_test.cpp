#include "gui/app/arguments.h"

#include <QSettings>

#include <gtest/gtest.h>

#include "gui/app/run_progress.h"
#include "gui/app/settings.h"

namespace aftershock::gui {
namespace {

ParsedArguments parse(std::vector<const char*> words) {
  words.insert(words.begin(), "aftershock-viewer");
  return parse_arguments(static_cast<int>(words.size()), words.data());
}

TEST(Arguments, AreRead) {
  EXPECT_TRUE(parse({}).arguments.files.empty());
  const ParsedArguments both = parse({"a", "b c", "--theme", "light", "--scale=150"});
  ASSERT_FALSE(both.exit);
  EXPECT_EQ(both.arguments.files, (std::vector<std::string>{"a", "b c"}));
  EXPECT_EQ(both.arguments.theme, Theme::kLight);
  EXPECT_EQ(both.arguments.scale_percent, 150);
  const ParsedArguments run = parse({"--set", "/a=1", "--set", "/b=2", "s.json", "--seed", "7",
                                     "--policy", "ray_train@2.43", "--record", "r.aftershock"});
  ASSERT_FALSE(run.exit);
  EXPECT_EQ(run.arguments.files, std::vector<std::string>{"s.json"});
  EXPECT_EQ(run.arguments.run_options,
            (std::vector<std::string>{"--seed", "7", "--set", "/a=1", "--set", "/b=2", "--policy",
                                      "ray_train@2.43"}));
  EXPECT_EQ(run.arguments.record, "r.aftershock");
  const ParsedArguments live =
      parse({"--backend", "torchrun", "--speed=2", "--facts", "f", "--python", "p", "s.json"});
  EXPECT_EQ(live.arguments.run_options,
            (std::vector<std::string>{"--backend", "torchrun", "--speed", "2", "--facts", "f",
                                      "--python", "p"}));
  EXPECT_TRUE(parse({"--speed", "2", "s.json"}).exit) << "of no backend";
}

TEST(Arguments, APlaceIsRead) {
  EXPECT_FALSE(has_place(parse({"a", "--theme", "dark"}).arguments));
  const ParsedArguments place =
      parse({"--from=-1min", "--to", "2d4h", "--at", "90s", "--select", "job:llm", "a"});
  ASSERT_FALSE(place.exit);
  EXPECT_TRUE(has_place(place.arguments));
  EXPECT_EQ(place.arguments.from_us, -60'000'000);
  EXPECT_EQ(place.arguments.to_us, 187'200'000'000);
  EXPECT_EQ(place.arguments.at_us, 90'000'000);
  EXPECT_EQ(place.arguments.lane, "job:llm");
  EXPECT_TRUE(has_place(parse({"--to", "1s", "a"}).arguments));
  const ParsedArguments range = parse({"--range", "2d..2d4h", "--verdict", "a"});
  ASSERT_FALSE(range.exit) << range.exit->text;
  EXPECT_TRUE(has_place(range.arguments));
  EXPECT_EQ(range.arguments.range, (TimeRange{172'800'000'000, 187'200'000'000}));
  EXPECT_TRUE(range.arguments.verdict);
}

TEST(Arguments, MistakesAreAnswered) {
  struct Case {
    std::vector<const char*> words;
    int code;
    const char* says;
  };
  for (const Case& c :
       {Case{{"--help"}, 0, "FILE"},
        Case{{"--version"}, 0, "aftershock-viewer 0."},
        Case{{"a", "b", "c"}, 2, "c"},
        Case{{"--theme", "blue"}, 2, "dark"},
        Case{{"--scale", "5"}, 2, "50"},
        Case{{"--tehme", "dark"}, 2, "did you mean --theme?"},
        Case{{"--from", "noon"}, 2, "noon: not a time"},
        Case{{"--at=-1s"}, 2, "from 0s on"},
        Case{{"--from", "2s", "--to", "2s", "a"}, 2, "--from 2s: is not before --to 2s"},
        Case{{"--range", "2d"}, 2, "not a range of time; write it as FROM..TO"},
        Case{{"--range", "2d..x"}, 2, "\"x\" is not a time"},
        Case{{"--range", "..2d"}, 2, "\"\" is not a time"},
        Case{{"--range", "2d..2d"}, 2, "the first time is not before the second"},
        Case{{"--size", "5x"}, 2, "not a size; write it as 1600x900"},
        Case{{"--size", "5x7x9"}, 2, "not a size"},
        Case{{"--size", "0x7"}, 2, "each from 1 to 16384 pixels"},
        Case{{"--size", "7x16385"}, 2, "each from 1 to 16384 pixels"},
        Case{{"--scale", "x"}, 2, "from 50 to 300 percent"},
        Case{{"--at=-1h"}, 2, "before the run begins"},
        Case{{"--frobnicate"}, 2, "--frobnicate"}}) {
    const ParsedArguments parsed = parse(c.words);
    ASSERT_TRUE(parsed.exit) << c.words[0];
    EXPECT_EQ(parsed.exit->code, c.code) << c.words[0];
    EXPECT_NE(parsed.exit->text.find(c.says), std::string::npos) << parsed.exit->text;
    EXPECT_EQ(parsed.exit->text.find("did you mean") != std::string::npos,
              std::string_view(c.says).starts_with("did you mean"))
        << parsed.exit->text;
  }
}

TEST(Durations, AreThoseOfScenarios) {
  struct Case {
    const char* text;
    std::optional<std::int64_t> us;
  };
  for (const Case& c :
       {Case{"3d", 259'200'000'000}, Case{"1.5h", 5'400'000'000}, Case{"90s", 90'000'000},
        Case{"2min", 120'000'000}, Case{"7ms", 7000}, Case{"7us", 7}, Case{"7", std::nullopt},
        Case{"", std::nullopt}, Case{"d", std::nullopt}, Case{"-1d", std::nullopt},
        Case{"3 days", std::nullopt}, Case{"1e300d", std::nullopt}}) {
    EXPECT_EQ(duration_us(c.text), c.us) << c.text;
  }
}

TEST(Settings, ComeBack) {
  {
    Settings settings;
    EXPECT_EQ(settings.theme(), Theme::kDark);
    EXPECT_EQ(settings.scale_percent(), 100);
    EXPECT_TRUE(settings.recent().isEmpty());
    settings.set_theme(Theme::kLight);
    settings.set_scale_percent(9999);
    settings.add_recent(QStringLiteral("scenarios/quickstart.json"));
    settings.add_recent(QStringLiteral("README.md"));
    settings.add_recent(QStringLiteral("nowhere/gone"));
    settings.add_recent(QStringLiteral("scenarios/quickstart.json"));
    settings.set_window("geometry", "panels");
  }
  const Settings settings;
  EXPECT_EQ(settings.theme(), Theme::kLight);
  EXPECT_EQ(settings.scale_percent(), kScaleMax);
  ASSERT_EQ(settings.recent().size(), 2);
  EXPECT_TRUE(settings.recent()[0].endsWith(QStringLiteral("/scenarios/quickstart.json")));
  EXPECT_EQ(settings.geometry(), "geometry");
  EXPECT_EQ(settings.panels(), "panels");
}

TEST(Settings, NonsenseInThemIsPassedOver) {
  QSettings store(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("aftershock"),
                  QStringLiteral("viewer"));
  store.setValue(QStringLiteral("theme"), QStringLiteral("plaid"));
  store.setValue(QStringLiteral("scale"), QStringLiteral("huge"));
  store.setValue(QStringLiteral("keys/view.zoom_in"), QStringLiteral("Z"));
  store.sync();
  const Settings settings;
  EXPECT_EQ(settings.theme(), Theme::kDark);
  EXPECT_EQ(settings.scale_percent(), kScaleMin);
  EXPECT_EQ(settings.keys(), (KeyOverrides{{"view.zoom_in", "Z"}}));
}

}  // namespace
}  // namespace aftershock::gui
