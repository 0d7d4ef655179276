#include "tests/same_bytes/vectors.h"

#include <iostream>

// For compilers and processors other than the build's own: its output is
// tests/data/chance/vectors.txt everywhere.
int main() {
  for (const aftershock::testing::VectorRow& row : aftershock::testing::vector_rows()) {
    std::cout << aftershock::testing::vector_line(row) << '\n';
  }
}
