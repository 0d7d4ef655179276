#include "reports/recording/file_sink.h"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <new>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

namespace aftershock::reports {

namespace {

constexpr std::size_t kPendingBytesMax = std::size_t{1} << 20U;

/// A write to a pipe that nobody reads is an error like any other, not a signal that ends the
/// process. Other threads, and the caller's own handler, see nothing of it.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigemptyset(&pending);
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutPipeSignal() {
    sigset_t pending;
    sigemptyset(&pending);
    sigpending(&pending);
    if (!was_pending_ && sigismember(&pending, SIGPIPE) == 1) {
      const timespec at_once{};
      sigtimedwait(&pipe_, nullptr, &at_once);
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

 private:
  sigset_t pipe_;
  sigset_t before_;
  bool was_pending_ = false;
};

std::string words_for(int error_number) { return std::generic_category().message(error_number); }

}  // namespace

/// A zstd stream whose settings are part of the format: the same lines give the same bytes.
class FileSink::Compressor {
 public:
  Compressor() : context_(ZSTD_createCCtx()), out_(ZSTD_CStreamOutSize(), '\0') {
    if (context_ == nullptr) {
      throw std::bad_alloc();
    }
    ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, 3);
    ZSTD_CCtx_setParameter(context_, ZSTD_c_checksumFlag, 1);
  }
  ~Compressor() { ZSTD_freeCCtx(context_); }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  /// Gives compressed pieces to `write`; returns what went wrong, or null.
  template <typename Write>
  const char* compress(std::string_view text, bool end_of_frame, const Write& write) {
    ZSTD_inBuffer in{text.data(), text.size(), 0};
    for (bool done = false; !done;) {
      ZSTD_outBuffer out{out_.data(), out_.size(), 0};
      const std::size_t left =
          ZSTD_compressStream2(context_, &out, &in, end_of_frame ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left) != 0) {
        return ZSTD_getErrorName(left);
      }
      write(std::string_view(out_.data(), out.pos));
      done = end_of_frame ? left == 0 : in.pos == in.size;
    }
    return nullptr;
  }

 private:
  ZSTD_CCtx* context_;
  std::string out_;
};

FileSink::FileSink(std::string path, Earlier earlier) : path_(std::move(path)) {
  open(earlier);
  if (file_ < 0) {
    fail("create", words_for(errno));
    return;
  }
  pending_.reserve(kPendingBytesMax);
  if (path_.ends_with(".zst")) {
    compressor_ = std::make_unique<Compressor>();
  }
}

FileSink::~FileSink() {
  if (file_ >= 0) {
    pass_on(true);
    close_file();
    settle_part(false);
  }
}

void FileSink::open(Earlier earlier) {
  struct stat there{};
  int how = O_CREAT | O_TRUNC;
  if (earlier == Earlier::kKept) {
    const bool known = ::stat(path_.c_str(), &there) == 0;
    const bool keeps = known && S_ISREG(there.st_mode);
    if (keeps && ::lstat(path_.c_str(), &there) == 0 && S_ISREG(there.st_mode)) {
      part_ = fmt::format("{}.{}.part", path_, ::getpid());
      ::unlink(part_.c_str());  // of a program of this number that was killed, or a link
      how = O_CREAT | O_EXCL | O_NOFOLLOW;
    } else if (keeps || !known) {
      how |= O_NOFOLLOW;  // behind a link may be a file of any kind
    }
  }
  const std::string& name = part_.empty() ? path_ : part_;
  do {
    file_ = ::open(name.c_str(), O_WRONLY | O_CLOEXEC | how, 0666);
  } while (file_ < 0 && errno == EINTR);
}

// A recording that could not be written whole is worth less than the earlier one.
void FileSink::settle_part(bool whole) {
  if (part_.empty()) {
    return;
  }
  if (whole && ::rename(part_.c_str(), path_.c_str()) != 0) {
    fail("replace", words_for(errno));
    whole = false;
  }
  if (!whole) {
    ::unlink(part_.c_str());
  }
  part_.clear();
}

void FileSink::take(std::string_view line) {
  if (file_ < 0 || error_) {
    return;
  }
  pending_ += line;
  pending_ += '\n';
  if (pending_.size() >= kPendingBytesMax) {
    pass_on(false);
  }
}

void FileSink::boundary() {
  if (file_ >= 0) {
    pass_on(true);
  }
}

std::optional<std::string> FileSink::finish() {
  if (file_ >= 0) {
    pass_on(true);
    close_file();
    settle_part(!error_);
  }
  return error_;
}

void FileSink::pass_on(bool end_of_frame) {
  if (!error_ && compressor_ != nullptr) {
    const char* problem = compressor_->compress(
        pending_, end_of_frame, [this](std::string_view bytes) { write_all(bytes); });
    if (problem != nullptr) {
      fail("compress", problem);
    }
  } else if (!error_) {
    write_all(pending_);
  }
  pending_.clear();
}

void FileSink::write_all(std::string_view bytes) {
  while (!bytes.empty() && !error_) {
    const WithoutPipeSignal guard;
    const ssize_t count = ::write(file_, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
      written_bytes_ += count;
    } else if (errno != EINTR) {
      fail("write", words_for(errno));
    }
  }
}

void FileSink::close_file() {
  // A network file system may say only now that the disk is full. The descriptor is gone on Linux
  // whatever it says.
  if (::close(std::exchange(file_, -1)) != 0 && errno != EINTR) {
    fail("close", words_for(errno));
  }
}

void FileSink::fail(std::string_view doing, const std::string& why) {
  if (error_) {
    return;
  }
  error_ = fmt::format("cannot {} the recording {}: {}", doing, path_, why);
  if (!part_.empty()) {
    *error_ += " (the earlier one is as it was)";
  } else if (written_bytes_ > 0) {
    *error_ += fmt::format(" (the file ends after {} bytes)", written_bytes_);
  }
}

}  // namespace aftershock::reports
