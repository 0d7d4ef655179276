#include "gui/trace/packer.h"

#include <functional>
#include <utility>

#include "gui/trace/members.h"

namespace aftershock::gui {

namespace {

using reports::LineKind;
using reports::Record;

/// A number of few digits that a lane shows; what is none is 0.
std::uint32_t small_number(std::string_view value) {
  const auto number = integer_of(value);
  return number && std::in_range<std::uint32_t>(*number) ? static_cast<std::uint32_t>(*number) : 0;
}

constexpr bool is_about_something(LineKind kind) {
  return kind == LineKind::kBegin || kind == LineKind::kInstant || kind == LineKind::kFault ||
         kind == LineKind::kDecision || kind == LineKind::kCounter || kind == LineKind::kLedger ||
         kind == LineKind::kHolds;
}

/// Whether the whole line is to be looked at: half of all lines are ends, most others begins, and
/// all that those say is in the columns.
constexpr bool needs_text(LineKind kind) {
  return kind == LineKind::kHeader || kind == LineKind::kSummary ||
         (is_about_something(kind) && kind != LineKind::kBegin);
}

}  // namespace

Kind Packer::span_kind(std::string_view what) {
  const std::size_t first = what.empty() ? 0 : static_cast<unsigned char>(what.front());
  const std::size_t last = what.empty() ? 0 : static_cast<unsigned char>(what.back());
  KnownWord& known = words_[(what.size() * 5 + first * 3 + last) % words_.size()];
  if (known.what != what || what.empty()) {
    known.what = what;
    known.kind = kind_of_span(what);
  }
  return known.kind;
}

std::uint32_t Packer::mention(std::string_view name) {
  if (mentions_.empty() || text_of(mentions_.back()) != name) {
    mentions_.push_back({TextTable::hash_of(name), mentioned_.size(), name.size(), 0});
    mentioned_ += name;
  }
  return static_cast<std::uint32_t>(mentions_.size() - 1);
}

void Packer::add(Batch& batch, const Record& record) {
  if (batch.items_.empty()) {
    batch.first_line_ = record.line;
  }
  Batch::Item& item = batch.items_.emplace_back();
  item.t_us = record.t_us;
  item.kind = record.kind;
  item.has_id = record.id.has_value();
  item.id = record.id.value_or(0);
  item.cause = record.cause.value_or(-1);
  if (record.kind == LineKind::kBegin) {
    item.span = span_kind(record.what);
    const SubLane sub = sub_lane_of(item.span);
    if (sub == SubLane::kAttempts) {
      item.number = small_number(member(record.text, "epoch"));
    } else if (sub == SubLane::kCheckpoints) {
      item.number = small_number(member(record.text, "checkpoint"));
    } else if (sub == SubLane::kOthers) {
      item.said = static_cast<std::uint32_t>(batch.said_.size());
      batch.said_.push_back({batch.keep(record.what), {}});
    }
  } else if (needs_text(record.kind)) {
    item.said = static_cast<std::uint32_t>(batch.said_.size());
    const Batch::Piece text = batch.keep(record.text);
    const char* begin = record.text.data();
    const bool inside = !record.what.empty() && !std::less<>()(record.what.data(), begin) &&
                        std::less<>()(record.what.data(), begin + record.text.size());
    batch.said_.push_back(
        {inside ? Batch::Piece{text.at + static_cast<std::uint32_t>(record.what.data() - begin),
                               static_cast<std::uint32_t>(record.what.size())}
                : batch.keep(record.what),
         text});
  }
  if (is_about_something(record.kind)) {
    item.name = mention(record.on);
  }
}

std::size_t Packer::bytes(const Batch& batch) const {
  return batch.items_.size() * sizeof(Batch::Item) + batch.text_.size() + mentioned_.size();
}

void Packer::finish(Batch& batch) {
  // Far enough ahead for memory to answer, near enough for its answer to be still in the cache.
  constexpr std::size_t kSoon = 16;
  constexpr std::size_t kVerySoon = 8;
  batch.first_name_ = static_cast<std::uint32_t>(names_.size());
  for (std::size_t i = 0; i < mentions_.size(); ++i) {
    if (i + kSoon < mentions_.size()) {
      names_.prefetch(mentions_[i + kSoon].hash);
      names_.guess(mentions_[i + kVerySoon].hash);
    }
    const std::size_t known = names_.size();
    const std::string_view name = text_of(mentions_[i]);
    mentions_[i].number = names_.add(name, mentions_[i].hash);
    if (names_.size() > known) {
      batch.names_.push_back(batch.keep(name));
    }
  }
  for (Batch::Item& item : batch.items_) {
    if (item.name != kNone) {
      item.name = mentions_[item.name].number;
    }
  }
  mentions_.clear();
  mentioned_.clear();
}

void Packer::drop(Batch& batch) {
  batch.clear();
  mentions_.clear();
  mentioned_.clear();
}

}  // namespace aftershock::gui
