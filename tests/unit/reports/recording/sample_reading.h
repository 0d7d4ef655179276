#pragma once

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <zstd.h>

#include "reports/recording/line_check.h"
#include "reports/recording/memory_sink.h"
#include "reports/recording/reader.h"
#include "tests/unit/reports/sample_recording.h"

namespace aftershock::reports::testing {

inline std::string sample_text() {
  MemorySink sink;
  write_sample(sink);
  return sink.text();
}

inline std::string packed(const std::string& text) {
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), 3));
  return bytes;
}

inline ReadResult read_bytes(const std::string& bytes, std::vector<std::string>* lines = nullptr) {
  return read_recording(std::make_unique<MemoryBytes>(bytes), "x.aftershock",
                        [lines](const Record& record) {
                          if (lines != nullptr) {
                            lines->emplace_back(record.text);
                          }
                          return true;
                        });
}

/// The text with the checks that its lines ask for: what somebody would have written.
inline std::string resealed(const std::string& text) {
  MemorySink sink;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (const auto parts = split_check(line)) {
      JsonWriter json;
      json.open_object();
      json.members(parts->open.substr(1));
      sink.checked_line(json);
    } else {
      sink.line(line);
    }
  }
  return sink.text();
}

/// The sample with line `number` (from 1) replaced.
inline std::string with_line(int number, const std::string& replacement) {
  std::string text = sample_text();
  std::size_t begin = 0;
  for (int i = 1; i < number; ++i) {
    begin = text.find('\n', begin) + 1;
  }
  return text.replace(begin, text.find('\n', begin) - begin, replacement);
}

}  // namespace aftershock::reports::testing
