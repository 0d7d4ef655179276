"""A user's own subclass of FailurePolicy and her own callbacks, from files of hers.

Ray's controller calls them as it calls its own. Their modules are run anew for each run, so that
what one leaves in them does not reach the next, and have the simulator's time for theirs.
"""
import argparse
import difflib
import importlib.util
import inspect
import random
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from ray.train.v2._internal.execution.failure_handling import (
    FailurePolicy,
    create_failure_policy,
)
from ray.train.v2.api.callback import RayTrainCallback
from ray.train.v2.api.config import FailureConfig

import hosting.messages
from hosting.messages import Refused, issue
from ray_train.clock import Clock
from ray_train.own_time import give_time

Block = Callable[[float], None]


class Unusable(Exception):
    """The file or class cannot be hosted; the text says which, where and why."""


class _Class:
    """One FILE:CLASS of the command line."""

    def __init__(self, option: str, text: str, base: type) -> None:
        file, _, self.name = text.rpartition(":")
        self._option = f"{option} {text}"
        self._base = base
        self.path = Path(file)
        if not file or not self.name:
            raise self._unusable("expected FILE:CLASS")
        if not self.path.is_file():
            raise self._unusable(f"{self.path} is not in {Path.cwd()}")

    def _unusable(self, why: str) -> Unusable:
        return Unusable(f"{self._option}: {why}")

    def of(self, module: ModuleType) -> type:
        """The class in its module; raises Unusable."""
        found = getattr(module, self.name, None)
        if found is None:
            near = difflib.get_close_matches(self.name, [
                name for name, value in vars(module).items() if isinstance(value, type)], 1)
            guess = f"; did you mean {near[0]}?" if near else ""
            raise self._unusable(f"{self.path} has no class {self.name}{guess}")
        if not (isinstance(found, type) and issubclass(found, self._base)):
            raise self._unusable(f"{self._line_of(found)}: {self.name} is not a subclass of "
                                 f"{self._base.__module__}.{self._base.__name__}")
        return found

    def make(self, module: ModuleType, *given: Any) -> Any:
        """An object of the class; raises Unusable."""
        found = self.of(module)
        try:
            return found(*given)
        except Exception as error:
            place = place_of(error, [self.path]) or self._line_of(found)
            taken = "failure_config" if given else "no arguments"
            raise self._unusable(f"{place}: {type(error).__name__}: {error} "
                                 f"(the class is called with {taken})") from error

    def _line_of(self, found: Any) -> str:
        try:
            return f"{self.path}:{inspect.getsourcelines(found)[1]}"
        except (OSError, TypeError):
            return str(self.path)


def place_of(error: BaseException, files: list[Path]) -> str:
    """FILE:LINE at which code of these files raised the error or led to it; "" for none."""
    own = {str(file.resolve()): file for file in files}
    if isinstance(error, SyntaxError) and error.filename in own:
        return f"{own[error.filename]}:{error.lineno}"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename in own:
            return f"{own[frame.filename]}:{frame.lineno}"
    return ""


class OwnCode:
    """The classes that the command line names, in modules of one run."""

    def __init__(self, failure_policy: str, callbacks: list[str]) -> None:
        self._policy = (_Class("--failure-policy", failure_policy, FailurePolicy)
                        if failure_policy else None)
        self._callbacks = [_Class("--callback", text, RayTrainCallback) for text in callbacks]
        self._modules: dict[Path, ModuleType] = {}
        self._all = [*([self._policy] if self._policy else []), *self._callbacks]
        self.files = list({named.path: None for named in self._all})
        for folder in {str(file.resolve().parent) for file in self.files}:
            sys.path.append(folder)  # for what the files import from beside them

    def begin(self, seed: int, clock: Clock, block: Block) -> None:
        """Runs the files anew for a run of this seed; raises Unusable. Numbers that they draw at
        random are the seed's, and where they sleep they `block`."""
        if not self._all:
            return
        random.seed(seed)
        self._modules = {file: self._run(file) for file in self.files}
        for module in self._modules.values():
            give_time(module, clock, block)

    def check(self) -> None:
        """Raises Unusable for what is wrong with any of the classes."""
        self.begin(0, Clock(), lambda _: None)
        self.failure_policy(FailureConfig())
        self.callbacks()

    def failure_policy(self, config: FailureConfig) -> FailurePolicy:
        """The user's, or Ray's own where there is none; raises Refused where the class does not
        take this configuration."""
        if self._policy is None:
            return create_failure_policy(config)
        try:
            made: FailurePolicy = self._policy.make(self._modules[self._policy.path], config)
        except Unusable as unusable:
            raise Refused([issue(hosting.messages.pointer("config"), str(unusable),
                                 "a configuration that the class takes")]) from unusable
        return made

    def callbacks(self) -> list[Any]:
        """New callbacks, in the order of the command line; raises Unusable."""
        return [named.make(self._modules[named.path]) for named in self._callbacks]

    def named(self) -> str:
        """The classes, behind a description of what they are hosted with."""
        return "".join(f", with {named.name} of {named.path}" for named in self._all)

    def _run(self, file: Path) -> ModuleType:
        name = f"own_{file.stem}"  # other than that of any module of Ray's or of the host's
        spec = importlib.util.spec_from_file_location(name, file.resolve())
        if spec is None or spec.loader is None:
            raise Unusable(f"{file}: a file of Python is expected, with a name that ends in .py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # dataclasses look for their module there
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            raise Unusable(f"{place_of(error, self.files) or file}: "
                           f"{type(error).__name__}: {error}") from error
        return module


def own_code(words: list[str]) -> OwnCode:
    """Reads the words behind the host's name. Ends the process with exit code 2 where they name
    what cannot be hosted."""
    parser = argparse.ArgumentParser(prog="run.py ray_train", allow_abbrev=False)
    parser.add_argument("--failure-policy", metavar="FILE:CLASS", default="",
                        help="a subclass of FailurePolicy that decides in place of Ray's own")
    parser.add_argument("--callback", metavar="FILE:CLASS", action="append", default=[],
                        help="a callback of RunConfig; may be given several times")
    given = parser.parse_args(words)
    try:
        own = OwnCode(given.failure_policy, given.callback)
        own.check()
    except (Unusable, Refused) as wrong:
        text = wrong.issues[0]["message"] if isinstance(wrong, Refused) else wrong
        print(f"run.py ray_train: {text}", file=sys.stderr)
        sys.exit(2)
    return own
