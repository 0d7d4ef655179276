# Writes OUTPUT, a source with the parts of a page: see assets.h. FROM is the folder of our own,
# LIBRARIES and LICENCES are files.

function(base64_of hex result)
  set(alphabet ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  set(text "")
  # 64 hex digits are 32 bytes: ten groups of three, and two bytes that end with one mark.
  string(APPEND hex 00)
  foreach(at RANGE 0 60 6)
    string(SUBSTRING ${hex} ${at} 6 group)
    math(EXPR bits "0x${group}")
    foreach(shift 18 12 6 0)
      math(EXPR place "(${bits} >> ${shift}) & 63")
      string(SUBSTRING ${alphabet} ${place} 1 letter)
      string(APPEND text ${letter})
    endforeach()
  endforeach()
  string(REGEX REPLACE "A$" "=" text ${text})
  set(${result} ${text} PARENT_SCOPE)
endfunction()

function(add_text name text)
  if(text MATCHES "\\)asset\"")
    message(FATAL_ERROR "${name} holds what ends a raw string")
  endif()
  file(APPEND ${OUTPUT}.new
    "extern const std::string_view ${name};\nconst std::string_view ${name} = R\"asset(")
  file(APPEND ${OUTPUT}.new "${text}")
  file(APPEND ${OUTPUT}.new ")asset\";\n")
endfunction()

file(WRITE ${OUTPUT}.new
  "#include <string_view>

// Longer than any compiler must take them; ours do.
#pragma GCC diagnostic ignored \"-Woverlength-strings\"

namespace aftershock::reports {
")

file(READ ${FROM}/page.html page)
add_text(kPageTemplate "${page}")

file(READ ${FROM}/page.css style)
add_text(kPageStyle "${style}")
string(SHA256 hash "${style}")
base64_of(${hash} hash)
add_text(kPageStyleHash "${hash}")

set(script "")
foreach(library IN LISTS LIBRARIES)
  file(READ ${library} text)
  # The names of maps that are not there.
  string(REGEX REPLACE "//# sourceMappingURL=[^\n]*\n?" "" text "${text}")
  string(APPEND script "${text}\n")
endforeach()
foreach(own charts distributions page)
  file(READ ${FROM}/${own}.js text)
  string(APPEND script "${text}")
endforeach()
if(script MATCHES "</script|<!--")
  message(FATAL_ERROR "the script holds what ends a script")
endif()
add_text(kPageScript "${script}")
string(SHA256 hash "${script}")
base64_of(${hash} hash)
add_text(kPageScriptHash "${hash}")

# Each licence once: they differ in years and names alone, and the first names the family.
set(licence_text "")
foreach(licence IN LISTS LICENCES)
  file(READ ${licence} text)
  string(APPEND licence_text "${text}\n")
endforeach()
add_text(kPageLicences "${licence_text}")

file(APPEND ${OUTPUT}.new "}  // namespace aftershock::reports\n")
file(RENAME ${OUTPUT}.new ${OUTPUT})
