#include "policies/modelarts/memory.h"

#include <nlohmann/json.hpp>

#include "policies/parts/field_json.h"

namespace aftershock::policies::modelarts {

nlohmann::json to_json(const Memory& memory) { return field_json(memory); }

std::optional<Memory> memory_from_text(std::string_view text) {
  return from_field_text<Memory>(text);
}

}  // namespace aftershock::policies::modelarts
