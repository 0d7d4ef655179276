#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "policies/device_codes/device_code.h"

// Finding codes of all families by what people write.
namespace aftershock::policies {

/// The codes of a family, in the order of its codes.
std::span<const DeviceCode> device_codes(DeviceFamily family);

/// A code by its form; whether anybody lists it is not seen here.
struct CodeText {
  DeviceFamily family;
  std::string code;  ///< as its vendor prints it
};
/// Reads "ascend:80E01801", "ascend:[0x08520003,na,L2,na]", either without its family, and
/// "xid:94". Event ids have eight or nine hexadecimal digits of any case, with or without "0x"; a
/// number alone does not name an Xid. None: it has no such form, as a name has none.
std::optional<CodeText> parse_device_code(std::string_view text);

/// The code that a text means, by what parse_device_code reads or by its name ("hbm_multi_bit_ecc",
/// "ascend:hbm_multi_bit_ecc"). Null: nobody lists it.
const DeviceCode* find_device_code(std::string_view text);

/// The nearest name or canonical code, empty when none is near enough to be meant.
std::string_view nearest_device_code(std::string_view text);

/// By which rule a code that nobody lists is judged; `severity`: what the device says, none: it
/// says nothing.
std::string_view rule_for_unlisted(const CodeText& code, std::optional<Severity> severity = {});

}  // namespace aftershock::policies
