#include "gui/trace/loader.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <span>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "gui/trace/batch.h"
#include "gui/trace/packer.h"
#include "gui/trace/trace_builder.h"

namespace aftershock::gui {

namespace {

using reports::RawBytes;
using reports::ReadResult;
using reports::ReadState;
using reports::RecordingReader;

/// Several batches fit into a processor's cache.
constexpr std::size_t kBatchBytes = std::size_t{1} << 19U;
/// So many batches may wait: enough that neither side waits for long.
constexpr std::size_t kBatchesAhead = 4;

/// Counts what is read, for those who show progress.
class CountedBytes final : public RawBytes {
 public:
  CountedBytes(std::unique_ptr<RawBytes> bytes, std::atomic<std::int64_t>& count)
      : bytes_(std::move(bytes)), count_(&count) {}
  std::ptrdiff_t read(std::span<char> to) override {
    const std::ptrdiff_t got = bytes_->read(to);
    count_->fetch_add(std::max<std::ptrdiff_t>(0, got), std::memory_order_relaxed);
    return got;
  }

 private:
  std::unique_ptr<RawBytes> bytes_;
  std::atomic<std::int64_t>* count_;
};

/// The identity of a file, against another one of its name.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  std::int64_t bytes = 0;
  bool there = false;
};

FileIdentity identity_of(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    return {};
  }
  return {status.st_dev, status.st_ino, status.st_size, true};
}

}  // namespace

class Loader::Work {
 public:
  Work(Trace& trace, std::string path, bool grows)
      : trace_(&trace), builder_(trace), name_(std::move(path)), grows_(grows) {
    open();
  }
  Work(Trace& trace, std::unique_ptr<RawBytes> bytes, std::string name)
      : trace_(&trace), builder_(trace), name_(std::move(name)) {
    begin(std::move(bytes));
  }

  bool wait();
  void take();
  void seal() { builder_.seal(); }
  Growth go_on();

  [[nodiscard]] std::int64_t read_bytes() const { return read_bytes_; }
  [[nodiscard]] std::int64_t file_bytes() const { return file_bytes_; }

 private:
  void open();
  void begin(std::unique_ptr<RawBytes> bytes);
  void start();
  /// In the thread that reads.
  void read_ahead(const std::stop_token& stop);
  void fill(Batch& batch);
  bool send(Batch batch, const std::stop_token& stop);
  Batch spare();

  Trace* trace_;
  TraceBuilder builder_;
  std::string name_;
  bool grows_ = false;
  FileIdentity file_;
  std::atomic<std::int64_t> read_bytes_ = 0;
  std::atomic<std::int64_t> file_bytes_ = 0;
  std::unique_ptr<RecordingReader> reader_;
  Packer packer_;
  std::int64_t marked_lines_ = 0;  ///< marks made so far
  std::ptrdiff_t sent_frames_ = 0;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Batch> ready_;
  std::vector<Batch> spare_;
  Batch taken_;
  bool over_ = false;
  std::jthread thread_;  ///< last, so that it is gone before what it uses
};

void Loader::Work::open() {
  file_ = identity_of(name_);
  file_bytes_ = file_.bytes;
  read_bytes_ = 0;
  ReadResult refused;
  auto bytes = reports::open_recording(name_, refused);
  if (bytes == nullptr) {
    Batch last;
    last.end = refused;
    ready_.push_back(std::move(last));
    return;
  }
  begin(std::move(bytes));
}

void Loader::Work::begin(std::unique_ptr<RawBytes> bytes) {
  auto counted = std::make_unique<CountedBytes>(std::move(bytes), read_bytes_);
  reader_ = std::make_unique<RecordingReader>(std::move(counted), name_, grows_);
  start();
}

void Loader::Work::start() {
  thread_ = std::jthread([this](const std::stop_token& stop) { read_ahead(stop); });
}

void Loader::Work::read_ahead(const std::stop_token& stop) {
  for (bool more = true; more;) {
    Batch batch = spare();
    try {
      fill(batch);
    } catch (const std::bad_alloc&) {
      packer_.drop(batch);
      batch.end = reader_->result();
      batch.end->state = ReadState::kUnreadable;
      batch.end->message = "cannot read " + name_ + ": out of memory";
    }
    more = !batch.end;
    more = send(std::move(batch), stop) && more;
  }
}

