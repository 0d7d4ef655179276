#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gui/trace/batch.h"
#include "gui/trace/kind.h"
#include "gui/trace/text_table.h"
#include "reports/recording/record.h"

namespace aftershock::gui {

/// Fills batches, in the thread that reads: finds out there what a record is and what it is about,
/// so that whoever keeps them has little to do. One packer for all batches of a recording.
class Packer {
 public:
  /// Puts what the trace needs of the next line into the batch that is being filled.
  void add(Batch& batch, const reports::Record& record);
  /// So much memory has been put into it.
  [[nodiscard]] std::size_t bytes(const Batch& batch) const;
  /// Finishes the batch: numbers the names in it.
  void finish(Batch& batch);
  /// Forgets what has been added to a batch that will not be finished.
  void drop(Batch& batch);

 private:
  /// A name that a record, or several in a row, are about.
  struct Mention {
    std::uint64_t hash = 0;
    std::size_t at = 0;
    std::size_t size = 0;
    std::uint32_t number = 0;
  };
  struct KnownWord {
    std::string what;
    Kind kind = Kind::kOther;
  };

  std::uint32_t mention(std::string_view name);
  [[nodiscard]] std::string_view text_of(const Mention& mention) const {
    return std::string_view(mentioned_).substr(mention.at, mention.size);
  }
  Kind span_kind(std::string_view what);

  TextTable names_;
  std::vector<Mention> mentions_;    ///< of this batch
  std::string mentioned_;            ///< their names
  std::array<KnownWord, 64> words_;  ///< most spans have one of a few
};

}  // namespace aftershock::gui
