#include "policies/api/issue.h"

namespace aftershock::policies {

std::string pointer_to(std::string_view pointer, std::string_view member) {
  std::string text(pointer);
  text += '/';
  for (const char letter : member) {
    if (letter == '~') {
      text += "~0";
    } else if (letter == '/') {
      text += "~1";
    } else {
      text += letter;
    }
  }
  return text;
}

std::string describe_without_place(const Issue& issue) {
  std::string line = issue.message;
  if (!issue.expected.empty()) {
    line += "; expected ";
    line += issue.expected;
  }
  if (!issue.nearest.empty()) {
    line += "; did you mean \"";
    line += issue.nearest;
    line += "\"?";
  }
  return line;
}

std::string describe(const Issue& issue) {
  return (issue.pointer.empty() ? std::string("(whole document)") : issue.pointer) + ": " +
         describe_without_place(issue);
}

}  // namespace aftershock::policies
