#include "reports/html/markup.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "reports/render/format.h"

namespace aftershock::reports {

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : printable(text, true)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string name_markup(std::string_view name) {
  std::string out = "<code>";
  for (const char c : html_text(name)) {
    out += c;
    out += c == '.' || c == '_' ? "<wbr>" : "";
  }
  return out + "</code>";
}

std::string script_json(std::string_view json) {
  // Outside of texts JSON has none of these characters.
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    const std::string_view three = json.substr(i, 3);
    if (c == '<' || c == '>' || c == '&') {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else if (three == "\u2028" || three == "\u2029") {
      out += three == "\u2028" ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += c;
    }
  }
  return out;
}

std::string shell_words(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    out += (out.empty() ? "" : " ") + shell_word(word);
  }
  return out;
}

void Html::element(std::string_view tag, std::string_view text, std::string_view attributes) {
  out_ += fmt::format("<{}{}{}>{}</{}>\n", tag, attributes.empty() ? "" : " ", attributes,
                      html_text(text), tag);
}

void Html::command(const std::vector<std::string>& words) {
  out_ +=
      fmt::format("<pre class=\"command\"><code>{}</code></pre>\n", html_text(shell_words(words)));
}

void Html::section(std::string_view id, std::string_view heading) {
  out_ += fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-heading\">\n"
      "<h2 id=\"{0}-heading\">{1}</h2>\n",
      id, html_text(heading));
}

void HtmlTable::write(Html& html) const {
  // A table wider than the page can be scrolled, with the keyboard, too.
  html.raw(fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n",
                       html_text(caption)));
  html.raw("<table");
  if (!id.empty()) {
    html.raw(fmt::format(" id=\"{}\"", id));
  }
  html.raw(sortable ? " data-sortable>\n" : ">\n");
  html.element("caption", caption);
  html.raw("<thead><tr>");
  for (const Column& column : columns) {
    html.element("th", column.name, column.number ? "scope=\"col\" class=\"n\"" : "scope=\"col\"");
  }
  html.raw("</tr></thead>\n<tbody>\n");
  for (const Row& row : rows) {
    AFTERSHOCK_ASSERT(row.cells.size() == columns.size());
    html.raw("<tr");
    for (const auto& [facet, word] : row.facets) {
      html.raw(fmt::format(" data-{}=\"{}\"", facet, html_text(word)));
    }
    html.raw(">");
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const HtmlCell& cell = row.cells[i];
      html.raw(i == 0 ? "<th scope=\"row\"" : "<td");
      html.raw(columns[i].number ? " class=\"n\"" : "");
      html.raw(cell.sort ? fmt::format(" data-sort=\"{}\">", *cell.sort) : std::string(">"));
      html.raw(cell.markup.empty() ? html_text(cell.text) : cell.markup);
      html.raw(i == 0 ? "</th>" : "</td>");
    }
    html.raw("</tr>\n");
  }
  html.raw("</tbody></table></div>\n");
}

void HtmlFilter::write(Html& html) const {
  html.raw(
      fmt::format("<form class=\"filter\" data-filter=\"{}\" data-what=\"{}\" role=\"search\" "
                  "aria-label=\"Filter {}\" hidden>\n",
                  table, what, what));
  html.raw("<label>Contains <input type=\"search\" name=\"text\" autocomplete=\"off\"></label>\n");
  for (const Choice& choice : choices) {
    html.raw(fmt::format("<label>{} <select name=\"{}\"><option value=\"\">all</option>",
                         html_text(choice.label), choice.facet));
    for (const std::string& word : choice.words) {
      html.raw(fmt::format("<option value=\"{0}\">{0}</option>", html_text(word)));
    }
    html.raw("</select></label>\n");
  }
  html.raw(
      "<button type=\"reset\">Show all</button>\n<output aria-live=\"polite\"></output>\n"
      "</form>\n");
}

}  // namespace aftershock::reports
