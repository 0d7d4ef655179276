#pragma once

#include <string>

namespace aftershock::sim::sweep {

/// A folder for what lies in between; it and what is in it are gone with this.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Why there is none, in words with its path; empty: there is one.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  std::string path_;
  std::string problem_;
};

}  // namespace aftershock::sim::sweep
