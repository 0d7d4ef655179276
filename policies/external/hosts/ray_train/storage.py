"""The run's storage: a file system in memory that tells the host of snapshots and deletions."""
import io
import re
from collections.abc import Callable
from typing import Any

import pyarrow as pa
from pyarrow import fs
from ray.train.v2._internal.execution.checkpoint.checkpoint_manager import (
    CheckpointManager,
)

SNAPSHOT = "checkpoint_manager_snapshot.json"
ROOT = "run-storage"
_CHECKPOINT = re.compile(r"checkpoint_(\d{6,})$")


def directory_of(checkpoint: int) -> str:
    """The directory that storage knows the checkpoint by."""
    return f"checkpoint_{checkpoint:06d}"


def checkpoint_of(path: str) -> int:
    """The number of the checkpoint that lies at the path."""
    found = _CHECKPOINT.search(path)
    if found is None:
        raise ValueError(f"{path} is not a path of a checkpoint")
    return int(found[1])


def _number_of(result: Any) -> int | None:
    return None if result is None else checkpoint_of(result.checkpoint.path)


def results_of(manager: CheckpointManager, scored: bool) -> dict[str, int | None]:
    """The numbers of the latest checkpoint and, of those that are `scored`, of the best one."""
    return {"latest": _number_of(manager.latest_checkpoint_result),
            "best": _number_of(manager.best_checkpoint_result) if scored else None}


class _Written(io.BytesIO):
    def __init__(self, done: Callable[[bytes], None]) -> None:
        super().__init__()
        self._done = done

    def close(self) -> None:
        if not self.closed:
            self._done(self.getvalue())
        super().close()


class RunStorage(fs.FileSystemHandler):
    """Files in memory. Directories of checkpoints are there but for those `missing` or deleted."""

    def __init__(self, on_snapshot: Callable[[], None], on_delete: Callable[[int], None]) -> None:
        self._files: dict[str, bytes] = {}
        self._gone: set[int] = set()
        self._on_snapshot = on_snapshot
        self._on_delete = on_delete

    def restore(self, snapshot: str, missing: list[int]) -> None:
        """Puts what an earlier controller has left in storage."""
        self._gone.update(missing)
        if snapshot:
            self._files[f"{ROOT}/run/{SNAPSHOT}"] = snapshot.encode()

    def snapshot(self) -> str:
        """The text of the snapshot; "" where none was written."""
        return self._files.get(f"{ROOT}/run/{SNAPSHOT}", b"").decode()

    def get_type_name(self) -> str:
        return "run-storage"

    def get_file_info(self, paths: list[str]) -> list[fs.FileInfo]:
        return [fs.FileInfo(path, self._type_of(path)) for path in paths]

    def _type_of(self, path: str) -> fs.FileType:
        if path in self._files:
            return fs.FileType.File
        if (found := _CHECKPOINT.search(path)) is not None:
            return (fs.FileType.NotFound if int(found[1]) in self._gone
                    else fs.FileType.Directory)
        return fs.FileType.NotFound

    def open_output_stream(self, path: str, metadata: object) -> pa.NativeFile:
        def done(content: bytes) -> None:
            self._files[path] = content
            if path.endswith(SNAPSHOT):
                self._on_snapshot()
        return pa.PythonFile(_Written(done), mode="w")

    def open_input_stream(self, path: str) -> pa.NativeFile:
        return pa.PythonFile(io.BytesIO(self._files[path]), mode="r")

    def delete_dir(self, path: str) -> None:
        checkpoint = checkpoint_of(path)
        self._gone.add(checkpoint)
        self._on_delete(checkpoint)

    def create_dir(self, path: str, recursive: bool) -> None:
        """Directories need no making here."""

    def normalize_path(self, path: str) -> str:
        return path

    def _never(self, *arguments: object) -> None:
        raise NotImplementedError("Ray Train's controller does not do this to its storage")

    delete_dir_contents = delete_root_dir_contents = delete_file = move = copy_file = _never
    open_append_stream = open_input_file = get_file_info_selector = _never
