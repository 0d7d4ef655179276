#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <cstdint>
#include <memory>
#include <vector>

#include "gui/scene/scene.h"
#include "gui/trace/trace.h"
#include "gui/why/charges.h"
#include "gui/why/fault_bills.h"
#include "gui/why/span_ends.h"
#include "gui/why/verdict.h"

namespace aftershock::gui {

/// A recording that is open: reads it bit by bit while the window lives on, follows one that grows,
/// and keeps it ready to be drawn.
class RunSession : public QObject {
  Q_OBJECT

 public:
  /// Begins to read once the event loop runs. `growing`: it is still being written.
  RunSession(QString path, bool growing, QObject* parent = nullptr);
  ~RunSession() override;

  /// Null before the header was read. Another one after a file was replaced by another.
  [[nodiscard]] Scene* scene();
  [[nodiscard]] const Trace& trace() const;
  [[nodiscard]] const QString& path() const { return path_; }
  /// Whether more may come.
  [[nodiscard]] bool is_reading() const { return !ended_; }
  /// The part that was read is not the whole of a run: its writer may go on.
  [[nodiscard]] bool may_grow() const;
  /// Whether what others add to the file is read, too, until `stop_growing`.
  [[nodiscard]] bool grows() const { return growing_; }
  /// Whether curves are still being reckoned; they come with `grown`, also after `finished`.
  [[nodiscard]] bool is_making_curves() const { return making_curves_; }
  /// Every move of every budget, as far as curves tell of them.
  [[nodiscard]] const std::vector<Charge>& moves() const { return moves_; }
  /// The ends of jobs and experiments, failed ones first; reckoned with the curves.
  [[nodiscard]] const std::vector<Verdict>& verdicts() const { return verdicts_; }
  /// The costs of the faults, as many as there were when they were reckoned; with the curves.
  [[nodiscard]] const std::vector<FaultBill>& bills() const { return bills_.bills; }
  /// The faults that ended attempts; with the curves.
  [[nodiscard]] const SpanEnds& span_ends() const { return span_ends_; }
  /// The file will not grow any more: reads what is there and ends.
  void stop_growing();

 Q_SIGNALS:
  /// There is more to see; with `other_lanes` the tree of lanes is another one.
  void grown(bool other_lanes);
  /// There are other curves and moves, or, of another file in its place, none yet.
  void reckoned();
  /// All that is there so far of a file that grows has been read.
  void caught_up();
  /// The file is wrong, by these words; records that were read before stay in view. Comes before
  /// finished.
  void failed(const QString& word);
  /// All has been read.
  void finished();

 private:
  struct Reading;

  void begin();
  void read_on();
  void look_for_more();
  void show();
  void end();
  void make_curves(int wait_ms);
  bool take_curves(int wait_ms);

  QString path_;
  bool growing_;
  bool ended_ = false;
  bool making_curves_ = false;
  std::int64_t shown_spans_ = 0;
  std::int64_t curved_spans_ = -1;  ///< so many there were when curves were reckoned last
  std::vector<Charge> moves_;
  std::vector<Verdict> verdicts_;
  FaultBills bills_;
  SpanEnds span_ends_;
  std::unique_ptr<Reading> reading_;
  QTimer timer_;
};

}  // namespace aftershock::gui
