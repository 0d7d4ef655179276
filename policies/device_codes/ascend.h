#pragma once

#include <optional>
#include <span>

#include "policies/device_codes/device_code.h"

namespace aftershock::policies {

/// Every Ascend code that MindCluster lists, by code. One that stands in several lists has the most
/// serious level of them.
std::span<const DeviceCode> ascend_codes();

/// MindCluster's verdict on a code that it does not list. Network codes are pre-separated, whatever
/// their severity; of all others those that are known to be at most minor are not handled, and the
/// rest is isolated.
HandlingLevel judge_unknown(DeviceSubject subject, std::optional<Severity> severity);

}  // namespace aftershock::policies
