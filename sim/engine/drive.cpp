#include "sim/engine/drive.h"

#include "sim/engine/sharing.h"

namespace aftershock::sim::engine {

void drive(Playable& world, Driver driver) {
  if (driver == Driver::kSimGrid) {
    world.transfers().set_share_all(true);
    drive_sharing(world);
    return;
  }
  Calendar& calendar = world.calendar();
  const Transfers& transfers = world.transfers();
  while (!calendar.empty() && !world.over()) {
    world.play(calendar.pop());
    if (!transfers.orders().empty()) {
      drive_sharing(world);
      return;
    }
  }
}

}  // namespace aftershock::sim::engine
