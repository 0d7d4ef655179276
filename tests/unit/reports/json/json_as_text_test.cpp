#include "reports/json/json_as_text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/unit/json_as_text_cases.h"

namespace aftershock::reports {
namespace {

constexpr aftershock::testing::JsonAsText<JsonLayout> kJsonAsText{
    .read = json_from_text<nlohmann::json>,
    .read_in_order = json_from_text<nlohmann::ordered_json>,
    .read_or_discarded = json_or_discarded<nlohmann::json>,
    .read_in_order_or_discarded = json_or_discarded<nlohmann::ordered_json>,
    .write = text_from_json<nlohmann::json>,
    .write_in_order = text_from_json<nlohmann::ordered_json>};

TEST(JsonAsText, IsWrittenAsItsLayoutSays) { aftershock::testing::expect_layouts(kJsonAsText); }
TEST(JsonAsText, KeepsTheOrderThatItsTypeKeeps) { aftershock::testing::expect_orders(kJsonAsText); }
TEST(JsonAsText, RefusesWhatIsNoJson) { aftershock::testing::expect_refusals(kJsonAsText); }

}  // namespace
}  // namespace aftershock::reports
