"""The scenario's settings of the policy as Ray Tune's own configuration objects."""
import difflib
import json
import os
from collections.abc import Callable
from typing import Any

from ray.tune import CheckpointConfig, FailureConfig

import hosting.messages
from hosting.messages import Message, Refused, issue

_LARGEST = 2**53
_LONGEST_S = 1e9
_WORDS = [f"AUTO{suffix}" for suffix in (
    "", "+ERRORED", "+RESTART_ERRORED", "+ERRORED_ONLY", "+RESTART_ERRORED_ONLY")]


def _integer(least: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and least <= value <= _LARGEST


def _seconds(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= _LONGEST_S


def _names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) and name for name in value)


def _flag(value: Any) -> bool:
    return type(value) is bool


def _fail_fast(value: Any) -> bool:
    return _flag(value) or (isinstance(value, str) and value.lower() == "raise")


def _name(value: Any) -> bool:
    return isinstance(value, str) and value.isidentifier()


Rule = tuple[Callable[[Any], bool], str]
_NAMES: Rule = (_names, "a list of names")
_TRUTH: Rule = (_flag, "true or false")
_TRAINABLE: Rule = (_name, "the name of a function of Python")
SETTINGS: dict[str, Rule] = {
    "max_failures": (_integer(-_LARGEST), "an integer; a negative one means unlimited"),
    "fail_fast": (_fail_fast, 'true, false or "raise"'),
    "num_to_keep": (_integer(1), "an integer of at least 1"),
    "max_concurrent_trials": (_integer(0), "an integer of at least 0, which means no limit"),
    "snapshot_save_s": (_seconds, "seconds, from 0 to 10^9"),
    "trainable": _TRAINABLE, "param_space": _NAMES, "object_refs": _NAMES,
    "restore": (lambda value: value is None or isinstance(value, bool | dict),
                "true, false or an object"),
    "resume": (lambda value: _flag(value) or value in _WORDS,
               "true, false or one of " + ", ".join(_WORDS)),
}
RESTORE: dict[str, Rule] = {
    "when": (lambda value: value in ("can_restore", "always"), '"can_restore" or "always"'),
    "resume_unfinished": _TRUTH, "resume_errored": _TRUTH, "restart_errored": _TRUTH,
    "trainable": _TRAINABLE, "param_space": _NAMES, "object_refs_given_anew": _TRUTH,
}
_VARIABLES: dict[str, Callable[[str], bool]] = {
    "TUNE_GLOBAL_CHECKPOINT_S": lambda text: text == "auto" or _seconds(float(text)),
    "TUNE_RESTORE_RETRY_NUM": lambda text: abs(int(text)) <= _LARGEST,
    "RAY_TRAIN_COUNT_PREEMPTION_AS_FAILURE": lambda text: text in ("0", "1"),
    "TUNE_FORCE_TRIAL_CLEANUP_S": lambda text: _seconds(int(text)),
    "TUNE_MAX_PENDING_TRIALS_PG": lambda text: text == "auto" or 0 < int(text) < 2**31,
    "RAY_CHDIR_TO_TRIAL_DIR": lambda text: text in ("0", "1"),
}


class ObjectReference:
    """Stands for an object of a session of Ray, which another session does not have."""

    def __init__(self, session: int) -> None:
        self.session = session


