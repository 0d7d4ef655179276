#include "tests/same_bytes/vectors.h"

#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace aftershock::testing {
namespace {

TEST(Vectors, TenThousandDrawsOfEachLawAreThoseOfTheFile) {
  std::ifstream file("tests/data/chance/vectors.txt");
  std::string line;
  for (const VectorRow& row : vector_rows()) {
    ASSERT_TRUE(std::getline(file, line)) << row.name;
    EXPECT_EQ(vector_line(row), line);
  }
  EXPECT_FALSE(std::getline(file, line)) << line;
}

}  // namespace
}  // namespace aftershock::testing
