#include "gui/trace/text_table.h"

#include <cstring>

namespace aftershock::gui {

namespace {

std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32U); }

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a ^ 0x9e3779b97f4a7c15U} * (b ^ 0xbf58476d1ce4e5b9U);
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

/// Eight characters, or how many there are. Not the same on all machines: no order hangs on it.
std::uint64_t word_at(const char* text, std::size_t count = sizeof(std::uint64_t)) {
  std::uint64_t word = 0;
  std::memcpy(&word, text, count);
  return word;
}

}  // namespace

std::uint64_t TextTable::hash_of(std::string_view text) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  std::uint64_t hash = text.size();
  if (text.size() < kWord) {
    return mixed(hash, text.empty() ? 0 : word_at(text.data(), text.size()));
  }
  // The last words overlap those before them: no loop over single characters.
  const char* last = text.data() + text.size() - kWord;
  for (const char* at = text.data(); at < last; at += kWord) {
    hash = mixed(hash, word_at(at));
  }
  return mixed(hash, word_at(last));
}

void TextTable::prefetch(std::uint64_t hash) const {
  if (!slots_.empty()) {
    __builtin_prefetch(&slots_[static_cast<std::size_t>(hash) & (slots_.size() - 1)]);
  }
}

TextId TextTable::guess(std::uint64_t hash) const {
  if (slots_.empty()) {
    return kNoText;
  }
  const Slot& slot = slots_[static_cast<std::size_t>(hash) & (slots_.size() - 1)];
  if (slot.id == kNoText || slot.tag != tag_of(hash)) {
    return kNoText;
  }
  __builtin_prefetch(&begins_[slot.id]);
  return slot.id;
}

std::string_view TextTable::operator[](TextId id) const {
  if (id >= begins_.size()) {
    return {};
  }
  const std::size_t begin = begins_[id];
  const std::size_t end = id + 1U < begins_.size() ? begins_[id + 1U] : bytes_.size();
  return std::string_view(bytes_).substr(begin, end - begin);
}

std::optional<TextId> TextTable::find(std::string_view text) const {
  if (slots_.empty()) {
    return std::nullopt;
  }
  const TextId id = slots_[slot_of(text, hash_of(text))].id;
  return id == kNoText ? std::nullopt : std::optional(id);
}

TextId TextTable::add(std::string_view text, std::uint64_t hash) {
  if (2 * (begins_.size() + 1) > slots_.size()) {
    grow();
  }
  Slot& slot = slots_[slot_of(text, hash)];
  if (slot.id == kNoText) {
    slot = {tag_of(hash), static_cast<TextId>(begins_.size())};
    begins_.push_back(bytes_.size());
    bytes_ += text;
  }
  return slot.id;
}

std::size_t TextTable::slot_of(std::string_view text, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = static_cast<std::size_t>(hash) & mask;
  while (slots_[at].id != kNoText &&
         (slots_[at].tag != tag_of(hash) || (*this)[slots_[at].id] != text)) {
    at = (at + 1) & mask;
  }
  return at;
}

void TextTable::grow() {
  constexpr std::size_t kFirst = 64;
  slots_.assign(slots_.empty() ? kFirst : 2 * slots_.size(), Slot{});
  for (std::size_t id = 0; id < begins_.size(); ++id) {
    const std::string_view text = (*this)[static_cast<TextId>(id)];
    const std::uint64_t hash = hash_of(text);
    slots_[slot_of(text, hash)] = {tag_of(hash), static_cast<TextId>(id)};
  }
}

}  // namespace aftershock::gui
