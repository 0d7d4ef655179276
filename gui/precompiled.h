#pragma once

// Headers of Qt that most rooms with windows read, compiled once for all of them: see
// policies/precompiled.h.

#include <QAbstractTableModel>
#include <QAction>
#include <QApplication>
#include <QFontMetrics>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QVBoxLayout>
#include <QWidget>
