#pragma once

#include <string_view>

#include "policies/device_codes/device_code.h"

// The facts that an Ascend event id holds by itself. Of its eight hexadecimal digits the upper four
// are a module, the lower four a kind of fault.
namespace aftershock::policies {

/// "AIC", "HBM", ... of an event id of eight digits; empty where the module is not known.
std::string_view ascend_module(std::string_view code);

/// "multi-bit ECC", "bus access", ... of an event id of eight digits; empty where the kind is not
/// known. Only hardware modules and system processes have kinds: in the bulk families of boards,
/// and in runtime software, the lower digits mean something else.
std::string_view ascend_kind(std::string_view code);

/// Network codes are told from other chip codes by their module.
DeviceSubject ascend_subject(std::string_view code);

}  // namespace aftershock::policies
