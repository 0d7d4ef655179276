#pragma once

#include <string>

#include "reports/recording/header.h"

namespace aftershock::gui::testing {

/// Two racks of two nodes. The first rack is cut off from 16 s to 32 s, its second node alone from
/// 24 s to 40 s, and the second rack for a microsecond at 48 s. A node of the second rack is down
/// from 8 s on. The run ends at 64 s.
inline std::string sample_cuts() {
  reports::RecordingHeader header;
  header.entities = {{"head", "", 0, 1, "head-0", 0, 0, ""},
                     {"node", "gpu", 0, 4, "gpu-%d", 2, 0, "gpu"}};
  header.policies = {{"ray@1", {}, {}, {}}};
  header.jobs = {{"llm", "ray@1", 8, 8, "gpu", {}, 0}};
  const auto cut = [](const char* t_us, const char* number, const char* target) {
    return std::string(R"({"t":)") + t_us + R"(,"r":"fault","on":"run","number":)" + number +
           R"(,"id":"f)" + number + R"(","target":")" + target +
           R"(","kind":"partition","what":"partition","outcome":"fired"})" + "\n";
  };
  const auto heal = [](const char* t_us, const char* number) {
    return std::string(R"({"t":)") + t_us +
           R"(,"r":"instant","on":"run","what":"partition_healed","fault":)" + number + "}\n";
  };
  return reports::header_line(header) + "\n" +
         R"({"t":8000000,"r":"begin","on":"node:gpu-3","id":1,"what":"down"}
)" + cut("16000000", "0", "rack:gpu/0") +
         cut("24000000", "1", "node:gpu-1") + heal("32000000", "0") + heal("40000000", "1") +
         cut("48000000", "2", "rack:gpu/1") + heal("48000001", "2") +
         R"({"t":64000000,"r":"instant","on":"job:llm","what":"ended"}
)";
}

}  // namespace aftershock::gui::testing
