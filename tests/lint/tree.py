"""The files of the tree, and what a rule finds in them."""
import dataclasses
import functools
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = ("base", "policies", "reports", "sim", "gui")


@dataclasses.dataclass(frozen=True, order=True)
class Finding:
    path: str
    line: int
    what: str
    instead: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.what}: {self.instead}"


class File:
    """A file by its path from the root; its text may be given, for snippets."""

    def __init__(self, path, text=None):
        self.path = path
        self._text = text

    @functools.cached_property
    def text(self):
        return self.bytes.decode("utf-8", "replace")

    @functools.cached_property
    def bytes(self):
        return (ROOT / self.path).read_bytes() if self._text is None else self._text.encode()

    @functools.cached_property
    def lines(self):
        return self.text.split("\n")

    @property
    def room(self):
        """policies, reports, ...; of a unit test too: its rules are not its room's."""
        return self.path.split("/")[0]

    @property
    def folder(self):
        return os.path.dirname(self.path)

    @property
    def is_cpp(self):
        return self.path.endswith((".h", ".cpp"))

    def line_at(self, offset):
        return self.text.count("\n", 0, offset) + 1


def paths():
    """What git tracks or would track; without git, what is there beside builds and dotfiles."""
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z", "--cached", "--others",
         "--exclude-standard"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode == 0:
        found = [path for path in listed.stdout.decode().split("\0") if path]
    else:
        found = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*")
                 if not path.is_dir() and not any(
                     part.startswith((".", "build", "__pycache__"))
                     for part in path.relative_to(ROOT).parts)]
    return sorted(path for path in set(found) if (ROOT / path).is_file())


@functools.cache
def files():
    return [File(path) for path in paths()]
