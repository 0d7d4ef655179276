"""Ray Tune's driver as a policy of the simulator."""
import logging
import re
import traceback
from pathlib import Path
from typing import Any

import ray
from ray.exceptions import RayActorError
from ray.train import Checkpoint
from ray.train._internal.session import _TrainingResult
from ray.tune.experiment.trial import Trial
from ray.tune.result import RESULT_DUPLICATE, SHOULD_CHECKPOINT

from hosting.baton import Baton, Ended
from hosting.messages import Message, serve
from hosting.ranks import ranks_of
from ray_tune.asks import ExperimentLoop
from ray_tune.clock import Clock, microseconds, replace
from ray_tune.cluster import Actor, ActorDied, Cluster
from ray_tune.directory import Directory
from ray_tune.driver import Driver
from ray_tune.failures import DEATHS, cause, exception
from ray_tune.record import STATES, Record, rules
from ray_tune.settings import ObjectReference, Settings
from ray_tune.upload import Uploads
from ray_tune.waits import Idle

_LARGE_US = 2**53
_ITERATION = "training_iteration"


def _number(trial: Trial) -> int:
    return int(trial.config.get("trial", 0))


def _checkpoint_of(path: str) -> int:
    found = re.search(r"checkpoint_(\d+)$", path)
    assert found is not None
    return int(found[1])


