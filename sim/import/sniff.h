#pragma once

#include <string_view>

namespace aftershock::sim::imports {

/// infinitehbd, bamboo, csv or incident, by what the text begins with; empty: none of them.
std::string_view sniff_format(std::string_view text);

}  // namespace aftershock::sim::imports
