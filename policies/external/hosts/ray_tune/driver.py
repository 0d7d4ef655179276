"""The script of a user of Tune: Tuner(...).fit(), Tuner.restore(...).fit(), or tune.run."""
import threading
import types
from collections.abc import Callable
from typing import Any

import ray
from ray import tune as public
from ray.train._internal import checkpoint_manager, storage
from ray.tune import tune
from ray.tune.execution import (
    class_cache,
    insufficient_resources_manager,
    tune_controller,
)
from ray.tune.execution.tune_controller import TuneController
from ray.tune.experiment.trial import Trial

from hosting.doubles import put
from ray_tune.clock import Instead
from ray_tune.cluster import Cluster
from ray_tune.directory import NAME, Directory
from ray_tune.record import Told
from ray_tune.settings import Settings


class Driver:
    """One run of the script. `controller` is there once tune.run has made it."""

    def __init__(self, settings: Settings, directory: Directory, cluster: Cluster,
                 deleted: Callable[[str], None]) -> None:
        self._settings = settings
        self._directory = directory
        self._cluster = cluster
        self._deleted = deleted
        self.controller: TuneController | None = None
        self.interrupted = threading.Event()

    def patch(self, made: Callable[[], None]) -> None:
        """Puts doubles in the place of Ray Core; `made` is called
        once there is a controller."""
        def control(**named: Any) -> TuneController:
            self.controller = TuneController(
                **named, resource_manager_factory=lambda: self._cluster.resources)
            made()
            return self.controller

        core = Instead(ray, cluster_resources=dict)
        self._cluster.patch()
        put(storage, _get_ray_train_session_dir=lambda: str(self._directory.staging))
        put(class_cache._ActorClassCache, get=lambda _, cls: cls)
        put(checkpoint_manager, _delete_fs_path=lambda fs, fs_path: self._deleted(fs_path))
        put(tune_controller, ray=core)
        put(insufficient_resources_manager, ray=core)
        put(tune, ray=core, _ray_auto_init=lambda **_: None, TuneController=control,
            _setup_signal_catching=lambda: self.interrupted)

    def trials(self) -> list[Trial]:
        """The controller's list of trials; empty where there is no controller yet."""
        controller: Any = self.controller
        return [] if controller is None else list(controller.get_trials())

    def busy(self) -> bool:
        """Whether the control loop has answers at hand that it has not looked at."""
        manager: Any = self.controller and self.controller._actor_manager
        return manager is not None and any(
            future.ready for events in (manager._actor_state_events, manager._actor_task_events)
            for future in events.get_futures())

    def run(self, samples: int, begun: Callable[[bool], None]) -> None:
        """Runs the script, for so many samples of param_space; `begun` hears whether tuner.pkl
        was written."""
        settings = self._settings
        numbers = {"trial": public.grid_search(list(range(samples)))}
        space = settings.space(self._directory.session) | numbers
        name, restore = settings.trainable, settings.restore
        if settings.resume:
            begun(False)
            fail_fast: Any = settings.failure().fail_fast
            tune.run(_trainable(name), config=space, name=NAME, verbose=0, callbacks=[Told()],
                     storage_path=str(self._directory.storage), resume=settings.resume,
                     raise_on_failed_trial=False, max_failures=settings.failure().max_failures,
                     fail_fast=fail_fast,
                     checkpoint_config=settings.checkpoint(),
                     max_concurrent_trials=settings.concurrent())
            return
        path = str(self._directory.path)
        restores = restore and (restore["when"] == "always" or public.Tuner.can_restore(path))
        if restore and restores:
            new_space = settings.space_given_anew(self._directory.session)
            tuner = public.Tuner.restore(
                path, _trainable(restore.get("trainable") or name),
                resume_unfinished=restore.get("resume_unfinished", True),
                resume_errored=restore.get("resume_errored", False),
                restart_errored=restore.get("restart_errored", False),
                param_space=None if new_space is None else new_space | numbers)
        else:
            tuner = public.Tuner(
                _trainable(name), param_space=space,
                tune_config=public.TuneConfig(max_concurrent_trials=settings.concurrent()),
                run_config=public.RunConfig(
                    name=NAME, storage_path=str(self._directory.storage), verbose=0,
                    failure_config=settings.failure(), callbacks=[Told()],
                    checkpoint_config=settings.checkpoint()))
        begun(not restores)
        tuner.fit()


def _trainable(name: str) -> Callable[[dict[str, Any]], None]:
    """A function of this name; the simulator plays what it does."""
    def train(config: dict[str, Any]) -> None:
        """Never called: trials have no actors here."""

    return types.FunctionType(train.__code__, train.__globals__, name)