class Settings:
    """The settings of one run: what is in the scenario's config and environment."""

    def __init__(self, policy: Message) -> None:
        self._given: dict[str, Any] = policy["config"] or {}
        self.variables: dict[str, str] = policy.get("env", {})
        issues = _wrong_members("config", self._given, SETTINGS)
        restore = self._given.get("restore")
        if isinstance(restore, dict):
            issues += _wrong_members("config/restore", restore, RESTORE)
        issues += [row for name, text in self.variables.items()
                   if (row := _wrong_variable(name, text))]
        if not issues and self._given.get("fail_fast") and self._given.get("max_failures"):
            issues.append(issue("/config/fail_fast", "Tune raises ValueError for fail_fast with "
                                "max_failures", "max_failures 0 with fail_fast, or no fail_fast"))
        if "resume" in self._given and "restore" in self._given:
            issues.append(issue("/config/resume", "given together with restore", "one of the two"))
        if issues:
            raise Refused(issues)
        self.restore: dict[str, Any] | None = None
        if restore:
            self.restore = {"when": "can_restore"} | (restore if isinstance(restore, dict) else {})
        self.resume: Any = self._given.get("resume", False)
        self.save_s = float(self._given.get("snapshot_save_s", 0))
        self.trainable: str = self._given.get("trainable", "trainable")

    def apply(self) -> None:
        """Makes the environment that of the run; what an earlier run has set is gone."""
        for name in [name for name in os.environ if name.startswith(("TUNE_", "RAY_TRAIN_"))]:
            del os.environ[name]
        os.environ.update({"TUNE_DISABLE_AUTO_CALLBACK_LOGGERS": "1",
                           "TUNE_PRINT_ALL_TRIAL_ERRORS": "0"})
        os.environ.update(self.variables)

    def failure(self) -> FailureConfig:
        """FailureConfig of the run."""
        return FailureConfig(max_failures=self._given.get("max_failures", 0),
                             fail_fast=self._given.get("fail_fast", False))

    def checkpoint(self) -> CheckpointConfig:
        """CheckpointConfig of the run."""
        return CheckpointConfig(num_to_keep=self._given.get("num_to_keep"))

    def concurrent(self) -> int | None:
        """max_concurrent_trials; None for no limit."""
        return self._given.get("max_concurrent_trials") or None

    def limits(self) -> dict[str, int | None]:
        """The limit of each budget; None where there is none."""
        limit = self._given.get("max_failures", 0)
        return {"max_failures": limit if limit >= 0 else None,
                "restore_failures": int(self.variables.get("TUNE_RESTORE_RETRY_NUM", 0))}

    def cleanup_us(self) -> int:
        """Patience with an actor that is to stop."""
        return int(self.variables.get("TUNE_FORCE_TRIAL_CLEANUP_S", "600")) * 1_000_000

    def space(self, session: int) -> dict[str, Any]:
        """param_space without the searcher's part; object references are of this session."""
        references = self._given.get("object_refs", [])
        return {name: ObjectReference(session) if name in references else 0
                for name in {*self._given.get("param_space", []), *references}}

    def space_given_anew(self, session: int) -> dict[str, Any] | None:
        """param_space as Tuner.restore gets it; None where it is left out."""
        restore = self.restore or {}
        if restore.get("object_refs_given_anew"):
            return self.space(session)
        names = restore.get("param_space")
        return None if names is None else dict.fromkeys(names, 0)


def _wrong_members(at: str, given: dict[str, Any], known: dict[str, Rule]) -> list[Message]:
    issues = []
    for name, value in given.items():
        pointer = f"/{at}" + hosting.messages.pointer(name)
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            issues.append(issue(pointer, "no such setting", "a setting of Ray Tune", *near))
        elif value is not None and not known[name][0](value):
            issues.append(issue(pointer, f"got {json.dumps(value)}", known[name][1]))
    return issues


def _wrong_variable(name: str, text: str) -> Message | None:
    pointer = hosting.messages.pointer("env", name)
    if not name.startswith(("TUNE_", "RAY_TRAIN_", "RAY_CHDIR")):
        return None
    if name not in _VARIABLES:
        near = difflib.get_close_matches(name, _VARIABLES, 1)
        return issue(pointer, "no recovery of Ray Tune reads this variable, or it is not hosted",
                     "one that it reads", *near)
    try:
        right = _VARIABLES[name](text)
    except ValueError:
        right = False
    return None if right else issue(pointer, f"got {json.dumps(text)}", "a value that Tune reads")
