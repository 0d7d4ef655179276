#include "reports/recording/reader.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "base/assert.h"
#include "reports/recording/header.h"
#include "reports/recording/line_check.h"
#include "reports/recording/line_reader.h"
#include "reports/recording/open_file.h"

namespace aftershock::reports {

namespace {

constexpr std::string_view kHeaderBegins = R"({"r":"header")";

/// Whether the first line may be a header, though it has a broken byte or the file is cut within
/// it.
bool may_be_header(std::string_view text, bool cut) {
  return text.starts_with(kHeaderBegins) || (cut && kHeaderBegins.starts_with(text));
}

}  // namespace

class RecordingReader::Reading {
 public:
  Reading(std::unique_ptr<RawBytes> bytes, std::string name, bool grows)
      : lines_(std::move(bytes)), name_(std::move(name)), grows_(grows) {}

  const Record* next();
  bool go_on();

  [[nodiscard]] const ReadResult& result() const { return result_; }
  [[nodiscard]] const LineReader& lines() const { return lines_; }

 private:
  using LineStatus = LineReader::Status;

  /// Each returns true when reading is over.
  bool take_line(LineStatus status, std::string_view line);
  bool take_first_line(const char* problem, LineStatus status, std::string_view line);
  bool take_record();
  bool take_end_of_run();
  /// Holds the lines read so far against the check in one that has it.
  bool take_check();

  bool end(ReadState state, std::string message = {});
  bool end_corrupt(std::string_view what);
  /// The text is over and no end of the run was seen.
  bool end_partial();
  /// The reason why `source_status` is not a plain end, if it is not.
  bool end_by_source();

