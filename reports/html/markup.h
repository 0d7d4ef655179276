#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Markup from text that may hold anything: names in a scenario are whatever somebody typed.
namespace aftershock::reports {

/// Text as it stands between tags and in quoted attributes: the five characters that mean something
/// there are references, control characters become '?', what is not UTF-8 becomes U+FFFD.
std::string html_text(std::string_view text);

/// A name in the type of programs, as markup; it may be broken behind a full stop or an underscore.
std::string name_markup(std::string_view name);

/// JSON as it stands within a script element: no '<', '>', '&', U+2028 or U+2029 is left, so that
/// nothing ends the element; a JSON parser reads the same.
std::string script_json(std::string_view json);

/// Words as a shell takes them, each in quotes where it needs some.
std::string shell_words(const std::vector<std::string>& words);

/// Markup that is being written.
class Html {
 public:
  /// Markup of ours, as it is.
  void raw(std::string_view markup) { out_ += markup; }
  /// Text of anybody.
  void text(std::string_view text) { out_ += html_text(text); }
  /// An element with nothing but text in it; `attributes` are ours.
  void element(std::string_view tag, std::string_view text, std::string_view attributes = {});
  /// A command to copy.
  void command(const std::vector<std::string>& words);
  /// Begins a part of the page with its heading; closed by `end_section`.
  void section(std::string_view id, std::string_view heading);
  /// Ends the part that was begun last.
  void end_section() { raw("</section>\n"); }

  /// All of it.
  [[nodiscard]] const std::string& markup() const { return out_; }

 private:
  std::string out_;
};

/// One cell of a table.
struct HtmlCell {
  std::string text = {};
  std::string markup = {};          ///< in place of the text: ours, with what is not ours escaped
  std::optional<double> sort = {};  ///< the key that it is sorted by in place of its text
};

/// A table with a caption. Where it is `sortable` the page's script makes buttons of its headings.
struct HtmlTable {
  /// One column; numbers stand to the right.
  struct Column {
    std::string name;
    bool number = false;
  };
  /// A row: as many cells as columns, the first names it.
  struct Row {
    std::vector<HtmlCell> cells;
    /// Attributes of the row: what a filter looks at, "kind", and its word.
    std::vector<std::pair<std::string, std::string>> facets = {};
  };

  std::string id;       ///< of ours; empty: none
  std::string caption;  ///< text
  std::vector<Column> columns;
  std::vector<Row> rows;
  bool sortable = false;

  /// Writes it, within what scrolls where it is too wide.
  void write(Html& html) const;
};

/// The controls that filter a table: a field for text, and lists of words to choose from.
struct HtmlFilter {
  /// A list: which facet of rows, and its label.
  struct Choice {
    std::string facet;
    std::string label;
    std::vector<std::string> words;
  };
  std::string table;  ///< its id
  std::string what;   ///< the name of its rows, in the plural: "faults"
  std::vector<Choice> choices;

  /// Writes it; hidden until the page's script is there to serve it.
  void write(Html& html) const;
};

}  // namespace aftershock::reports
