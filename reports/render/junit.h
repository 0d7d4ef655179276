#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aftershock::reports {

/// A text within an XML element or a quoted attribute. Characters that XML 1.0 cannot hold (control
/// characters, invalid UTF-8) become U+FFFD.
std::string xml_text(std::string_view text);

/// A suite of JUnit's XML as Jenkins and GitLab read it (tests/data/check/junit.xsd), case by case.
/// All texts are as they are: what XML needs is done to them here.
class JunitSuite {
 public:
  /// The kind of trouble of a case, as CI systems tell them apart.
  enum class Fault : std::uint8_t {
    kFailure,  ///< it ran, and is not as it should be
    kError,    ///< it could not be run
  };
  /// The name of a case: a class, and a name within it.
  struct Name {
    std::string_view of_class;
    std::string_view of_case;
  };

  explicit JunitSuite(std::string_view name) : name_(name) {}

  /// A good case, of which there is nothing more to say.
  void passed(const Name& name);
  /// A good case, with a text for readers who look closer.
  void passed(const Name& name, std::string_view said);
  void skipped(const Name& name, std::string_view why);
  /// `type`: a word for the kind of trouble; `message`: a line; `body`: all there is to say.
  void broken(const Name& name, Fault fault, std::string_view type, std::string_view message,
              std::string_view body);

 private:
  friend std::string junit_document(std::string_view name, const std::vector<JunitSuite>& suites);

  void open(const Name& name);

  std::string name_;
  std::string cases_;
  std::int64_t tests_ = 0;
  std::int64_t failures_ = 0;
  std::int64_t errors_ = 0;
  std::int64_t skipped_ = 0;
};

/// The file: all suites, in their order, below their sums.
std::string junit_document(std::string_view name, const std::vector<JunitSuite>& suites);

}  // namespace aftershock::reports
