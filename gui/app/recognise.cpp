#include "gui/app/recognise.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "reports/recording/reader.h"

namespace aftershock::gui {

namespace {

constexpr std::size_t kBeginning = std::size_t{64} << 10U;

/// Bytes that a format begins with, and what to say of it.
struct Magic {
  std::string_view bytes;
  const char* what;
};

constexpr std::string_view operator""_bytes(const char* text, std::size_t size) {
  return {text, size};
}

constexpr std::array kMagics{
    Magic{"\x89PNG"_bytes, "a picture"},
    Magic{"\xff\xd8\xff"_bytes, "a picture"},
    Magic{"GIF8"_bytes, "a picture"},
    Magic{"<svg"_bytes, "a picture"},
    Magic{"%PDF"_bytes, "a PDF document"},
    Magic{"\x1f\x8b"_bytes, "compressed with gzip; recordings are plain or compressed with zstd"},
    Magic{"PK\x03\x04"_bytes, "a zip archive"},
    Magic{"BZh"_bytes, "compressed with bzip2; recordings are plain or compressed with zstd"},
    Magic{"\xfd"
          "7zXZ"_bytes,
          "compressed with xz; recordings are plain or compressed with zstd"},
    Magic{"\x28\xb5\x2f\xfd"_bytes, "compressed with zstd, but its content is not a recording"},
    Magic{"\x7f"
          "ELF"_bytes,
          "a program"},
    Magic{"SQLite format 3"_bytes,
          "a database; it holds the results of many runs, not a recording"},
};

std::string beginning_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kBeginning, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::string_view skip_space(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  return text.substr(at == text.npos ? text.size() : at);
}

/// JSON is told by its members' names; null: it is a scenario.
const char* other_json(std::string_view text) {
  const auto has = [&](std::string_view member) { return text.find(member) != text.npos; };
  if (has("\"traceEvents\"") || (has("\"ph\"") && has("\"ts\""))) {
    return "a Chrome trace; ui.perfetto.dev shows it";
  }
  if (has("json-schema.org")) {
    return "a JSON Schema";
  }
  if (has("\"verdict\"") && has("\"hash\"")) {
    return "the summary of a run, not its recording; `aftershock run --record FILE.aftershock` "
           "writes one";
  }
  if (has("\"revision\"") && has("\"runs\"")) {
    return "where the viewer keeps notes and views; open the recording beside it";
  }
  for (const std::string_view member :
       {"\"jobs\"", "\"cluster\"", "\"experiments\"", "\"extends\"", "\"faults\""}) {
    if (has(member)) {
      return nullptr;
    }
  }
  return "JSON, but neither a recording nor a scenario";
}

bool is_text(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\r' && c != '\t') {
      return false;
    }
  }
  return true;
}

/// The kind of a file that cannot be a recording; null: a scenario.
const char* what_else(std::string_view text) {
  for (const Magic& magic : kMagics) {
    if (text.starts_with(magic.bytes)) {
      return magic.what;
    }
  }
  const std::string_view start = skip_space(text);
  if (start.starts_with("{") || start.starts_with("[")) {
    return other_json(text);
  }
  // A Perfetto trace is a protobuf of packets, which are field 1.
  if (text.starts_with("\x0a") && !is_text(text)) {
    return "perhaps a Perfetto trace; ui.perfetto.dev shows those";
  }
  return is_text(text) ? "text, but neither a recording nor a scenario"
                       : "neither a recording nor a scenario";
}

}  // namespace

Recognised recognise_file(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_fifo(status) || std::filesystem::is_socket(status)) {
    // It would be waited for, and cannot be read a second time.
    return {.use = FileUse::kNeither, .problem = path + ": is a pipe; save what comes out of it"};
  }
  const reports::ReadResult read =
      reports::read_recording(path, [](const reports::Record&) { return false; });
  // The writer may not have come further yet: the viewer can follow it.
  if (read.readable() || read.state == reports::ReadState::kNoHeader) {
    return {.use = FileUse::kRecording, .problem = {}};
  }
  if (read.state != reports::ReadState::kNotARecording) {
    return {.use = FileUse::kNeither, .problem = read.message};
  }
  const char* what = what_else(beginning_of(path));
  if (what == nullptr) {
    return {.use = FileUse::kScenario, .problem = {}};
  }
  return {.use = FileUse::kNeither, .problem = path + ": is " + what};
}

}  // namespace aftershock::gui
