"""The scenario's settings of the policy as Ray Train's own configuration objects."""
import dataclasses
import difflib
import os
from collections.abc import Callable
from typing import Any

from ray.train.backend import Backend, BackendConfig
from ray.train.v2._internal.constants import DEFAULT_WORKER_GROUP_START_TIMEOUT_S
from ray.train.v2.api.config import CheckpointConfig, FailureConfig, ScalingConfig

from hosting.messages import Message, Refused, issue
from ray_train.clock import microseconds


def _integer(value: Any) -> bool:
    return type(value) is int


def _positive(value: Any) -> bool:
    return type(value) is int and value > 0


def _seconds(value: Any) -> bool:
    return type(value) in (int, float) and value >= 0


def _boolean(value: Any) -> bool:
    return type(value) is bool


def _workers(value: Any) -> bool:
    return _positive(value) or (isinstance(value, list) and len(value) == 2
                                and all(map(_integer, value)) and 0 <= value[0] <= value[1])


@dataclasses.dataclass(frozen=True)
class Setting:
    """What is right for a setting, in words, and the variable that Ray reads for it."""

    right: Callable[[Any], bool]
    expected: str
    variable: str = ""


SETTINGS = {
    "max_failures": Setting(_integer, "an integer; -1 means no limit"),
    "controller_failure_limit": Setting(_integer, "an integer; -1 means no limit"),
    "max_preemption_failures": Setting(_integer, "an integer; -1 means no limit"),
    "relax_collectives_on_preemption": Setting(_boolean, "true or false"),
    "preemption_grace_s": Setting(_seconds, "seconds, at least 0"),
    "num_to_keep": Setting(_positive, "an integer of at least 1"),
    "checkpoint_score_attribute": Setting(lambda value: isinstance(value, str), "a string"),
    "checkpoint_score_order": Setting(lambda value: value in ("max", "min"), "max or min"),
    "num_workers": Setting(_workers, "an integer of at least 1, or [least, most]"),
    "replica_groups": Setting(_boolean, "true or false"),
    "elastic_resize_monitor_interval_s": Setting(_seconds, "seconds, at least 0"),
    "health_check_interval_s": Setting(_seconds, "seconds, at least 0",
                                       "RAY_TRAIN_HEALTH_CHECK_INTERVAL_S"),
    "worker_health_check_timeout_s": Setting(_seconds, "seconds, at least 0",
                                             "RAY_TRAIN_WORKER_HEALTH_CHECK_TIMEOUT_S"),
    "worker_group_start_timeout_s": Setting(_seconds, "seconds, at least 0",
                                            "RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S"),
    "collective_timeout_s": Setting(_seconds, "seconds, at least 0",
                                    "RAY_TRAIN_COLLECTIVE_TIMEOUT_S"),
    "enable_preemption_watcher": Setting(_boolean, "true or false",
                                         "RAY_TRAIN_ENABLE_PREEMPTION_WATCHER"),
    "preemption_poll_interval_s": Setting(_seconds, "seconds, at least 0",
                                          "RAY_TRAIN_PREEMPTION_POLL_INTERVAL_S"),
}


class _Replicas(Backend):
    has_replica_groups = True


class _ReplicaGroups(BackendConfig):
    @property
    def backend_cls(self) -> type[Backend]:
        return _Replicas


class Settings:
    """The settings of one run: what is in the scenario's config and environment."""

    def __init__(self, policy: Message) -> None:
        self._given: dict[str, Any] = policy["config"]
        if issues := [row for name in self._given if (row := _wrong(name, self._given[name]))]:
            raise Refused(issues)
        self.variables = {SETTINGS[name].variable: str(int(value) if _boolean(value) else value)
                          for name, value in self._given.items()
                          if SETTINGS[name].variable} | dict(policy.get("env", {}))

    def apply(self) -> None:
        """Makes the environment that of the run; what an earlier run has set is gone."""
        for name in [name for name in os.environ if name.startswith("RAY_TRAIN_")]:
            del os.environ[name]
        os.environ.update(self.variables)

    def number(self, variable: str, otherwise: float) -> float:
        """The value of a variable of Ray's, or its default."""
        return float(self.variables.get(variable, otherwise))

    def start_limit_us(self) -> int:
        """The longest wait for the resources of a worker group."""
        return microseconds(self.number("RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S",
                                        DEFAULT_WORKER_GROUP_START_TIMEOUT_S))

    def watches_drains(self) -> bool:
        """Whether nodes that are to be taken away are looked for."""
        word = self.variables.get("RAY_TRAIN_ENABLE_PREEMPTION_WATCHER", "1")
        return word.lower() in ("1", "true") and not self._given.get("replica_groups")

    def backend(self) -> BackendConfig:
        """BackendConfig of the run: whether each worker is a replica group of its own."""
        return _ReplicaGroups() if self._given.get("replica_groups") else BackendConfig()

    def failure(self) -> FailureConfig:
        """FailureConfig of the run."""
        return FailureConfig(**self._of(FailureConfig))

    def checkpoint(self) -> CheckpointConfig:
        """CheckpointConfig of the run."""
        return CheckpointConfig(**self._of(CheckpointConfig))

    def scaling(self, workers: int) -> ScalingConfig:
        """ScalingConfig of a job that asks for so many workers, of a GPU each."""
        given = self._of(ScalingConfig)
        wanted = given.get("num_workers", workers)
        given["num_workers"] = (tuple(min(size, workers) for size in wanted)
                                if isinstance(wanted, list) else min(wanted, workers))
        return ScalingConfig(**given, use_gpu=True, resources_per_worker={"GPU": 1})

    def _of(self, config: type) -> dict[str, Any]:
        names = {field.name for field in dataclasses.fields(config)}
        return {name: value for name, value in self._given.items() if name in names}


def _wrong(name: str, value: Any) -> Message | None:
    setting = SETTINGS.get(name)
    if setting is None:
        near = difflib.get_close_matches(name, SETTINGS, 1)
        return issue(name, "no such setting", "a setting of Ray Train", *near)
    if not setting.right(value):
        return issue(name, f"got {value!r}", setting.expected)
    return None
