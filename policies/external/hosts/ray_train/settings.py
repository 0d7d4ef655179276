"""The scenario's settings of the policy as Ray Train's own configuration objects."""
import dataclasses
import difflib
import json
import os
from collections.abc import Callable
from typing import Any

from ray.train import CheckpointConfig
from ray.train.backend import Backend, BackendConfig
from ray.train.v2._internal import constants
from ray.train.v2.api.config import FailureConfig, ScalingConfig

import hosting.messages
from hosting.messages import Message, Refused, issue
from ray_train.clock import microseconds
from ray_train.versions import INSTALLED

# Names of variables that this version of Ray Train reads.
_VARIABLES = {value for name, value in vars(constants).items()
              if isinstance(value, str) and value.startswith("RAY_TRAIN_")}
_DETECTOR = "RAY_TRAIN_ENABLE_NCCL_HANG_DETECTOR"
_ACTION = "RAY_TRAIN_NCCL_RAS_ACTION"
_LARGEST = 2**53  # of a number in a message
_LONGEST_S = 1e9


def _limit(value: Any) -> bool:
    return type(value) is int and -1 <= value <= _LARGEST


def _positive(value: Any) -> bool:
    return type(value) is int and 0 < value <= _LARGEST


def _seconds(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= _LONGEST_S


def _period(value: Any) -> bool:
    return _seconds(value) and value >= 1e-3


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _order(value: Any) -> bool:
    return value in ("max", "min")


def _boolean(value: Any) -> bool:
    return type(value) is bool


def _workers(value: Any) -> bool:
    if isinstance(value, list):
        return (INSTALLED.has_elastic_groups and len(value) == 2
                and all(type(size) is int for size in value)
                and 0 <= value[0] <= value[1] <= _LARGEST)
    return _positive(value)


@dataclasses.dataclass(frozen=True)
class Setting:
    """The values that a setting may have, in words, too, and the variable that Ray reads for it."""

    right: Callable[[Any], bool]
    expected: str
    variable: str = ""


_LIMIT = "an integer of at least -1, which means no limit"
_SECONDS = "seconds, from 0 to 10^9"
_PERIOD = "seconds, from 0.001 to 10^9: with 0 the controller would spin"
_FLAG = "true or false"

_FIELDS = {field.name for config in (FailureConfig, CheckpointConfig, ScalingConfig)
           for field in dataclasses.fields(config)}


def _exists(name: str, setting: Setting) -> bool:
    """Whether this version of Ray Train has it."""
    if name == "replica_groups":
        return INSTALLED.has_replica_groups
    return setting.variable in _VARIABLES if setting.variable else name in _FIELDS


_SETTINGS = {
    "max_failures": Setting(_limit, _LIMIT),
    "controller_failure_limit": Setting(_limit, _LIMIT),
    "max_preemption_failures": Setting(_limit, _LIMIT),
    "relax_collectives_on_preemption": Setting(_boolean, _FLAG),
    "preemption_grace_s": Setting(_seconds, _SECONDS),
    "num_to_keep": Setting(_positive, "an integer of at least 1"),
    "checkpoint_score_attribute": Setting(_text, "a string"),
    "checkpoint_score_order": Setting(_order, "max or min"),
    "num_workers": Setting(_workers, "an integer of at least 1, or [least, most]"
                           if INSTALLED.has_elastic_groups else "an integer of at least 1"),
    "replica_groups": Setting(_boolean, _FLAG),
    "elastic_resize_monitor_interval_s": Setting(_seconds, _SECONDS),
    "health_check_interval_s": Setting(_period, _PERIOD, "RAY_TRAIN_HEALTH_CHECK_INTERVAL_S"),
    "worker_health_check_timeout_s": Setting(_seconds, _SECONDS,
                                             "RAY_TRAIN_WORKER_HEALTH_CHECK_TIMEOUT_S"),
    "worker_group_start_timeout_s": Setting(_seconds, _SECONDS,
                                            "RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S"),
    "report_barrier_timeout_s": Setting(_seconds, _SECONDS, "RAY_TRAIN_REPORT_BARRIER_TIMEOUT_S"),
    "collective_timeout_s": Setting(_seconds, _SECONDS, "RAY_TRAIN_COLLECTIVE_TIMEOUT_S"),
    "enable_preemption_watcher": Setting(_boolean, _FLAG, "RAY_TRAIN_ENABLE_PREEMPTION_WATCHER"),
    "preemption_poll_interval_s": Setting(_period, _PERIOD,
                                          "RAY_TRAIN_PREEMPTION_POLL_INTERVAL_S"),
    "nccl_hang_callback": Setting(_boolean, _FLAG, _DETECTOR),
    "nccl_hang_poll_interval_s": Setting(_period, _PERIOD,
                                         "RAY_TRAIN_NCCL_RAS_MIN_POLL_INTERVAL_S"),
    "nccl_hang_confirm_s": Setting(_period, _PERIOD,
                                   "RAY_TRAIN_NCCL_RAS_CONFIRM_DURATION_S"),
}
SETTINGS = {name: row for name, row in _SETTINGS.items() if _exists(name, row)}
_FAIL = "fail"
_ACTIONS = (_FAIL, "observe")


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
        variables: dict[str, str] = policy.get("env", {})
        issues = [row for name in self._given if (row := _wrong(name, self._given[name]))]
        issues += [row for name in variables if (row := _wrong_variable(name, variables[name]))]
        if issues:
            raise Refused(issues)
        self._environment = variables
        self.variables = {SETTINGS[name].variable: str(int(value) if _boolean(value) else value)
                          for name, value in self._given.items()
                          if SETTINGS[name].variable} | variables

    def apply(self) -> None:
        """Makes the environment that of the run; what an earlier run has set is gone."""
        for name in [name for name in os.environ if name.startswith("RAY_TRAIN_")]:
            del os.environ[name]
        os.environ.update({"RAY_TRAIN_V2_ENABLED": "1"} | self.variables)

    def number(self, variable: str, otherwise: float) -> float:
        """The value of a variable of Ray's, or its default."""
        return float(self.variables.get(variable, otherwise))

    def start_limit_us(self) -> int:
        """The longest wait for the resources of a worker group."""
        return microseconds(self.number("RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S",
                                        constants.DEFAULT_WORKER_GROUP_START_TIMEOUT_S))

    def barrier_us(self) -> int | None:
        """The longest wait of a rank in report() for the others; None: it waits on."""
        variable, otherwise = INSTALLED.barrier
        limit_s = self.variables.get(variable, otherwise)
        return None if limit_s is None else microseconds(float(limit_s))

    def watches_drains(self) -> bool:
        """Whether nodes that are to be taken away are looked for."""
        if not INSTALLED.has_preemption:
            return False
        word = self.variables.get("RAY_TRAIN_ENABLE_PREEMPTION_WATCHER", "1")
        return word.lower() in ("1", "true") and not self._given.get("replica_groups")

    def raises_hangs(self) -> bool:
        """Whether a collective that hangs is an error. A detector that the environment installs
        only tells of it, unless the environment has it fail the run."""
        action = self._environment.get(_ACTION, "").lower()
        return (self.variables.get(_DETECTOR, "0").lower() in ("1", "true")
                and (_DETECTOR not in self._environment
                     or action == _FAIL))

    def backend(self) -> BackendConfig:
        """BackendConfig of the run: whether each worker is a replica group of its own."""
        return _ReplicaGroups() if self._given.get("replica_groups") else BackendConfig()

    def failure(self) -> FailureConfig:
        """FailureConfig of the run."""
        return FailureConfig(**self._of(FailureConfig))

    def relaxes(self) -> bool:
        """Whether collectives go on without ranks that a notice names."""
        return bool(self._given.get("relax_collectives_on_preemption", False))

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
    pointer = hosting.messages.pointer("config", name)
    setting = SETTINGS.get(name)
    if setting is None:
        near = difflib.get_close_matches(name, SETTINGS, 1)
        return issue(pointer, "no such setting", "a setting of Ray Train", *near)
    if not setting.right(value):
        return issue(pointer, f"got {json.dumps(value)}", setting.expected)
    return None


def _wrong_variable(name: str, text: str) -> Message | None:
    """Ray would take it for no number in the middle of a run, or would not read it at all."""
    pointer = hosting.messages.pointer("env", name)
    if not name or "=" in name or "\0" in name + text:
        return issue(pointer, "is no name or value of a variable", "NAME and a text without NUL")
    if not name.startswith("RAY_TRAIN_"):
        return None
    if name == "RAY_TRAIN_V2_ENABLED":
        return None if text.lower() in ("1", "true") else issue(
            pointer, f"got {json.dumps(text)}", "1: a trainer of V1 has no controller to host")
    if name not in _VARIABLES:
        near = difflib.get_close_matches(name, sorted(_VARIABLES), 1)
        return issue(pointer, "Ray Train reads no such variable", "one that it reads", *near)
    if name == _ACTION and text.lower() not in _ACTIONS:
        return issue(pointer, f"got {json.dumps(text)}", " or ".join(_ACTIONS))
    setting = next((row for row in SETTINGS.values() if row.variable == name), None)
    if setting is None:
        return None
    if setting.right is _boolean:
        right = text.lower() in ("0", "1", "true", "false")
    else:
        try:
            right = setting.right(float(text))
        except ValueError:
            right = False
    return None if right else issue(pointer, f"got {json.dumps(text)}", setting.expected)
