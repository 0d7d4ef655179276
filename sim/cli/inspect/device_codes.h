#pragma once

#include <string>

#include "sim/cli/output_format.h"

// `aftershock faults` for the codes of devices.
namespace aftershock::sim::cli {

/// Which codes to list, as the user wrote it.
struct CodeListing {
  std::string family;      ///< "ascend" or "xid"
  std::string level;       ///< empty: all
  std::string cause;       ///< empty: all; of Xids a class of action
  bool important = false;  ///< only codes of which more is told than which list they stand in
  OutputFormat format;
};

/// Whether a word names a family of codes.
bool is_code_family(const std::string& word);

/// Prints the codes asked for; the exit code.
int list_codes(const CodeListing& listing);

/// Prints one code with all that is known of it, and where that is from; the exit code.
int show_code(const std::string& text, bool json);

}  // namespace aftershock::sim::cli
