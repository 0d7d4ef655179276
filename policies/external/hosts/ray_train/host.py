"""Ray Train V2's controller as a policy of the simulator."""
import asyncio
import json
import logging
import os
import threading
import traceback
from typing import Any

import ray
from pyarrow import fs
from ray.train import Checkpoint
from ray.train.v2._internal.execution.controller.controller import TrainController
from ray.train.v2.api.config import RunConfig

from hosting.baton import Baton, Ended
from hosting.messages import Loop, Message, serve
from hosting.ranks import ranks_of
from ray_train import clock as clocks
from ray_train.callbacks import all_callbacks
from ray_train.cluster import Cluster, error_named, patch
from ray_train.hooks import Hooks
from ray_train.own import OwnCode, own_code
from ray_train.record import BUDGETS, STATES, Record, Recorded, Spins, rules
from ray_train.scaling import Coordinator, hosted_policy
from ray_train.settings import Settings
from ray_train.storage import ROOT, RunStorage, directory_of, results_of
from ray_train.versions import INSTALLED
from ray_train.waits import (
    Asleep,
    Blocked,
    Replacing,
    Sizing,
    StartAnswer,
    Starting,
    Stopping,
    Woken,
)
from ray_train.watches import ENDING, Watches, name_of_state
from ray_train.workers import Workers

_MILLION = 1_000_000
_OF_A_POLL = ("checkpoint_reported", "workers_failed", "workers_finished", "poll_unanswered")


