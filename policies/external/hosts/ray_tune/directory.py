"""The experiment's directory: what a driver leaves there, as one JSON value.

  {"tuner": tuner.pkl, "experiment_state": {"session": of the driver, "files": newest snapshot}}

A snapshot of any other form than ours was torn; a text that is not such an object is a directory
whose tuner.pkl was.
"""
import base64
import json
import shutil
import tempfile
import zlib
from pathlib import Path
from typing import Any

NAME = "experiment"
_TUNER = "tuner.pkl"
_RANDOM = 8  # characters at the end of a temporary folder's name
_TORN = "experiment_state-0000-00-00_00-00-00.json"


def _packed(content: bytes) -> str:
    return base64.b64encode(zlib.compress(content, 6)).decode()


def _unpacked(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text))


def _anywhere(content: bytes, root: Path) -> bytes:
    """The content with the folder's random name replaced by one of the same length, also where it
    stands in hexadecimal digits, so that it is the same in each run. Tune takes it for an
    experiment whose directory was moved."""
    known = str(root).encode()
    same = known[:-_RANDOM] + b"x" * _RANDOM
    return content.replace(known, same).replace(known.hex().encode(), same.hex().encode())


class Directory:
    """A folder of this machine in which one run's driver works."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="aftershock-tune-"))
        self.storage = self.root / "storage"
        self.staging = self.root / "staging"
        self.path = self.storage / NAME
        self.session = 1
        self._found: Any = ""
        self._snapshot: dict[str, str] = {}

    def restore(self, durable: str) -> None:
        """Puts there what an earlier driver has left; its session is the one before ours."""
        if not durable:
            return
        self.path.mkdir(parents=True)
        try:
            found = json.loads(durable)
        except ValueError:
            found = None
        self.session = 2
        if not isinstance(found, dict) or "tuner" not in found:
            self._found = durable
            (self.path / _TUNER).write_bytes(b"")
            return
        self._found = found
        if found["tuner"]:
            (self.path / _TUNER).write_bytes(_unpacked(found["tuner"]))
        state = found.get("experiment_state")
        if isinstance(state, dict):
            self.session = state["session"] + 1
            for name, content in json.loads(_unpacked(state["files"])).items():
                (self.path / name).write_bytes(content.encode("latin-1"))
        elif state is not None:
            (self.path / _TORN).write_text(str(state), encoding="utf-8")

    def uploaded(self) -> None:
        """This driver has stored a snapshot."""
        names = [self._newest(stem) for stem in ("experiment_state-", "basic-variant-state-")]
        self._snapshot = {
            name: _anywhere((self.path / name).read_bytes(), self.root).decode("latin-1")
            for name in names if name}

    def durable(self) -> Any:
        """The files that are there now."""
        tuner = self.path / _TUNER
        torn = isinstance(self._found, str) and self._found != ""
        if torn and not self._snapshot and not (tuner.exists() and tuner.stat().st_size):
            return self._found
        if not tuner.exists() and not self._snapshot:
            return ""
        state: Any = None
        if self._snapshot:
            files = json.dumps(self._snapshot, sort_keys=True).encode()
            state = {"session": self.session, "files": _packed(files)}
        elif isinstance(self._found, dict):
            state = self._found.get("experiment_state")
        written = _anywhere(tuner.read_bytes(), self.root) if tuner.exists() else b""
        return {"tuner": _packed(written) if written else "", "experiment_state": state}

    def end(self) -> None:
        """Removes the folder."""
        shutil.rmtree(self.root, ignore_errors=True)

    def _newest(self, stem: str) -> str:
        return max((file.name for file in self.path.glob(stem + "*")), default="")
