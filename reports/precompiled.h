#pragma once

// More of policies/precompiled.h, for all but the policies: they can be built where these libraries
// are not.

#include <cstdio>
#include <filesystem>

#include <Random123/philox.h>
#include <boost/dynamic_bitset.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
