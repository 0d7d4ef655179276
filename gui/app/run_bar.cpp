#include "gui/app/run_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <algorithm>

#include "reports/render/format.h"

namespace aftershock::gui {

RunBar::RunBar(QWidget* parent)
    : QWidget(parent), label_(new QLabel(this)), bar_(new QProgressBar(this)) {
  label_->setTextFormat(Qt::PlainText);
  bar_->setAccessibleName(tr("Progress of the simulation"));
  bar_->setMaximumWidth(160);
  auto* stop = new QToolButton(this);
  stop->setText(tr("Stop"));
  stop->setAccessibleName(tr("Stop the simulation"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(label_);
  layout->addWidget(bar_);
  layout->addWidget(stop);
  connect(stop, &QToolButton::clicked, this, &RunBar::stop_asked);
  hide();
}

void RunBar::begin(const QString& name) {
  name_ = name;
  label_->setText(tr("Simulating %1").arg(name_));
  bar_->setRange(0, 0);
  show();
}

void RunBar::show_progress(qint64 t_us, qint64 horizon_us) {
  const QString now = QString::fromStdString(reports::format_duration(t_us));
  if (horizon_us <= 0) {
    label_->setText(tr("Simulating %1: %2").arg(name_, now));
    return;
  }
  label_->setText(
      tr("Simulating %1: %2 of %3")
          .arg(name_, now, QString::fromStdString(reports::format_duration(horizon_us))));
  constexpr int kSteps = 1000;
  const double share = static_cast<double>(t_us) / static_cast<double>(horizon_us);
  bar_->setRange(0, kSteps);
  bar_->setValue(static_cast<int>(std::clamp(share, 0.0, 1.0) * kSteps));
}

}  // namespace aftershock::gui
