#pragma once

#include <span>

#include "policies/device_codes/device_code.h"

namespace aftershock::policies {

/// Every Xid of NVIDIA's catalogue of 2025-10-29 that is in use, by number.
std::span<const DeviceCode> xid_codes();

}  // namespace aftershock::policies
