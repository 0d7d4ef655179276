#include "gui/panels/cost_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <array>
#include <cmath>
#include <cstdlib>

#include "gui/panels/event_words.h"
#include "gui/view/ruler.h"
#include "reports/render/format.h"

namespace aftershock::gui {

namespace {

QString cost_text(const char* text) { return QCoreApplication::translate("CostWords", text); }

constexpr QChar kMinus(0x2212);

QString signed_text(QString text) {
  if (text.startsWith(u'-')) {
    text[0] = kMinus;
    return text;
  }
  return u'+' + text;
}

QString decimals(std::int64_t value, double parts, int digits) {
  return QString::number(static_cast<double>(value) / parts, 'f', digits);
}

QString number_words(CostUnit unit, std::int64_t value) {
  switch (unit) {
    case CostUnit::kTime:
      return brief_time(value);
    case CostUnit::kShare:
      return decimals(value, 10, 1) + QStringLiteral(" %");
    case CostUnit::kAmount:
      return decimals(value, 100, 2);
    case CostUnit::kCount:
    case CostUnit::kWord:
      break;
  }
  return QString::fromStdString(reports::format_count(value));
}

/// The difference; none where one is not known or the line is of words.
std::optional<std::int64_t> difference_of(const CostLine& line) {
  std::int64_t difference = 0;
  if (!line.a || !line.b || line.unit == CostUnit::kWord ||
      __builtin_sub_overflow(*line.b, *line.a, &difference)) {
    return std::nullopt;
  }
  return difference;
}

QString exact_words(const CostLine& line, bool of_b) {
  const auto& value = of_b ? line.b : line.a;
  QString out = line.unit == CostUnit::kTime && value
                    ? QString::fromStdString(format_simulated(*value))
                    : value_words(line, of_b);
  const std::int64_t whole_us = of_b ? line.whole_b_us : line.whole_a_us;
  if (line.is_bucket && value && whole_us > 0) {
    out += cost_text(", %1 of its time")
               .arg(QString::fromStdString(reports::format_share(*value, whole_us)));
  }
  const std::string& note = of_b ? line.note_b : line.note_a;
  return note.empty() ? out : out + QStringLiteral(": ") + shown_text(note);
}

}  // namespace

QString brief_time(std::int64_t us) {
  constexpr std::int64_t kSecond = 1'000'000;
  constexpr std::array<std::pair<std::int64_t, std::int64_t>, 3> kSteps{
      {{60 * kSecond, kSecond}, {kSecond, kSecond / 10}, {1'000, 1'000}}};
  const std::int64_t size = us < 0 ? -std::max(us, -kOpen) : us;
  for (const auto& [from_us, step_us] : kSteps) {
    if (size >= from_us) {
      return QString::fromStdString(format_simulated(us / step_us * step_us, 1));
    }
  }
  return QString::fromStdString(format_simulated(us));
}

QString what_words(const CostLine& line) {
  const QString what = shown_text(line.what);
  return line.is_bucket ? QString(what).replace(u'_', u' ') : what;
}

QString value_words(const CostLine& line, bool of_b) {
  const std::string& told = of_b ? line.words_b : line.words_a;
  if (!told.empty()) {
    return shown_text(told);
  }
  const auto& value = of_b ? line.b : line.a;
  return value ? number_words(line.unit, *value) : QStringLiteral("–");
}

QString difference_words(const CostLine& line) {
  const auto difference = difference_of(line);
  if (!difference || *difference == 0) {
    return {};
  }
  // A difference of two percentages is given in points, as it is not a percentage of either.
  return signed_text(line.unit == CostUnit::kShare
                         ? cost_text("%1 points").arg(decimals(*difference, 10, 1))
                         : number_words(line.unit, *difference));
}

QString judgement_words(const CostLine& line) {
  QString part;
  // A part of a share says less than the shares do.
  if (const auto difference = difference_of(line);
      difference && *difference != 0 && line.unit != CostUnit::kShare) {
    constexpr double kTooMuch = 10'000;
    const double percent =
        100.0 * static_cast<double>(*difference) / std::abs(static_cast<double>(*line.a));
    part = *line.a == 0 ? cost_text("new")
           : std::abs(percent) > kTooMuch
               ? cost_text("×%1").arg(static_cast<double>(*line.b) / static_cast<double>(*line.a),
                                      0, 'f', 0)
               : signed_text(QString::number(percent, 'f', std::abs(percent) < 10 ? 1 : 0)) +
                     QStringLiteral(" %");
  }
  const QString gap = part.isEmpty() ? QString() : QStringLiteral(" ");
  switch (judged(line)) {
    case Judgement::kSame:
      return cost_text("= same");
    case Judgement::kBetter:
      return part + gap + cost_text("▲ better");
    case Judgement::kWorse:
      return part + gap + cost_text("▼ worse");
    case Judgement::kDiffers:
      return part.isEmpty() ? cost_text("≠ differs") : part;
    case Judgement::kUnknown:
      break;
  }
  return {};
}

QString line_words(const CostLine& line) {
  QStringList lines{what_words(line)};
  if (!line.entity.empty()) {
    lines[0] += QStringLiteral(" (") + shown_text(line.entity) + u')';
  }
  lines << cost_text("A: %1").arg(exact_words(line, false))
        << cost_text("B: %1").arg(exact_words(line, true));
  const QString by = judgement_words(line);
  if (!by.isEmpty()) {
    lines << cost_text("B: %1").arg(by);
  }
  if (judged(line) == Judgement::kDiffers && line.better == Better::kNeither &&
      line.unit == CostUnit::kTime) {
    lines << cost_text("One of them did not last as long: neither is better by this.");
  }
  return lines.join(u'\n');
}

}  // namespace aftershock::gui
