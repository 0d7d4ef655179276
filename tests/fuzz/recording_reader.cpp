#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/assert.h"
#include "reports/recording/header.h"
#include "reports/recording/reader.h"
#include "reports/render/why.h"

using namespace aftershock::reports;

// The reader names any bytes, and the story told from them is text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::int64_t lines = 0;
  std::int64_t t_us = 0;
  const ReadResult read = read_recording(
      std::make_unique<MemoryBytes>(bytes), "fuzz.aftershock", [&](const Record& record) {
        AFTERSHOCK_ASSERT(record.line == ++lines);
        AFTERSHOCK_ASSERT(record.kind == LineKind::kHeader || record.t_us >= t_us);
        t_us = record.t_us;
        if (record.kind == LineKind::kHeader) {
          parse_header(record.text);
        }
        return true;
      });
  AFTERSHOCK_ASSERT(read.message.empty() == (read.state == ReadState::kComplete));
  AFTERSHOCK_ASSERT(read.state != ReadState::kComplete || read.hash.size() <= size);

  const WhyResult told = why(std::make_unique<MemoryBytes>(bytes), "fuzz.aftershock", {});
  AFTERSHOCK_ASSERT(told.state == read.state);
  AFTERSHOCK_ASSERT(told.text.empty() || told.problem.empty());
  for (const char c : told.text) {
    AFTERSHOCK_ASSERT(c == '\n' || static_cast<unsigned char>(c) >= ' ');
  }
  return 0;
}
