#include "gui/app/slide_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QSpinBox>
#include <array>

namespace aftershock::gui {

namespace {

constexpr std::array kSizes{QSize(1280, 720), QSize(1600, 900), QSize(1920, 1080),
                            QSize(1024, 768)};
constexpr int kMostScale = 4;

/// The fields of the dialog; Qt owns them.
struct Fields {
  QComboBox* size;
  QSpinBox* scale;
  QComboBox* theme;
  QCheckBox* legend;
  QCheckBox* card;
};

Fields add_fields(QDialog& dialog, QFormLayout& form, const Slide& first) {
  Fields fields{new QComboBox(&dialog), new QSpinBox(&dialog), new QComboBox(&dialog),
                new QCheckBox(QDialog::tr("Colours and what they mean"), &dialog),
                new QCheckBox(QDialog::tr("The inspector's card"), &dialog)};
  fields.size->setObjectName(QStringLiteral("size"));
  fields.scale->setObjectName(QStringLiteral("scale"));
  fields.theme->setObjectName(QStringLiteral("theme"));
  fields.legend->setObjectName(QStringLiteral("legend"));
  fields.card->setObjectName(QStringLiteral("card"));
  for (const QSize& size : kSizes) {
    fields.size->addItem(QStringLiteral("%1 x %2").arg(size.width()).arg(size.height()), size);
  }
  fields.size->setCurrentIndex(static_cast<int>(fields.size->findData(first.size)));
  fields.scale->setRange(1, kMostScale);
  fields.scale->setValue(first.scale);
  fields.theme->addItem(QDialog::tr("Light"), static_cast<int>(Theme::kLight));
  fields.theme->addItem(QDialog::tr("Dark"), static_cast<int>(Theme::kDark));
  fields.theme->setCurrentIndex(fields.theme->findData(static_cast<int>(first.theme)));
  fields.legend->setChecked(first.has_legend);
  fields.card->setChecked(false);
  fields.card->setEnabled(!first.card.isEmpty());
  form.addRow(QDialog::tr("&Size"), fields.size);
  form.addRow(QDialog::tr("S&cale"), fields.scale);
  form.addRow(QDialog::tr("&Theme"), fields.theme);
  form.addRow(QDialog::tr("Show"), fields.legend);
  form.addRow(QString(), fields.card);
  return fields;
}

}  // namespace

std::optional<SlideChoice> ask_slide(const Slide& first, QWidget* parent) {
  QDialog dialog(parent);
  dialog.setObjectName(QStringLiteral("slide"));
  dialog.setWindowTitle(QDialog::tr("Export for slides"));
  auto* form = new QFormLayout(&dialog);
  const Fields fields = add_fields(dialog, *form, first);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, &dialog);
  SlideTo to = SlideTo::kPng;
  const auto add = [&](const QString& text, SlideTo where) {
    QPushButton* button = buttons->addButton(text, QDialogButtonBox::AcceptRole);
    QObject::connect(button, &QPushButton::clicked, &dialog, [&to, where] { to = where; });
  };
  add(QDialog::tr("Save &PNG…"), SlideTo::kPng);
  add(QDialog::tr("Save S&VG…"), SlideTo::kSvg);
  add(QDialog::tr("C&opy"), SlideTo::kClipboard);
  QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
  QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  form->addRow(buttons);
  if (dialog.exec() != QDialog::Accepted) {
    return std::nullopt;
  }
  SlideChoice choice{.slide = first, .to = to};
  choice.slide.size = fields.size->currentData().toSize();
  choice.slide.scale = fields.scale->value();
  choice.slide.theme = static_cast<Theme>(fields.theme->currentData().toInt());
  choice.slide.has_legend = fields.legend->isChecked();
  if (!fields.card->isChecked()) {
    choice.slide.card.clear();
  }
  return choice;
}

}  // namespace aftershock::gui
