#pragma once

#include <QString>

#include "gui/why/charges.h"

namespace aftershock::gui {

/// A job or experiment as HTML, as in card_html.h: how it ended, every charge of what it died of,
/// what each fault cost it, and where its time went.
QString job_html(const Trace& trace, const Account& account, const ChainOfCharges& chain);

}  // namespace aftershock::gui