void Loader::Work::fill(Batch& batch) {
  while (packer_.bytes(batch) < kBatchBytes) {
    if (reader_->result().line == marked_lines_ * kLinesPerMark) {
      batch.line_marks.push_back(reader_->position());
      ++marked_lines_;
    }
    const reports::Record* record = reader_->next();
    if (record == nullptr) {
      batch.end = reader_->result();
      break;
    }
    packer_.add(batch, *record);
  }
  packer_.finish(batch);
  batch.compressed = reader_->compressed();
  const auto& frames = reader_->frames();
  batch.frames.assign(frames.begin() + sent_frames_, frames.end());
  sent_frames_ = static_cast<std::ptrdiff_t>(frames.size());
}

bool Loader::Work::send(Batch batch, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const bool room = changed_.wait(lock, stop, [this] { return ready_.size() < kBatchesAhead; });
  if (room) {
    ready_.push_back(std::move(batch));
    changed_.notify_all();
  }
  return room;
}

Batch Loader::Work::spare() {
  const std::scoped_lock lock(mutex_);
  if (spare_.empty()) {
    return {};
  }
  Batch batch = std::move(spare_.back());
  spare_.pop_back();
  return batch;
}

bool Loader::Work::wait() {
  if (over_) {
    return false;
  }
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !ready_.empty(); });
  return true;
}

void Loader::Work::take() {
  {
    const std::scoped_lock lock(mutex_);
    if (ready_.empty()) {
      return;
    }
    taken_ = std::move(ready_.front());
    ready_.pop_front();
    changed_.notify_all();
  }
  builder_.add(taken_);
  trace_->line_marks.insert(trace_->line_marks.end(), taken_.line_marks.begin(),
                            taken_.line_marks.end());
  trace_->frames.insert(trace_->frames.end(), taken_.frames.begin(), taken_.frames.end());
  trace_->compressed = taken_.compressed;
  if (taken_.size() > 0) {
    trace_->end.line = taken_.record(taken_.size() - 1).line;
  }
  if (taken_.end) {
    over_ = true;
    trace_->end = *std::move(taken_.end);
    trace_->reading = false;
    builder_.seal();
  }
  taken_.clear();
  const std::scoped_lock lock(mutex_);
  spare_.push_back(std::move(taken_));
  taken_ = {};
}

Loader::Growth Loader::Work::go_on() {
  if (!over_ || !grows_) {
    return Growth::kNothing;
  }
  if (thread_.joinable()) {
    thread_.join();
  }
  const FileIdentity now = identity_of(name_);
  const bool same = now.there && now.device == file_.device && now.inode == file_.inode;
  if (file_.there && (!same || now.bytes < read_bytes_)) {
    return Growth::kReplaced;
  }
  if (!now.there || now.bytes == read_bytes_) {
    return Growth::kNothing;
  }
  const bool begun = trace_->end.line > 0;
  if (begun && !reader_->go_on()) {
    return Growth::kNothing;
  }
  over_ = false;
  trace_->reading = true;
  if (begun) {
    file_bytes_ = now.bytes;
    start();
  } else {
    // No line was whole: what the file is shows only now.
    marked_lines_ = 0;
    sent_frames_ = 0;
    trace_->line_marks.clear();
    trace_->frames.clear();
    open();
  }
  return Growth::kMore;
}

Loader::Loader(Trace& trace, std::string path, bool grows)
    : work_(std::make_unique<Work>(trace, std::move(path), grows)) {}

Loader::Loader(Trace& trace, std::unique_ptr<reports::RawBytes> bytes, std::string name)
    : work_(std::make_unique<Work>(trace, std::move(bytes), std::move(name))) {}

Loader::~Loader() = default;

bool Loader::wait() { return work_->wait(); }

void Loader::take() { work_->take(); }

void Loader::seal() { work_->seal(); }

Loader::Growth Loader::go_on() { return work_->go_on(); }

std::int64_t Loader::read_bytes() const { return work_->read_bytes(); }

std::int64_t Loader::file_bytes() const { return work_->file_bytes(); }

void load(Trace& trace, const std::string& path, const LoadOptions& options) {
  Loader loader(trace, path);
  while (loader.wait()) {
    loader.take();
    if (options.progress && !options.progress(loader.read_bytes(), loader.file_bytes())) {
      loader.seal();
      trace.end.state = reports::ReadState::kStopped;
      trace.end.t_us = trace.last_us;
      trace.reading = false;
      return;
    }
  }
}

}  // namespace aftershock::gui