  LineReader lines_;
  std::string name_;
  bool grows_;
  bool over_ = false;
  RecordParser parser_;
  Record record_;
  ReadResult result_;
  LineCheck check_;
  std::int64_t vouched_line_ = 0;  ///< the last one that a check spoke for
  bool complete_ = false;
};

const Record* RecordingReader::Reading::next() {
  if (!over_) {
    std::string_view line;
    const LineStatus status = lines_.next(line);
    over_ = take_line(status, line);
  }
  return over_ ? nullptr : &record_;
}

bool RecordingReader::Reading::go_on() {
  const auto source = lines_.source_status();
  const bool ended = source == TextSource::Status::kEnd || source == TextSource::Status::kCut;
  if (!over_ || !grows_ || !ended || result_.state != ReadState::kPartial || result_.line == 0) {
    return false;
  }
  lines_.go_on();
  over_ = false;
  result_.state = ReadState::kComplete;
  result_.message.clear();
  return true;
}

namespace {

std::string not_a_recording(std::string_view name) {
  return fmt::format("{} is not a recording{}", name,
                     name.ends_with(".json")
                         ? "; `aftershock run SCENARIO --record FILE.aftershock` makes one"
                         : "");
}

}  // namespace

bool RecordingReader::Reading::take_line(LineStatus status, std::string_view line) {
  if (status == LineStatus::kTooLong) {
    ++result_.line;
    return result_.line == 1
               ? end(ReadState::kNotARecording, not_a_recording(name_))
               : end_corrupt(fmt::format("it is longer than {} MiB", kLineBytesMax >> 20U));
  }
  if (status == LineStatus::kEnd) {
    if (result_.line == 0 && lines_.source_status() == TextSource::Status::kEnd) {
      return end(ReadState::kEmpty, fmt::format("{} is empty", name_));
    }
    return end_by_source() || end_partial();
  }
  if (status == LineStatus::kUnfinished && grows_ && result_.line > 0 && !complete_) {
    lines_.put_back(line);
    return end_by_source() || end_partial();
  }
  ++result_.line;
  if (complete_) {
    return end_corrupt("it comes after the end of the run");
  }
  const char* problem = parser_.parse(line, record_);
  record_.line = result_.line;
  if (result_.line == 1 && take_first_line(problem, status, line)) {
    return true;
  }
  if (problem != nullptr && status == LineStatus::kUnfinished) {
    // The line was being written when the run was killed.
    --result_.line;
    return end_by_source() || end_partial();
  }
  return problem != nullptr ? end_corrupt(problem) : take_record();
}

bool RecordingReader::Reading::take_first_line(const char* problem, LineStatus status,
                                               std::string_view line) {
  if (problem == nullptr && record_.kind == LineKind::kHeader && parser_.schema()) {
    if (*parser_.schema() == kRecordingSchema) {
      return false;
    }
    return end(ReadState::kOtherSchema,
               fmt::format("{} has recording schema {}; this program reads schema {}", name_,
                           *parser_.schema(), kRecordingSchema));
  }
  const bool cut = status == LineStatus::kUnfinished;
  if (problem != nullptr && may_be_header(line, cut)) {
    return cut ? false : end_corrupt(problem);
  }
  return end(ReadState::kNotARecording, not_a_recording(name_));
}

bool RecordingReader::Reading::take_record() {
  if (record_.kind == LineKind::kHeader) {
    if (result_.line != 1) {
      return end_corrupt("it is a second header");
    }
  } else if (record_.t_us < result_.t_us) {
    return end_corrupt("its time is before that of the line above it");
  } else {
    result_.t_us = record_.t_us;
  }
  result_.records += is_counted(record_.kind) ? 1 : 0;
  if (record_.kind == LineKind::kEndOfRun && take_end_of_run()) {
    return true;
  }
  return take_check();
}

bool RecordingReader::Reading::take_end_of_run() {
  complete_ = true;
  result_.hash = parser_.hash();
  if (parser_.records() != result_.records) {
    return end_corrupt(fmt::format("it says that the run has {} records, but {} are here",
                                   parser_.records().value_or(0), result_.records));
  }
  return false;
}

bool RecordingReader::Reading::take_check() {
  // Any line that has a check is held against it: what says which must have one may be damaged.
  const auto parts = split_check(record_.text);
  if (!parts) {
    check_.add(record_.text);
    const bool must_have =
        record_.kind == LineKind::kSnapshot || record_.kind == LineKind::kEndOfRun;
    return must_have && end_corrupt("it does not end with a check of the lines above it");
  }
  check_.add(parts->open);
  if (check_.text() != parts->check) {
    return end_corrupt(
        fmt::format("its check does not match: a line from {} to {} is not as it was written",
                    vouched_line_ + 1, result_.line));
  }
  vouched_line_ = result_.line;
  return false;
}

bool RecordingReader::Reading::end(ReadState state, std::string message) {
  result_.state = state;
  result_.message = std::move(message);
  return true;
}

bool RecordingReader::Reading::end_corrupt(std::string_view what) {
  return end(ReadState::kCorrupt,
             fmt::format("{} is corrupt: line {}: {}", name_, result_.line, what));
}

bool RecordingReader::Reading::end_partial() {
  if (complete_) {
    return end(ReadState::kComplete);
  }
  if (result_.line == 0) {
    // Without its header nothing in it can be read; one that grows may get it yet.
    return end(grows_ ? ReadState::kPartial : ReadState::kNoHeader,
               fmt::format("{} ends within its header: nothing of its run is in it", name_));
  }
  return end(ReadState::kPartial,
             fmt::format("{} is partial: it ends after line {}, {} us into the run, without the "
                         "end of the run",
                         name_, result_.line, result_.t_us));
}

bool RecordingReader::Reading::end_by_source() {
  switch (lines_.source_status()) {
    case TextSource::Status::kUnreadable:
      return end(ReadState::kUnreadable,
                 fmt::format("cannot read {}: {}", name_, lines_.problem()));
    case TextSource::Status::kDamaged:
      return end(ReadState::kCorrupt,
                 fmt::format("{} is corrupt: {} it cannot be decompressed: {}", name_,
                             result_.line == 0 ? std::string("from its beginning")
                                               : fmt::format("after line {}", result_.line),
                             lines_.problem()));
    case TextSource::Status::kEnd:
    case TextSource::Status::kCut:
    case TextSource::Status::kMore:
      break;
  }
  return false;
}

RecordingReader::RecordingReader(std::unique_ptr<RawBytes> bytes, std::string name, bool grows)
    : reading_(std::make_unique<Reading>(std::move(bytes), std::move(name), grows)) {}

RecordingReader::~RecordingReader() = default;

const Record* RecordingReader::next() { return reading_->next(); }

const ReadResult& RecordingReader::result() const { return reading_->result(); }

bool RecordingReader::go_on() { return reading_->go_on(); }

std::int64_t RecordingReader::position() const { return reading_->lines().position(); }

bool RecordingReader::compressed() const { return reading_->lines().source().compressed(); }

const std::vector<FrameStart>& RecordingReader::frames() const {
  return reading_->lines().source().frames();
}

std::unique_ptr<RawBytes> open_recording(const std::string& path, ReadResult& result,
                                         std::int64_t from) {
  AFTERSHOCK_ASSERT(from >= 0);
  const auto refuse = [&](ReadState state, const std::string& why) {
    result = {};
    result.state = state;
    result.message = fmt::format("cannot read {}: {}", path, why);
    return std::unique_ptr<RawBytes>();
  };
  auto opened = open_to_read(path);
  if (const auto* problem = std::get_if<FileProblem>(&opened)) {
    const bool missing = problem->number == ENOENT || problem->number == ENOTDIR;
    const bool directory = problem->number == EISDIR;
    return refuse(missing     ? ReadState::kMissing
                  : directory ? ReadState::kDirectory
                              : ReadState::kUnreadable,
                  problem->number == 0 || directory
                      ? "it " + problem->message
                      : std::generic_category().message(problem->number));
  }
  const int file = std::get<int>(opened);
  auto bytes = std::make_unique<FileBytes>(file);
  if (from != 0 && ::lseek(file, from, SEEK_SET) < 0) {
    return refuse(ReadState::kUnreadable, std::generic_category().message(errno));
  }
  return bytes;
}

ReadResult read_recording(std::unique_ptr<RawBytes> bytes, std::string_view name,
                          const RecordCallback& on_record) {
  RecordingReader reader(std::move(bytes), std::string(name));
  while (const Record* record = reader.next()) {
    if (!on_record(*record)) {
      ReadResult stopped = reader.result();
      stopped.state = ReadState::kStopped;
      return stopped;
    }
  }
  return reader.result();
}

ReadResult read_recording(const std::string& path, const RecordCallback& on_record) {
  ReadResult result;
  auto bytes = open_recording(path, result);
  return bytes == nullptr ? result : read_recording(std::move(bytes), path, on_record);
}

}  // namespace aftershock::reports
