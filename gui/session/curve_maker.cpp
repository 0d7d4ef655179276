#include "gui/session/curve_maker.h"

#include <chrono>
#include <utility>

#include "base/assert.h"

namespace aftershock::gui {

CurveMaker::CurveMaker(const Trace& trace, std::string path)
    : made_(std::async(std::launch::async, [this, &trace, path = std::move(path)] {
        return reckon(trace, path, stop_);
      })) {}

CurveMaker::~CurveMaker() {
  stop_ = true;
  if (made_.valid()) {
    made_.wait();
  }
}

bool CurveMaker::wait_ms(int ms) const {
  AFTERSHOCK_ASSERT(made_.valid());
  return made_.wait_for(std::chrono::milliseconds(ms)) == std::future_status::ready;
}

}  // namespace aftershock::gui