class RayTrainRun:
    """One run of a trainer: its controller in a thread, and what the simulator told of it."""

    def __init__(self, world: Message, own: OwnCode) -> None:
        self._own = own
        self._settings = Settings(world["policy"])
        self._settings.apply()
        os.environ["RAY_TRAIN_ENABLE_CONTROLLER_STRUCTURED_LOGGING"] = "0"
        os.environ["RAY_TRAIN_ENABLE_PREEMPTION_WATCHER"] = "0"  # notices come by the simulator
        self._world = world
        self._record = Record()
        self._clock = clocks.Clock()
        self._pending: list[Exception] = []
        self._deleted_now: list[int] = []
        self._storage = RunStorage(self._snapshot_written, self._deleted_now.append)
        self._filesystem = fs.PyFileSystem(self._storage)
        self._coordinator = Coordinator()
        self._watches = Watches(self._settings, self._clock, self._coordinator)
        own.begin(world.get("seed", 0), self._clock, self._block)
        config = self._settings.failure()
        self._failures = Recorded(own.failure_policy(config), config, own, self._record)
        self._baton = Baton(lambda: asyncio.run(self._main()))
        self._cluster = Cluster(self._wait, lambda rank: self._workers.poll(rank))
        self._workers = Workers(0)
        self._hooks = Hooks(self._cluster, self._pending, lambda: self._workers,
                            self._settings.start_limit_us() / _MILLION)
        self._controller: TrainController | None = None
        self._waits_for: Any = None
        self._job = self._epoch = self._wanted = 0
        self._at = 0  # of the event at hand in its batch
        self._start_command = self._stop_command = self._persist_command = 0
        self._abort = self._aborted = self._over = False
        self._answers: dict[type, Any] = {}
        self._committed: int | None = None

    # The messages:

    def ready(self) -> Message:
        """The description of the policy: Ray's states, decisions and budgets. Code of the user's
        own makes it another one than Ray's."""
        version = f"{ray.__version__}{self._own.named()}"
        return {"name": "ray_train", "profile": version,
                "summary": f"The installed Ray Train {version}",
                "states": STATES, "state": STATES[0], "rules": rules(self._settings.relaxes()),
                "budgets": [{"name": name, "limit": self._failures.limit(name)}
                            for name in BUDGETS]}

    def durable(self) -> Any:
        """The snapshot that the controller has written last."""
        return json.loads(self._storage.snapshot() or '""')

    def end(self) -> None:
        """Ends the controller where it stands."""
        self._baton.abandon()

    def decide(self, batch: Message) -> Message:
        """Tells the controller of the batch, and lets it go as far as it can."""
        shows = any(event["type"] in _OF_A_POLL for event in batch["events"])
        self._idle_polls(self._watches.began_us(batch["t_us"]) if shows else batch["t_us"])
        self._clock.now_us = batch["t_us"]
        poll = not batch["events"] or self._watches.considers_now(self._controller)
        for self._at, event in enumerate(batch["events"]):
            poll |= self._hear(event)
        if not self._over:
            self._go_on(poll)
        answer: Message = {"steps": self._record.take(), "watch": self._watch()}
        if self._controller is not None:
            answer["result"] = self._result()
        return answer

    # Events. True for one that a poll shows.

    def _hear(self, event: Message) -> bool:
        hear = getattr(self, "_on_" + event["type"], None)
        if hear is None or ("epoch" in event and event["epoch"] != self._epoch
                            and event["type"] != "controller_started"):
            return False
        hear(event)
        return event["type"] in _OF_A_POLL

    def _on_controller_started(self, event: Message) -> None:
        self._job, self._epoch = event["job"], event["epoch"]
        self._storage.restore(event["durable"], event["missing"])

    def _on_job_submitted(self, event: Message) -> None:
        self._wanted = event["workers"]
        self._watches.submitted(self._wanted)
        self._resume(None)

    def _on_attempt_running(self, event: Message) -> None:
        self._start_ended(StartAnswer())

    def _on_attempt_start_failed(self, event: Message) -> None:
        self._start_ended(StartAnswer(event["stage"], event["why"],
                                      tuple(ranks_of(event["ranks"]))))

    def _start_ended(self, answer: StartAnswer) -> None:
        self._answers[Starting] = self._answers[Replacing] = answer

    def _on_workers_stopped(self, event: Message) -> None:
        self._answers[Stopping] = event["error"]

    def _on_command_result(self, event: Message) -> None:
        if event["error"] == "none":
            return
        if event["command"] == self._persist_command:
            self._pending.append(OSError("the snapshot could not be written"))
        elif event["command"] == self._start_command:
            self._start_ended(StartAnswer("placement", "error"))
        elif event["command"] == self._stop_command and event["error"] != "unreachable":
            self._answers[Stopping] = ""

    def _on_controller_error(self, event: Message) -> None:
        self._pending.append(error_named(event["error"] or "RuntimeError"))

    def _on_stop_requested(self, event: Message) -> None:
        self._abort = self._abort or event["nth"] == 1
        if event["nth"] >= 3 or not INSTALLED.hears_interrupts:  # the driver ends, and all with it
            self._over = True
            if not INSTALLED.hears_interrupts:
                self._stop_with_process()
            self._record.command("fail", job=self._job, reason="stopped_by_user")

    def _on_capacity_changed(self, event: Message) -> None:
        self._coordinator.possible = event["workers"]
        self._answers[Sizing] = None

    def _on_timer(self, event: Message) -> None:
        self._answers[Sizing] = None
        self._answers[Asleep] = None

    def _on_hang_suspected(self, event: Message) -> None:
        if self._settings.raises_hangs():
            self._workers.hung = True
            return
        self._record.unheard(self._at, "the workers answer their polls")

    def _on_preemption_notice(self, event: Message) -> None:
        # The watcher comes with the group that runs, and looks as soon as it is there.
        if (not event["ranks"] or not self._settings.watches_drains()
                or not isinstance(self._waits_for, Asleep)):
            return
        deadline_us = event["deadline_us"]
        self._workers.notice = INSTALLED.notice(
            self._workers.notice, deadline_us / 1000 if deadline_us else None,
            {str(event["nodes"]): ranks_of(event["ranks"])})
        self._answers[Asleep] = None

    def _on_checkpoint_reported(self, event: Message) -> None:
        metrics = {}
        if event["score_e6"] is not None:
            metrics[self._settings.checkpoint().checkpoint_score_attribute or "score"] = (
                event["score_e6"] / _MILLION)
        path = f"{ROOT}/run/{directory_of(event['checkpoint'])}"
        self._workers.report(event, Checkpoint(path, self._filesystem), metrics)

    def _on_workers_failed(self, event: Message) -> None:
        self._workers.fail(event)

    def _on_workers_finished(self, event: Message) -> None:
        self._workers.finish(event)

    def _on_poll_unanswered(self, event: Message) -> None:
        self._workers.be_silent(ranks_of(event["ranks"]), event["since_us"] / _MILLION,
                                self._group())

    # The controller's thread:

    async def _main(self) -> None:
        patch(self._cluster, len(self._world["inventory"]["jobs"])
              and self._world["inventory"]["jobs"][self._job]["max_workers"])
        clocks.replace(self._clock, self._sleep, lambda: self._made().abort())
        scaling = self._settings.scaling(self._wanted)
        run = RunConfig(name="run", storage_path=ROOT, storage_filesystem=self._filesystem,
                        failure_config=self._settings.failure(),
                        checkpoint_config=self._settings.checkpoint(),
                        callbacks=self._own.callbacks())
        context = INSTALLED.run_context(run, scaling, self._settings.backend())
        TrainController.worker_group_cls = INSTALLED.worker_group(self._cluster.replace)
        self._controller = INSTALLED.controller(
            train_run_context=context,
            scaling_policy=hosted_policy(scaling, self._coordinator, self._wait),
            failure_policy=self._failures,
            callbacks=all_callbacks([self._record, self._hooks], context))
        await INSTALLED.run(self._controller)

    def _group(self) -> Any:
        return self._controller.get_worker_group() if self._controller else None

    def _made(self) -> Any:
        assert self._controller is not None
        return self._controller

    def _sleep(self, delay_s: float) -> bool:
        woken: Woken = self._wait(Asleep(self._clock.now_us + clocks.microseconds(delay_s)))
        self._cluster.decided()
        return woken.abort

    def _block(self, delay_s: float) -> None:
        """As time.sleep in code that the controller runs: the whole control loop stands still."""
        if threading.current_thread() is not threading.main_thread():
            self._baton.wait(Blocked(self._clock.now_us + clocks.microseconds(delay_s)))

    def _wait(self, what: Any) -> Any:
        """As the baton's, and raises what goes wrong in the controller's loop meanwhile."""
        if self._controller is not None:
            self._record.forced(name_of_state(self._controller))
        return self._hooks.wait(what, self._baton.wait)

    # From one wait to the next:

    def _go_on(self, poll: bool) -> None:
        while not self._over:
            self._begin_wait()
            answered, answer = self._answer(poll)
            if not answered:
                break
            if isinstance(self._waits_for, Asleep):
                poll = False  # one poll a batch
            self._resume(answer)
        self._answers.clear()

    def _resume(self, answer: Any) -> None:
        self._waits_for = self._baton.resume(answer)
        if self._deleted_now:
            self._record.command("delete_checkpoints", job=self._job,
                                 checkpoints=sorted(self._deleted_now))
            self._deleted_now.clear()
        if isinstance(self._waits_for, Ended):
            self._finish(self._waits_for.error)

    def _begin_wait(self) -> None:
        """The command that belongs to a wait that has just begun."""
        wait = self._waits_for
        if isinstance(wait, Starting) and not self._start_command:
            self._epoch += 1
            self._workers = Workers(wait.workers)
            self._watches.anchor_us = None
            self._start_command = self._record.command(
                "start_attempt", job=self._job, epoch=self._epoch, workers=wait.workers,
                placement_wait_us=clocks.microseconds(wait.limit_s),
                report_barrier_timeout_us=self._settings.barrier_us(),
                **{"from": self._result()["latest"]})
        elif isinstance(wait, Replacing) and not self._start_command:
            self._epoch += 1
            self._workers.replace(wait.ranks)
            self._watches.anchor_us = None
            self._start_command = self._record.command(
                "replace_workers", job=self._job, epoch=self._epoch, ranks=list(wait.ranks),
                placement_wait_us=self._settings.start_limit_us())
        elif isinstance(wait, Stopping) and not self._stop_command:
            self._stop_command = self._record.command(
                "stop_workers", job=self._job, epoch=self._epoch,
                grace_us=clocks.microseconds(wait.grace_s))

    def _answer(self, poll: bool) -> tuple[bool, Any]:
        """Whether the wait is over, and the answer to it."""
        wait = self._waits_for
        if isinstance(wait, Blocked):
            return self._clock.now_us >= wait.until_us, None
        if self._pending and self._record.state not in ENDING:
            self._start_command = 0  # a stop goes on, and the next one finds it under way
            self._catch_up()
            return True, self._pending.pop(0)
        if isinstance(wait, Asleep):
            if self._abort:
                self._abort, self._aborted = False, True
                return True, Woken(abort=True)
            due = (poll or Asleep in self._answers) and self._clock.now_us >= wait.until_us
            self._answers.pop(Asleep, None)
            if due and self._workers.hung:
                self._catch_up()  # the poll will raise, and not count as one
            return due, Woken()
        if type(wait) not in self._answers:
            return False, None
        if isinstance(wait, Starting | Replacing):
            self._start_command = 0
        elif isinstance(wait, Stopping):
            self._stop_command = 0
        return True, self._answers.pop(type(wait))

    def _catch_up(self) -> None:
        """Tells the controller of the last of the polls that were leapt over."""
        if isinstance(self._waits_for, Asleep) and self._controller is not None:
            last_us = self._watches.last_poll_us()
            if last_us is not None:
                self._controller._latest_poll_time = last_us / _MILLION

    def _stop_with_process(self) -> None:
        """Workers die with the process of the controller, which made them. Those that a failed
        start has left behind are not its own any more."""
        if not self._stop_command and self._cluster.has_workers(self._group() is not None):
            self._stop_command = self._record.command(
                "stop_workers", job=self._job, epoch=self._epoch, grace_us=0)

    def _finish(self, error: BaseException | None) -> None:
        if isinstance(error, Spins):
            raise RuntimeError(str(error))
        state = self._record.state
        true_state = self._controller and name_of_state(self._controller)
        if self._aborted and state != "ABORTED":
            state = "ABORTED"  # the driver ends so, also where the workers' shutdown has raised
        self._over = True
        if true_state == "ERRORED" and state != "ERRORED":  # its failure policy has raised
            self._record.forced("ERRORED")
            reason = f"unrecoverable({self._failures.raised})"
        elif state == "FINISHED" and error is None:
            self._record.command("complete", job=self._job)
            return
        else:
            if error is not None and state not in ("ABORTED", "ERRORED"):
                traceback.print_exception(error)
            self._stop_with_process()
            reason = self._record.reason(state, error)
        self._record.command("fail", job=self._job, reason=reason)

    # Storage:

    def _snapshot_written(self) -> None:
        latest = self._result()["latest"]
        if latest is not None and latest != self._committed:
            self._committed = latest
            self._record.command("commit_checkpoint", job=self._job, checkpoint=latest)
        self._persist_command = self._record.command("persist", job=self._job)

    def _result(self) -> Message:
        if self._controller is None:
            return {"latest": None, "best": None}
        scored = self._settings.checkpoint().checkpoint_score_attribute is not None
        return results_of(self._controller._checkpoint_manager, scored)

    # Watches:

    def _watch(self) -> Message:
        if self._over or isinstance(self._waits_for, Ended) or self._controller is None:
            return self._watches.before() if not self._over else {}
        return self._watches.of(self._waits_for, self._epoch, self._controller, self._workers)

    def _idle_polls(self, until_us: int) -> None:
        """Considerations at polls that showed nothing and of which the simulator did not tell."""
        while isinstance(self._waits_for, Asleep) and not self._over and self._controller:
            at_us = self._watches.considers_us(self._controller)
            if at_us is None or at_us >= until_us:
                return
            self._clock.now_us = at_us
            self._go_on(poll=True)


def main(words: list[str]) -> None:
    """Answers standard input until it ends. `words` name classes of the user's own."""
    own = own_code(words)
    logging.disable(logging.CRITICAL)
    serve(Loop("ray_train", ray.__version__, lambda world: RayTrainRun(world, own)))
