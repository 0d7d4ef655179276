"""The decisions of the control loop, as steps of the messages.

Tune calls callbacks where it has decided; they are stored with the experiment, so that the one
given to Tune has no state of its own and speaks to the record of the run that is at hand.
"""
from typing import Any

from ray.tune import Callback
from ray.tune.experiment.trial import Trial

from hosting.messages import Message

STATES = ["PENDING", "RUNNING", "FINISHED", "RAISED", "ABORTED"]
_CONTROLLER = "execution/tune_controller.py"
ACT, UNHEARD = "ray.act", "ray.unheard"
RULES = {
    "ray.tune.RUNNING": ("The trial's actor has started: it is RUNNING", _CONTROLLER),
    "ray.tune.recover": ("should_recover allows another try: the trial is PENDING again",
                         "experiment/trial.py"),
    "ray.tune.error": ("should_recover allows no other try: the trial is in ERROR",
                       "experiment/trial.py"),
    "ray.tune.complete": ("The trial is done: TERMINATED", _CONTROLLER),
    "ray.tune.fail_fast": ("fail_fast has cut the experiment short", _CONTROLLER),
    "ray.tune.begin": ("tune.run begins", "tune.py"),
    "ray.tune.end": ("tune.run is over", "tune.py"),
    ACT: ("The control loop acts, and no status changes", _CONTROLLER),
    UNHEARD: ("Nothing in the control loop listens to this event", _CONTROLLER),
}


def rules() -> list[Message]:
    """The rules that steps name: statuses of trials and what the loop does with them."""
    return [{"id": name, "sentence": sentence, "source": source}
            for name, (sentence, source) in RULES.items()]


class Record:
    """Collects the steps of one batch."""

    current: "Record | None" = None

    def __init__(self) -> None:
        Record.current = self
        self.state = STATES[0]
        # Of each trial's failure that is at hand: its cause, and its place in the batch.
        self.charge: dict[int, tuple[Message, list[int]]] = {}
        self.used = {"max_failures": 0, "restore_failures": 0}  # the highest of any trial
        self.restore_retries = 0
        self._known: dict[Trial, tuple[int, int]] = {}
        self._steps: list[Message] = []
        self._next: Message = {}
        self._commands = 0

    def command(self, kind: str, **members: Any) -> int:
        """Adds a command, and returns its id."""
        self._commands += 1
        self._next.setdefault("commands", []).append(
            {"type": kind, "id": self._commands, **members})
        return self._commands

    def step(self, rule: str, state: str = "") -> None:
        """Ends a step, which has the commands since the one before."""
        state = state or self.state
        self._steps.append({"rule": rule, "from": self.state, "to": state, **self._next})
        self._next = {}
        self.state = state

    def unheard(self, at: int, why: str) -> None:
        """Says that nothing listens to the event of this place in its batch."""
        self._steps.append({"rule": UNHEARD, "from": self.state, "to": self.state, "saw": [at],
                            "rejected": [{"what": "act", "why": why}]})

    def known(self, trials: list[Trial]) -> None:
        """The counts that restored trials bring with them."""
        for trial in trials:
            self._known[trial] = (trial.num_failures, 0)
            self.used["max_failures"] = max(self.used["max_failures"], trial.num_failures)

    def judged(self, trial: Trial, rule: str) -> None:
        """A failure of the trial has been counted, or not."""
        failures, restores = self._known.get(trial, (0, 0))
        now = (trial.num_failures, trial.temporary_state.num_restore_failures)
        charge, saw = self.charge.pop(int(trial.config.get("trial", 0)),
                                      ({"cause": "application"}, []))
        limit = trial.max_failures if trial.max_failures >= 0 else None
        moves = [{"budget": "max_failures", **charge, "used": now[0], "limit": limit,
                  "charged": now[0] != failures, "exhausted": rule == "ray.tune.error"}]
        if now[1] > restores:
            moves.append({"budget": "restore_failures", **charge, "used": now[1],
                          "limit": self.restore_retries, "charged": True, "exhausted": False})
        self._known[trial] = now
        for name, used in zip(self.used, now, strict=True):
            self.used[name] = max(self.used[name], used)
        self._next.update(budgets=moves, saw=saw)
        self.step(rule)

    def restored(self, trial: Trial) -> None:
        """The trial has loaded its checkpoint, which clears its count of restore failures."""
        self._known[trial] = (trial.num_failures, 0)

    def take(self) -> list[Message]:
        """All steps since the last time."""
        if self._next:
            self.step(ACT)
        steps, self._steps = self._steps, []
        return steps


def _record() -> Record:
    assert Record.current is not None
    return Record.current


class Told(Callback):
    """Writes down what Tune tells its callbacks."""

    def on_trial_start(self, iteration: int, trials: list[Trial], trial: Trial,
                       **info: Any) -> None:
        _record().step("ray.tune.RUNNING")

    def on_trial_recover(self, iteration: int, trials: list[Trial], trial: Trial,
                         **info: Any) -> None:
        _record().judged(trial, "ray.tune.recover")

    def on_trial_error(self, iteration: int, trials: list[Trial], trial: Trial,
                       **info: Any) -> None:
        _record().judged(trial, "ray.tune.error")

    def on_trial_complete(self, iteration: int, trials: list[Trial], trial: Trial,
                          **info: Any) -> None:
        _record().step("ray.tune.complete")
