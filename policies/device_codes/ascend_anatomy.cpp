#include "policies/device_codes/ascend_anatomy.h"

#include <algorithm>
#include <array>

namespace aftershock::policies {
namespace {

struct Word {
  std::string_view digits;
  std::string_view word;
};

constexpr std::array<Word, 24> kModules{{
    {"80AD", "GIC"},
    {"80B9", "PCIe"},
    {"80BB", "RoCE"},
    {"80BD", "NIC"},
    {"80C9", "AIC"},
    {"80CB", "AIV"},
    {"80CF", "SDMA"},
    {"80D5", "JPEGE"},
    {"80D9", "VDEC"},
    {"80DB", "VENC"},
    {"80DD", "VPC"},
    {"80DE", "DDR"},
    {"80DF", "DDR"},
    {"80E0", "HBM"},
    {"80E1", "HBM controller"},
    {"80E2", "low-power manager"},
    {"80E3", "low-power manager"},
    {"80F7", "task scheduler"},
    {"8107", "PORT"},
    {"8131", "DSA"},
    {"819B", "HCCS"},
    {"81AB", "RoH"},
    {"81AF", "UB"},
    {"81B1", "UB"},
}};

constexpr std::array<Word, 17> kKinds{{
    {"1801", "memory-cell multi-bit ECC"},
    {"4E00", "heartbeat lost"},
    {"8000", "module error"},
    {"8001", "reset failed"},
    {"8002", "external input error"},
    {"8003", "software configuration"},
    {"8004", "software configuration"},
    {"8005", "parity"},
    {"8006", "spare"},
    {"8007", "single-bit ECC"},
    {"8008", "multi-bit ECC"},
    {"8009", "bus access"},
    {"800A", "time-out"},
    {"800D", "port fault"},
    {"8603", "link down"},
    {"8605", "partial lanes"},
    {"A005", "resource release failed"},
}};

template <std::size_t kSize>
std::string_view look_up(const std::array<Word, kSize>& words, std::string_view digits) {
  const auto found = std::find_if(words.begin(), words.end(),
                                  [&](const Word& word) { return word.digits == digits; });
  return found == words.end() ? std::string_view{} : found->word;
}

constexpr std::size_t kDigits = 8;

bool is_runtime(std::string_view code) { return code.starts_with('A') || code.starts_with('B'); }
bool is_board(std::string_view code) {
  return code.starts_with("8F18") || code.starts_with("8F19");
}

}  // namespace

std::string_view ascend_module(std::string_view code) {
  if (code.size() != kDigits) return {};
  if (code.starts_with("8C")) return "PROCESS";
  if (is_runtime(code)) return "runtime";
  if (is_board(code)) return "PCIe/board";
  return look_up(kModules, code.substr(0, 4));
}

std::string_view ascend_kind(std::string_view code) {
  if (code.size() != kDigits || is_runtime(code) || is_board(code)) return {};
  if (!code.starts_with('8') && !code.starts_with('4')) return {};
  const std::string_view lower = code.substr(4);
  if (lower.starts_with("020")) return "temperature";
  const bool memory = code.starts_with("80E0") || code.starts_with("80E1");
  if (memory && lower.starts_with("840")) return "row-isolation counter";
  return look_up(kKinds, lower);
}

DeviceSubject ascend_subject(std::string_view code) {
  const bool port = code.size() == kDigits && code.starts_with("8107");
  return port ? DeviceSubject::kNetworkPort : DeviceSubject::kChip;
}

}  // namespace aftershock::policies