class RayTuneRun:
    """One driver: tune.run in a thread, and what the simulator told of its trials."""

    def __init__(self, world: Message) -> None:
        self._settings = Settings(world["policy"])
        self._settings.apply()
        self._clock = Clock()
        self._record = Record()
        self._record.restore_retries = self._settings.limits()["restore_failures"] or 0
        self._directory = Directory()
        self._baton = Baton(self._body)
        self._cluster = Cluster(self._idle, self._saved)
        self._cluster.kill = self._kill
        self._uploads = Uploads(self._clock, self._settings.save_s,
                                self._directory.root / "upload", self._block,
                                self._uploaded)
        self.stored_us: int | None = None
        self._driver = Driver(self._settings, self._directory, self._cluster, self._delete)
        self._waits_for: Any = None
        self._job = self._samples = 0
        self._over = False
        self._actors: dict[int, Actor] = {}  # the newest of each trial
        self._stopping: dict[int, Actor] = {}  # those whose process has been asked to end
        self._asked: dict[int, Any] = {}  # tracked actors for which start_trial was sent
        self._commands: dict[int, int] = {}  # trial of each command that may fail
        self._restores: dict[int, int] = {}
        self._done: set[int] = set()

    # The messages:

    def ready(self) -> Message:
        """The description of the policy: Tune's statuses, decisions and budgets."""
        return {"name": "ray_tune", "profile": ray.__version__, "subject": "experiment",
                "summary": f"The installed Ray Tune {ray.__version__}",
                "states": STATES, "state": STATES[0], "rules": rules(),
                "budgets": [{"name": name, "limit": limit}
                            for name, limit in self._settings.limits().items()]}

    def durable_at(self, at_us: int) -> Any:
        """The content of storage at that time."""
        self._play(at_us)
        return self._directory.durable()

    def durable(self) -> Any:
        """The content of storage now."""
        return self._directory.durable()

    def end(self) -> None:
        """Ends the driver where it stands."""
        self._baton.abandon()
        self._directory.end()

    def decide(self, batch: Message) -> Message:
        """Tells the driver of the batch, and lets it go as far as it can."""
        self._play(batch["t_us"] - 1)
        self._clock.now_us = max(self._clock.now_us, batch["t_us"])
        for at, event in enumerate(batch["events"]):
            hear = getattr(self, "_on_" + event["type"], None)
            if hear is not None and not self._over:
                hear(at, event)
        self._go_on()
        watch: Message = {}
        if isinstance(self._waits_for, Idle) and not self._waits_for.leaps and not self._over:
            watch["wake_us"] = self._waits_for.until_us
        limits = self._settings.limits()
        budgets = [{"used": used, "limit": limits[name]}
                   for name, used in self._record.used.items()]
        return {"steps": self._record.take(), "watch": watch, "budgets": budgets}

    def trials(self) -> list[Message]:
        """Every trial as the driver knows it, by number."""
        found = []
        for trial in sorted(self._driver.trials(), key=_number):
            number = _number(trial)
            found.append({
                "trial": number, "id": self._id(trial), "status": trial.status,
                "failures": trial.num_failures, "restores": self._restores.get(number, 0),
                "checkpoint": self._latest(trial),
                "iteration": trial.run_metadata.last_result.get(_ITERATION, 0)})
        return found

    # Events:

    def _on_controller_started(self, _: int, event: Message) -> None:
        self._job = event["job"]
        self._directory.restore(event["durable"])

    def _on_experiment_submitted(self, _: int, event: Message) -> None:
        self._job, self._samples = event["job"], event["trials"]
        self._resume(None)

    def _on_trial_started(self, at: int, event: Message) -> None:
        self._placed(at, event["trial"], None)

    def _on_trial_restored(self, at: int, event: Message) -> None:
        actor = self._actors.get(event["trial"])
        if actor is None or not actor.lives:
            self._record.unheard(at, "the trial has no actor")
            return
        self._restores[actor.trial] = self._restores.get(actor.trial, 0) + 1
        self._record.restored(self._trial(actor.trial))
        actor.answer("restore")

    def _on_trial_result(self, at: int, event: Message) -> None:
        actor = self._actors.get(event["trial"])
        if actor is None or not actor.lives:
            self._record.unheard(at, "the trial has no actor")
            return
        result = {_ITERATION: event["iteration"], "checkpoint_number": event["checkpoint"],
                  "done": False, SHOULD_CHECKPOINT: event["checkpoint"] != 0}
        actor.answer("train", result)
        if event["done"]:  # the function has returned: its last report is given once more
            actor.lives = False
            self._done.add(actor.trial)
            actor.answer("train", {RESULT_DUPLICATE: True, "done": True})

    def _on_trials_failed(self, at: int, event: Message) -> None:
        for number in ranks_of(event["trials"]):
            error = exception(event)
            actor = self._actors.get(number)
            self._record.charge[number] = ({"cause": cause(event)}, [at])
            if number in self._asked:
                self._placed(at, number, ActorDied(event["preempted"])
                             if not isinstance(error, RayActorError) else error)
            elif actor is None or not actor.lives:
                self._record.unheard(at, "the trial has no actor")
            else:
                actor.lives = event["kind"] not in DEATHS
                actor.answer("train", error=error)

    def _on_trials_stopped(self, _: int, event: Message) -> None:
        for number in ranks_of(event["trials"]):
            actor = self._stopping.pop(number, None)
            if actor is not None and actor.stopping is not None:
                self._cluster.resolve(actor.stopping)

    def _on_command_result(self, at: int, event: Message) -> None:
        number = self._commands.pop(event["command"], None)
        if event["error"] == "none" or number is None or not event["definite"]:
            return
        if number in self._asked:
            self._placed(at, number, ActorDied())
        elif (actor := self._stopping.pop(number, None)) is not None and actor.stopping is not None:
            self._cluster.resolve(actor.stopping)

    def _on_stop_requested(self, _: int, event: Message) -> None:
        self._driver.interrupted.set()
        self._cluster.poke = True
        if event["nth"] > 1:  # SIGINT has its own handler again: the driver ends
            self._finish(KeyboardInterrupt())

    def _placed(self, at: int, number: int, error: Exception | None) -> None:
        """The trial's actor has room, and starts, or fails to."""
        tracked = self._asked.pop(number, None)
        if tracked is None or self._driver.controller is None:
            self._record.unheard(at, "no actor of this trial is asked for")
            return
        manager = self._driver.controller._actor_manager
        for pending in manager._resource_request_to_pending_actors.values():
            if tracked in pending:  # whose room this is, is the simulator's to say
                pending.remove(tracked)
                pending.insert(self._cluster.resources.placed(), tracked)
        actor = self._actors[number] = Actor(self._cluster, number)
        actor.lives = error is None
        actor.answer("__ray_ready__", error=error)
        self._cluster.resources.place(actor)
        self._cluster.poke = True

    # The driver's thread:

    def _body(self) -> None:
        replace(self._clock, self._directory.session, self._sleep, self._driver.busy)
        self._uploads.patch()
        self._driver.patch(lambda: self._record.known(self._driver.trials()))
        self._driver.run(self._samples, self._begun)

    def _begun(self, anew: bool) -> None:
        if anew:
            self._record.command("persist", job=self._job)
        self._record.step("ray.tune.begin", "RUNNING")

    def _idle(self, timeout: float) -> None:
        """As ray.wait, which nothing answers yet: in a step of the loop until the next snapshot is
        due, elsewhere for as long as is asked."""
        now_us = self._clock.now_us
        if timeout >= 1 or self._driver.controller is None:
            self._baton.wait(Idle(now_us + microseconds(timeout), hears=True, leaps=False))
            return
        manager = self._driver.controller._checkpoint_manager
        last_s, period_s = manager._last_save_time, manager._checkpoint_period
        due_us = now_us if last_s == float("-inf") else microseconds(last_s + period_s)
        while due_us / 1e6 - last_s < period_s:  # as the manager compares
            due_us += 1
        if due_us > now_us or self._cluster.poke or self._driver.controller._iteration:
            self._baton.wait(Idle(max(due_us, now_us), hears=True, leaps=True))

    def _block(self, until_us: int) -> None:
        while self._clock.now_us < until_us or self._uploads.ends_us is not None:
            self._baton.wait(Idle(until_us, hears=False, leaps=False))

    def _sleep(self, delay_s: float) -> None:
        self._baton.wait(Idle(self._clock.now_us + microseconds(delay_s), hears=False,
                              leaps=False))

    def _saved(self, number: int) -> _TrainingResult:
        """The answer of an actor that is to save: the checkpoint of the last report."""
        trial = self._trial(number)
        checkpoint = trial.last_result["checkpoint_number"]
        storage: Any = trial.storage
        path = Path(storage.trial_fs_path, f"checkpoint_{checkpoint:06d}").as_posix()
        return _TrainingResult(Checkpoint(path, storage.storage_filesystem),
                               dict(trial.last_result))

    def _uploaded(self) -> None:
        self._directory.uploaded()
        self.stored_us = self._clock.now_us

    def _delete(self, path: str) -> None:
        number = next(_number(trial) for trial in self._driver.trials()
                      if path.startswith(f"{trial.path}/"))
        self._record.command("delete_trial_checkpoints", job=self._job, trial=number,
                             checkpoints=[_checkpoint_of(path)])

    def _kill(self, actor: Actor) -> None:
        self._stopping.pop(actor.trial, None)
        if actor.lives:
            actor.lives = False
            self._record.command("stop_trials", job=self._job, trials=[actor.trial], grace_us=0)

    # From one wait to the next:

    def _play(self, until_us: int) -> None:
        """Plays all that happens by itself until then: snapshots that are due, uploads that end."""
        while not self._over:
            wait, upload_us = self._waits_for, self._uploads.ends_us
            goes_us = wait.until_us if isinstance(wait, Idle) and wait.leaps else _LARGE_US
            upload_us = _LARGE_US if upload_us is None else upload_us
            at_us = min(goes_us, upload_us)
            if at_us > until_us:
                break
            self._clock.now_us = max(self._clock.now_us, at_us)
            if upload_us <= goes_us:
                self._uploads.finish()
            if goes_us <= at_us:
                self._resume(None)
        if self._over and self._uploads.ends_us is not None and self._uploads.ends_us <= until_us:
            self._uploads.finish()

    def _go_on(self) -> None:
        while isinstance(self._waits_for, Idle) and not self._over:
            upload_us = self._uploads.ends_us
            if upload_us is not None and upload_us <= self._clock.now_us:
                self._uploads.finish()
            wait = self._waits_for
            heard = wait.hears and (self._cluster.poke or self._cluster.can_go())
            if not heard and wait.until_us > self._clock.now_us:
                break
            self._resume(None)
        if not self._over:
            self._command_trials()

    def _resume(self, answer: Any) -> None:
        self._cluster.poke = False
        self._waits_for = self._baton.resume(answer)
        if isinstance(self._waits_for, Ended):
            self._finish(self._waits_for.error)

    def _command_trials(self) -> None:
        """Commands for what the manager has asked for, or has given up, since the last time."""
        if self._driver.controller is None:
            return
        manager = self._driver.controller._actor_manager
        stops: list[int] = []
        for number, actor in self._actors.items():
            asked = actor.stopping
            if asked is not None and not asked.ready and number not in self._stopping:
                self._stopping[number] = actor
                stops.append(number)
        pending = set(manager._pending_actors_to_attrs)
        for number in [each for each, tracked in self._asked.items() if tracked not in pending]:
            del self._asked[number]
            stops.append(number)
        if stops:
            self._record.command("stop_trials", job=self._job, trials=sorted(stops),
                                 grace_us=self._settings.cleanup_us())
        for tracked in manager._pending_actors_to_attrs:
            trial = self._driver.controller._actor_to_trial[tracked]
            number = _number(trial)
            if self._asked.get(number) is tracked or number in self._stopping:
                continue  # the simulator's trial has one process, which has to end first
            self._asked[number] = tracked
            dead = any(isinstance(value, ObjectReference)
                       and value.session != self._directory.session
                       for value in trial.config.values())
            command = self._record.command(
                "start_trial", job=self._job, trial=number, name=self._id(trial),
                dead_references=dead, **{"from": self._latest(trial)})
            self._commands[command] = number

    def _finish(self, error: BaseException | None) -> None:
        if self._over:
            return
        self._over = True
        if self._driver.interrupted.is_set():
            self._record.command("persist", job=self._job)
            self._fail("stopped_by_user", "ray.tune.end", "ABORTED")
        elif error is not None:
            traceback.print_exception(error)
            words = str(error).strip().partition("\n")[0][:200]
            raised = self._record.state == "RUNNING" and self._settings.failure().fail_fast
            self._fail("gave_up(ray.tune.fail_fast)" if raised and self._driver.controller else
                       f"unrecoverable({type(error).__name__}: {words})",
                       "ray.tune.fail_fast" if raised else "ray.tune.end", "RAISED")
        else:
            self._record.command("persist", job=self._job)
            trials = self._driver.trials()
            cut = [trial for trial in trials if trial.status == Trial.TERMINATED
                   and _number(trial) not in self._done
                   and trial.run_metadata.start_time is not None]
            if self._settings.failure().fail_fast and (cut or len(trials) < self._samples):
                self._fail("gave_up(ray.tune.fail_fast)", "ray.tune.fail_fast", "FINISHED")
            else:
                self._record.command("complete", job=self._job)
                self._record.step("ray.tune.end", "FINISHED")

    def _fail(self, reason: str, rule: str, state: str) -> None:
        self._record.command("fail", job=self._job, reason=reason)
        self._record.step(rule, state)

    # Trials:

    def _trial(self, number: int) -> Trial:
        return next(each for each in self._driver.trials() if _number(each) == number)

    def _latest(self, trial: Trial) -> int | None:
        checkpoint = trial.checkpoint
        return None if checkpoint is None else _checkpoint_of(checkpoint.path)

    def _id(self, trial: Trial) -> str:
        """A name by session and number; Tune's own has random digits for the session."""
        return f"{int(str(trial.trial_id)[:5]):05d}_{_number(trial):05d}"


def main() -> None:
    """Answers standard input until it ends."""
    logging.disable(logging.CRITICAL)
    serve(ExperimentLoop("ray_tune", ray.__version__, RayTuneRun))
