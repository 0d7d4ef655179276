"""The background upload of a snapshot: what Ray does in a thread takes simulated time here."""
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ray.train._internal import syncer

from hosting.doubles import put
from ray_tune.clock import Clock, microseconds


class Uploads:
    """Uploads of one driver, each of which takes so long; one at a time."""

    def __init__(self, clock: Clock, save_s: float, folder: Path, block: Callable[[int], None],
                 done: Callable[[], None]) -> None:
        self.clock = clock
        self.save_us = microseconds(save_s)
        self.folder = folder
        self.block = block
        self.done = done
        self.ends_us: int | None = None
        self.finish: Callable[[], None] = lambda: None

    def patch(self) -> None:
        """Puts them in the place of Ray's threads."""
        put(syncer, _BackgroundProcess=lambda fn: _Upload(self, fn))


class _Upload:
    def __init__(self, uploads: Uploads, fn: Callable[..., Any]) -> None:
        self._uploads = uploads
        self._fn = fn
        self.start_time = float("-inf")

    @property
    def is_running(self) -> bool:
        return self._uploads.ends_us is not None

    def start(self, **named: Any) -> None:
        """Takes what is to be uploaded now; it is there when the time is over."""
        uploads = self._uploads
        self.start_time = uploads.clock.seconds()
        if uploads.save_us == 0:
            self._fn(**named)
            uploads.done()
            return
        shutil.rmtree(uploads.folder, ignore_errors=True)
        shutil.copytree(named["local_path"], uploads.folder)
        named["local_path"] = str(uploads.folder)

        def finish() -> None:
            uploads.ends_us = None
            self._fn(**named)
            uploads.done()

        uploads.ends_us = uploads.clock.now_us + uploads.save_us
        uploads.finish = finish

    def wait(self, timeout: float | None = None) -> None:
        """Blocks the driver until it is there."""
        if self._uploads.ends_us is not None:
            self._uploads.block(self._uploads.ends_us)
