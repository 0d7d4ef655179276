#include "reports/render/storage_tree.h"

#include <gtest/gtest.h>

namespace aftershock::reports {
namespace {

TEST(StorageTree, DrawsFoldersWithinFolders) {
  const std::vector<StoredFolder> folders{
      {"s3://runs/a",
       {{".marker", {}}, {"trial/", "the trial's"}, {"trial/result.json", {}}, {"last", "torn"}}},
      {"s3://runs/b", {}}};
  Style style;
  style.unicode = true;
  EXPECT_EQ(storage_tree(folders, style),
            "s3://runs/a/\n"
            "├── .marker\n"
            "├── trial/  (the trial's)\n"
            "│   └── result.json\n"
            "└── last  (torn)\n"
            "s3://runs/b/\n");
  style.unicode = false;
  EXPECT_EQ(storage_tree({{"x", {{"y", {}}}}}, style), "x/\n`-- y\n");
}

}  // namespace
}  // namespace aftershock::reports
