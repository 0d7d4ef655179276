"""Checkpoints as real files: one a step, whole or not there, with a digest that a reader checks."""
import hashlib
import os
from pathlib import Path

_BYTES = 1 << 16


class Unreadable(RuntimeError):
    """A checkpoint that is there and cannot be read. `step` is the one it is of."""

    def __init__(self, step: int, why: str) -> None:
        super().__init__(f"the checkpoint of step {step} cannot be read: {why}")
        self.step = step


class Files:
    """Checkpoints in a folder that all ranks share. Of `keep`, where given, the newest stay."""

    def __init__(self, folder: Path, keep: int | None = None,
                 progress: Path | None = None) -> None:
        """`progress` is a file that has the newest step as a number, as Megatron writes it."""
        self._folder = folder
        self._progress = progress
        self._keep = keep

    def steps(self) -> list[int]:
        """The steps that there are checkpoints of, newest first."""
        found = [int(path.stem) for path in self._folder.glob("*.ckpt")]
        return sorted(found, reverse=True)

    def save(self, step: int) -> None:
        """Writes the checkpoint of a step. Raises OSError, on a full disk for one; then it is not
        there."""
        body = (f"step {step}\n".encode() * _BYTES)[:_BYTES]
        part = self._folder / f"{step}.part"
        try:
            with part.open("wb") as file:
                file.write(hashlib.sha256(body).digest() + body)
                file.flush()
                os.fsync(file.fileno())
            part.rename(self.path(step))
            if self._progress is not None:
                self._progress.write_text(str(step), encoding="utf-8")
        except OSError:
            part.unlink(missing_ok=True)
            raise
        if self._keep is not None:
            for old in self.steps()[self._keep:]:
                self.path(old).unlink(missing_ok=True)

    def load(self, step: int) -> None:
        """Reads it. Raises Unreadable."""
        try:
            read = self.path(step).read_bytes()
        except OSError as error:
            raise Unreadable(step, str(error)) from error
        digest, body = read[:32], read[32:]
        if len(body) != _BYTES or hashlib.sha256(body).digest() != digest:
            raise Unreadable(step, "it is torn or corrupt")

    def path(self, step: int) -> Path:
        """The file of a step."""
        return self._folder / f"{step}.ckpt"
